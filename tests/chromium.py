"""The browser in which pages are opened: Debian's chromium, without windows."""

import shutil

from playwright.sync_api import Browser, Playwright

#: The first is made for this, and takes half of the time.
_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser")


def path_of_chromium() -> str | None:
    """Where it is; None if it is not installed."""
    return next(filter(None, map(shutil.which, _NAMES)), None)


def launched(playwright: Playwright) -> Browser:
    """The browser, started."""
    # a graphics card that is emulated takes three quarters of the time of pages
    plain = ["--no-sandbox", "--disable-gpu", "--disable-software-rasterizer"]
    return playwright.chromium.launch(executable_path=path_of_chromium(), args=plain)
