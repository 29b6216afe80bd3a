"""Compares the words under the rectangles of citations with the cited words.

`python -m tests.examination.highlights --pdfs FOLDER [--quotations 200]`. Quotations are drawn at
random from the passages of the documents, as answers quote them. The characters inside the
rectangles are asked of PDFium, apart from what found the rectangles.
"""

import argparse
import ctypes
import os
import random
import resource
import statistics
import time
import unicodedata
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import django
import pypdfium2
import pypdfium2.raw as pdfium

# As many of a quotation's letters are under its rectangles, and as few others.
SAME = 0.95


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--pdfs", type=Path, required=True)
    parser.add_argument("--quotations", type=int, default=200)
    wanted = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    paths = sorted(wanted.pdfs.glob("*.pdf"))
    same, seconds = 0, []
    for at, path in enumerate(paths):
        number = (wanted.quotations * (at + 1)) // len(paths) - wanted.quotations * at // len(paths)
        for quote, found, took in compare(path.read_bytes(), number):
            is_same = likeness(quote, found) >= SAME
            same, seconds = same + is_same, [*seconds, took]
            if not is_same:
                print(f"{path.name}: {quote!r}\n  marked: {found!r}")
    print(f"the cited words: {same} of {len(seconds)}")
    print(f"processor time of a page at the median: {statistics.median(seconds) * 1000:.0f} ms")


def compare(data: bytes, number: int) -> Iterator[tuple[str, str, float]]:
    """Yield quotations, the text under their rectangles, and the seconds their pages took."""
    from citations.ingestion.chunking import chunk_sections
    from citations.models import Passage
    from citations.readers import read_file
    from citations.retrieval.units import UnitForm, list_units

    pieces = chunk_sections(read_file(data, "application/pdf").sections, title="")
    passages = [Passage(text=each.text, page=each.page, layout=each.layout) for each in pieces]
    units = [
        (passage, unit)
        for passage in passages
        for unit in list_units(passage)
        if unit.form is not UnitForm.ABOVE
    ]
    document = pypdfium2.PdfDocument(data)
    for passage, unit in random.Random(7).sample(units, number):
        found, took = marked(data, document, passage, unit)
        yield unit.quote(passage.text), found, took


def marked(data: bytes, document: Any, passage: Any, unit: Any) -> tuple[str, float]:
    """Mark a quotation as a citation is; return the text under it and the seconds per page."""
    from dataclasses import replace

    from citations.pages.drawing import PIXELS
    from citations.pages.marking import ENOUGH, MOST_PAGES, mark_words
    from citations.readers import get_reading_limits
    from citations.readers.apart import run_apart

    begun, letters, marks = processor_seconds(), [], []
    for number in range(passage.page - 1, min(passage.page - 1 + MOST_PAGES, len(document))):
        limits = replace(get_reading_limits(), drawn=number, pixels=PIXELS["normal"])
        letters.append(run_apart("show", "pdf", data, limits).letters)
        share, marks = mark_words(passage.text, [(unit.start, unit.end)], letters)
        if share >= ENOUGH:
            break
    took = (processor_seconds() - begun) / len(letters)
    pages = enumerate(zip(letters, marks, strict=True), start=passage.page - 1)
    return "".join(under(document[at], boxes, each["frame"]) for at, (each, boxes) in pages), took


def processor_seconds() -> float:
    """Return the processor time of this process and its children, in seconds."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def under(page: Any, boxes: Any, frame: list[int]) -> str:
    """Return the characters whose middle is inside a rectangle, in PDFium's order."""
    text = page.get_textpage()
    found = []
    for index in range(text.count_chars()):
        left, bottom, right, top = text.get_charbox(index)
        x, y = ctypes.c_int(), ctypes.c_int()
        middle = (left + right) / 2, (bottom + top) / 2
        pdfium.FPDF_PageToDevice(page, 0, 0, *frame, 0, *middle, x, y)
        if any(b.left <= x.value <= b.right and b.top <= y.value <= b.bottom for b in boxes):
            found.append(chr(pdfium.FPDFText_GetUnicode(text.raw, index)))
    return "".join(found)


def likeness(quote: str, found: str) -> float:
    """Return the share of letters and digits that both have, whatever their order."""
    one, other = letters_of(quote), letters_of(found)
    return 2 * (one & other).total() / max((one | other).total() + (one & other).total(), 1)


def letters_of(text: str) -> Counter[str]:
    plain = unicodedata.normalize("NFKD", text).casefold()
    return Counter(sign for sign in plain if sign.isalnum())


if __name__ == "__main__":
    main()
