"""The child process in which WeasyPrint lays out an export, without network and in bounds.

It reads the HTML from standard input and writes lines of JSON: the number of pages so far, and the
PDF.
"""

import logging
import os
import sys
from base64 import b64encode
from typing import Any

from weasyprint import HTML
from weasyprint.urls import URLFetcher

from citations.formats.process.child import confine, tell


class NothingFetched(URLFetcher):  # type: ignore[misc]
    """Rejects every address: an export contains everything that it needs."""

    def fetch(self, url: str, headers: Any = None) -> Any:
        raise ValueError(url)


class PageCount(logging.Handler):
    """Reports each page that is laid out, and ends the process after the last allowed one."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most, self._pages = most, 0

    def emit(self, record: logging.LogRecord) -> None:
        self._pages += "Page" in record.msg
        if self._pages > self._most:
            os._exit(1)
        tell({"pages": self._pages})


def main(order: dict[str, Any]) -> None:
    """Lay out the HTML with at most `pages` pages."""
    HTML(string="a", url_fetcher=NothingFetched()).write_pdf()  # loads fonts and libraries
    confine(memory=order["memory"], seconds=order["seconds"])
    progress = logging.getLogger("weasyprint.progress")
    progress.setLevel(logging.INFO)
    progress.addHandler(PageCount(order["pages"]))
    html = sys.stdin.buffer.read().decode()
    document = HTML(string=html, url_fetcher=NothingFetched())
    # The `value` of list items, which numbers sources, is a presentational hint.
    tell({"pdf": b64encode(document.write_pdf(presentational_hints=True)).decode()})
    os._exit(0)
