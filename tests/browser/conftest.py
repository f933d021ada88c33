"""What is opened in a browser: each page at rest, without complaints, and asking nobody else."""

from pathlib import Path

import pytest

TIMEOUT_MS = 60_000  # the machine may be slow; how fast a page answers, a benchmark says
#: A page is drawn, and one with a live source shows what it has asked for.
AT_REST = """() => document.body.dataset.ready
    && (document.body.dataset.waits === "false" || !globalThis.page.live)"""
DRAWN = "new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(then)))"
VIEWPORT = {"width": 1500, "height": 1100}
PICTURES = Path(__file__).parents[2] / ".artifacts"


@pytest.fixture(scope="session")
def free_pages():
    """Pages that no test has any more: to open another takes as long as most tests of one."""
    return []


@pytest.fixture
def visit(browser, free_pages, request):
    """Opens an address and waits until it shows what it asks for.

    Of the last test of a file, a picture of the last page is kept for people to look at.
    """
    pages, complaints, requests = [], [], []
    hears = {
        "console": lambda m: complaints.append(m.text) if m.type == "error" else None,
        "pageerror": lambda error: complaints.append(str(error)),
        "request": lambda request: requests.append(request.url),
    }

    def visit(address, viewport=VIEWPORT, color_scheme="light"):
        page = free_pages.pop() if free_pages else browser.new_page()
        pages.append((page, address.partition("?")[0].partition("#")[0]))
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=color_scheme)
        page.set_default_timeout(TIMEOUT_MS)
        for event, hear in hears.items():
            page.on(event, hear)
        page.goto(address)
        page.wait_for_function(AT_REST)
        page.evaluate(DRAWN)
        return page

    yield visit
    PICTURES.mkdir(exist_ok=True)
    of_file = [item for item in request.session.items if item.path == request.path]
    for page, _ in pages[-1:] if request.node is of_file[-1] else ():
        page.screenshot(path=PICTURES / f"{request.path.stem.removeprefix('test_')}.png")
    for page, _ in pages:
        for event, hear in hears.items():
            page.remove_listener(event, hear)
        page.goto("about:blank")
        free_pages.append(page)
    assert complaints == []
    allowed = ("data:", "ws:", *(address for _, address in pages))
    assert [url for url in requests if not url.startswith(allowed)] == []
