"""What is opened in a browser: each page at rest, without complaints, and asking nobody else."""

from pathlib import Path

import pytest

PATIENCE_MS = 60_000  # the machine may be slow; how fast a page answers, a benchmark says
#: A page is drawn, and one with a live source shows what it has asked for.
AT_REST = """() => document.body.dataset.ready
    && (document.body.dataset.waits === "false" || !globalThis.page.live)"""
DRAWN = "new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(then)))"
PICTURES = Path(__file__).parents[2] / ".artifacts"


@pytest.fixture
def visit(browser, request):
    """Opens an address and waits until it shows what it asks for.

    Of the last test of a file, a picture of the last page is kept for people to look at.
    """
    pages, complaints, requests = [], [], []

    def visit(address, **options):
        page = browser.new_page(**{"viewport": {"width": 1500, "height": 1100}, **options})
        page.set_default_timeout(PATIENCE_MS)
        page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(address)
        page.wait_for_function(AT_REST)
        page.evaluate(DRAWN)
        pages.append((page, address.partition("?")[0].partition("#")[0]))
        return page

    yield visit
    PICTURES.mkdir(exist_ok=True)
    of_file = [item for item in request.session.items if item.path == request.path]
    for page, _ in pages[-1:] if request.node is of_file[-1] else ():
        page.screenshot(path=PICTURES / f"{request.path.stem.removeprefix('test_')}.png")
    for page, _ in pages:
        page.close()
    assert complaints == []
    allowed = ("data:", "ws:", *(address for _, address in pages))
    assert [url for url in requests if not url.startswith(allowed)] == []
