"""Runs: what is raised or struck out says so, whatever the format."""

from collections.abc import Callable

import pytest

from citations.formats import html
from citations.formats.html import markdown
from citations.formats.office import docx, opendocument, pptx, rtf
from citations.formats.office.spreadsheets import xlsx
from citations.formats.reading import ReadingLimits, ignore_progress
from tests.citations import files, office_files

MARKED = "10^6 l, [struck out: 120] 95"


def write_runs(before: str, raised: str, struck: str, behind: str) -> str:
    """Write the line with what each format puts before a plain, a raised and a struck run."""
    looks = (before, raised, before, struck, before)
    texts = zip(looks, ("10", "6", " l, ", "120", " 95"), strict=True)
    return "".join(f"{look}{text}{behind}" for look, text in texts)


def make_word() -> bytes:
    begun = "<w:r><w:rPr>{}</w:rPr><w:t xml:space='preserve'>".format
    looks = (begun(""), begun("<w:vertAlign w:val='superscript'/>"), begun("<w:strike/>"))
    return files.word_of(f"<w:p>{write_runs(*looks, '</w:t></w:r>')}</w:p>")


def make_text() -> bytes:
    looks = {"up": "style:text-position='super'", "out": "style:text-line-through-style='solid'"}
    own = "".join(
        f"<style:style style:name='{name}'><style:text-properties {look}/></style:style>"
        for name, look in looks.items()
    )
    begun = "<text:span text:style-name='{}'>".format
    line = write_runs(begun(""), begun("up"), begun("out"), "</text:span>")
    return office_files.opendocument("text", f"<text:p>{line}</text:p>", own=own)


def make_slide() -> bytes:
    begun = "<a:r><a:rPr {}/><a:t>".format
    looks = (begun(""), begun("baseline='30000'"), begun("strike='sngStrike'"))
    line = write_runs(*looks, "</a:t></a:r>")
    return office_files.deck(office_files.shape(f"<a:p>{line}</a:p>"))


def make_sheet() -> bytes:
    begun = f"<r xmlns='{office_files.SHEET}'><rPr>{{}}</rPr><t>".format
    looks = (begun(""), begun("<vertAlign val='superscript'/>"), begun("<strike/>"))
    cell = f"<c r='A1' t='inlineStr'><is>{write_runs(*looks, '</t></r>')}</is></c>"
    return office_files.workbook(f"<sheetData><row r='1'>{cell}</row></sheetData>")


@pytest.mark.parametrize(
    ("read", "made"),
    [
        (docx.read, make_word()),
        (opendocument.read, make_text()),
        (pptx.read, make_slide()),
        (xlsx.read, make_sheet()),
        (rtf.read, rb"{\rtf1\ansi\pard 10{\super 6} l, {\strike 120} 95\par}"),
        (html.read, b"<html><body><p>10<sup>6</sup> l, <s>120</s> 95</p></body></html>"),
        (html.read, b"<html><body><p>10^6 l, <span style='text-decoration:line-through'>12</span>"
                    b"<del>0</del> 95</p></body></html>"),
        (markdown.read, b"10<sup>6</sup> l, ~~120~~ 95"),
    ],
    ids="docx odt pptx xlsx rtf html style markdown".split(),
)  # fmt: skip
def test_what_is_raised_or_struck_out_is_marked(read: Callable[..., object], made: bytes):
    found = read(made, ReadingLimits(pages=10), ignore_progress)
    assert MARKED in found.sections[0].text  # type: ignore[attr-defined]
