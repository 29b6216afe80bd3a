"""Pages that are pictures: named as such, and read where a program for it is set."""

import shutil

import pypdfium2
import pytest
from django.core.checks import run_checks
from pypdf import PdfReader, PdfWriter
from pypdf.generic import DictionaryObject, NameObject, NumberObject, StreamObject

from citations.formats.kinds import PDF
from citations.formats.parts import Part, PartKind, Reason
from citations.formats.pdf import drawing
from citations.formats.reading import FileReading
from citations.readers import Unreadable, inspect_file, read_file
from tests.citations import files

TESSERACT = pytest.mark.skipif(not shutil.which("tesseract"), reason="tesseract isn't installed")
SAID = "THE HARBOUR MASTER SELLS BERTH PASSES"


def scan(text: str, *, before: str = "") -> bytes:
    """Make a PDF whose last page is a picture of the text."""
    from io import BytesIO

    page = pypdfium2.PdfDocument(files.pdf([files.placed((60, 100, text, "large"))]))[0]
    bitmap = page.render(scale=3, grayscale=True)
    wide, high, stride = bitmap.width, bitmap.height, bitmap.stride
    buffer = bytes(bitmap.buffer)
    picture = StreamObject()
    picture.set_data(b"".join(buffer[at * stride : at * stride + wide] for at in range(high)))
    named = {"/Type": "/XObject", "/Subtype": "/Image", "/ColorSpace": "/DeviceGray"}
    for name, value in named.items():
        picture[NameObject(name)] = NameObject(value)
    for name, number in {"/Width": wide, "/Height": high, "/BitsPerComponent": 8}.items():
        picture[NameObject(name)] = NumberObject(number)
    pages = [before] * bool(before) + [b"595 0 0 842 0 0 cm /X Do"]
    writer = PdfWriter(clone_from=PdfReader(BytesIO(files.pdf(pages))))
    held = DictionaryObject({NameObject("/X"): writer._add_object(picture.flate_encode())})
    writer.pages[-1][NameObject("/Resources")] = DictionaryObject({NameObject("/XObject"): held})
    return files.saved(writer)


def unread(reading: FileReading) -> list[Part]:
    return [part for part in reading.parts if part.reason]


def test_a_scan_is_refused_when_it_comes_in_and_a_scanned_page_is_named():
    with pytest.raises(Unreadable, match="OCR"):
        inspect_file(scan(SAID), "a.pdf")
    reading = read_file(scan(SAID, before="Text."), PDF)
    assert unread(reading) == [Part(PartKind.PAGE, 1, Reason.NO_TEXT, (2,))]


@TESSERACT
def test_with_a_program_for_it_scanned_pages_are_read(settings):
    settings.OCR = "tesseract"
    assert inspect_file(scan(SAID), "a.pdf").about.page_count == 1
    (section,) = read_file(scan(SAID), PDF).sections
    assert (section.page, section.text) == (1, SAID)
    reading = read_file(scan(SAID, before="Text."), PDF)
    assert [(part.page, part.text) for part in reading.sections] == [(1, "Text."), (2, SAID)]
    assert unread(reading) == []


def test_a_page_that_the_program_cannot_read_stays_among_the_unread(settings, monkeypatch):
    settings.OCR = "tesseract"
    monkeypatch.setattr("citations.readers.recognition.PROGRAM", "no-such-program")
    reading = read_file(scan(SAID, before="Text."), PDF)
    assert unread(reading) == [Part(PartKind.PAGE, 1, Reason.NO_TEXT, (2,))]
    with pytest.raises(Unreadable) as refusal:
        read_file(scan(SAID), PDF)
    assert refusal.value.code == "no_text"


def test_a_drawn_page_is_bounded_however_large_it_says_it_is():
    huge = pypdfium2.PdfDocument.new()
    page = huge.new_page(14_000, 14_000)
    assert len(drawing.draw_png(page)) < 4_000_000


def test_a_program_that_is_missing_is_an_error_with_a_hint(settings, monkeypatch):
    settings.OCR = "tesseract"
    monkeypatch.setattr(shutil, "which", lambda name: None)
    (found,) = [each for each in run_checks() if each.id == "throughline.E015"]
    assert "tesseract" in found.msg
    assert "OCR=none" in found.hint
