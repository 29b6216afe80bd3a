"""Text recognition: tesseract reads scanned pages, where it is configured.

A child process draws the page, since the file is untrusted; the program gets the picture on
standard input and has bounded time. A page that can't be recognised counts as unread.
"""

import subprocess
import time
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from citations.formats.cleaning import clean
from citations.formats.parts import Part, PartKind, Parts, Reason
from citations.formats.plain.typed import add_typed
from citations.formats.reading import BadFile, FileReading, Progress, ReadingLimits, Section
from citations.formats.sections import Sections
from citations.languages import identify_language
from citations.readers.apart import run_apart

PROGRAM = "tesseract"
# Seconds for a page, below a lease, and for a document.
PAGE_SECONDS, SECONDS = 40.0, 1800.0
# The program's codes of languages.
CODES = {"en": "eng", "es": "spa", "de": "deu", "fr": "fra", "pt": "por", "it": "ita", "nl": "nld"}
CODES |= {"ru": "rus", "tr": "tur", "zh": "chi_sim", "ar": "ara", "pl": "pol", "ja": "jpn"}


def add_recognised(
    data: bytes, reading: FileReading, limits: ReadingLimits, progress: Progress
) -> FileReading:
    """Return the reading with the text of its scanned pages, as far as it can be recognised."""
    scanned = [page for part in reading.parts if is_scanned(part) for page in part.pages]
    if not scanned:
        return reading
    language = choose_language(reading)
    found: list[Section] = []
    end = time.monotonic() + SECONDS
    for page in scanned:
        progress(page - 1, reading.page_count or page)
        if time.monotonic() > end:
            break
        found += recognise_page(data, page, language, limits, progress)
    left = [page for page in scanned if page not in {section.page for section in found}]
    parts = Parts()
    for part in reading.parts:
        if not is_scanned(part):
            parts.count(part.kind, part.number, unread=part.reason, pages=part.pages)
    parts.count(PartKind.PAGE, len(scanned) - len(left))
    parts.count(PartKind.PAGE, len(left), unread=Reason.NO_TEXT, pages=left)
    sections = sorted([*reading.sections, *found], key=lambda section: section.page or 0)
    return replace(reading, sections=sections, parts=parts.found)


def is_scanned(part: Part) -> bool:
    return part.kind is PartKind.PAGE and part.reason is Reason.NO_TEXT


def recognise_page(
    data: bytes, page: int, language: str, limits: ReadingLimits, progress: Progress
) -> Iterator[Section]:
    """Yield the sections of a page, counted from 1."""
    try:
        drawn = run_apart("draw", "pdf", data, replace(limits, drawn=page - 1), progress)
        text = clean(recognise_text(b64decode(drawn.picture), language))
    except (BadFile, subprocess.SubprocessError, OSError):
        return
    sections = Sections(limits)
    sections.page(page)
    add_typed(text, sections)
    yield from sections.finished("")


def recognise_text(picture: bytes, language: str) -> str:
    """Return the text of a picture. Raises SubprocessError."""
    run = subprocess.run(  # noqa: S603 - our own arguments
        [PROGRAM, "stdin", "stdout", "-l", language, "--psm", "3"],
        input=picture,
        capture_output=True,
        timeout=PAGE_SECONDS,
        check=True,
        env={"OMP_THREAD_LIMIT": "1", "PATH": "/usr/local/bin:/usr/bin:/bin"},
    )
    return run.stdout.decode("utf-8", "replace")


def choose_language(reading: FileReading) -> str:
    """Return the language of the pages with text, if the program supports it, else English."""
    text = "\n".join(section.text for section in reading.sections[:20])
    code = CODES.get(identify_language(f"{reading.title}\n{text}"), "eng")
    return code if code in list_languages() else "eng"


@cache
def list_languages() -> frozenset[str]:
    """Return the languages for which the program has data."""
    try:
        run = subprocess.run(  # noqa: S603 - our own arguments
            [PROGRAM, "--list-langs"],
            capture_output=True,
            timeout=PAGE_SECONDS,
            check=True,
        )
    except (subprocess.SubprocessError, OSError):
        return frozenset()
    return frozenset(run.stdout.decode().split()[1:])
