"""Readers: content decides what a file is; text loses what nobody sees; refusals have words."""

import resource

import pytest

from citations import readers
from citations.formats.cleaning import clean, clean_line, clean_title, split_names
from citations.formats.kinds import (
    CSV,
    DOCX,
    EPUB,
    HTML,
    MAIL,
    MARKDOWN,
    ODP,
    ODT,
    PDF,
    PLAIN,
    PPTX,
    RST,
    XLSX,
    XML,
)
from citations.formats.reading import FileReading
from citations.readers import Unreadable, inspect_file, make_title, read_file
from tests.citations import files, office_files

TEXT = "The only sentence."
SHEET = office_files.workbook(office_files.rows([TEXT]))
SLIDE = (
    f"<draw:page><draw:frame><draw:text-box><text:p>{TEXT}</text:p></draw:text-box></draw:frame>"
)
SLIDE += "</draw:page>"
PAGE = b"<!DOCTYPE html>\n<html><body><p>The only sentence.</p></body></html>"


def read_as(data: bytes, file_name: str) -> tuple[str, FileReading]:
    """Inspect and read a file, as adding it and its job do."""
    found = inspect_file(data, file_name)
    return found.media_type, read_file(data, found.media_type)


@pytest.mark.parametrize(
    ("data", "name", "kind"),
    [
        (files.pdf([TEXT]), "a.pdf", PDF),
        (files.pdf([TEXT]), "a.docx", PDF),
        (b"\n\n" + files.pdf([TEXT]), "a", PDF),
        (files.word_of(files.paragraph(TEXT)), "a.docx", DOCX),
        (files.word_of(files.paragraph(TEXT)), "a.pdf", DOCX),
        (files.word_of(files.paragraph(TEXT)), "a.zip", DOCX),
        (SHEET, "a.xlsx", XLSX),
        (SHEET, "a.docx", XLSX),
        (office_files.deck(office_files.shape(TEXT)), "a", PPTX),
        (office_files.opendocument("text", f"<text:p>{TEXT}</text:p>"), "a.odt", ODT),
        (office_files.opendocument("presentation", SLIDE), "a", ODP),
        (office_files.book(f"<p>{TEXT}</p>"), "a.zip", EPUB),
        (files.with_part(SHEET, "embedded.docx", files.word_of("")), "a", XLSX),
        (f"Name;Said\nAda;{TEXT}\n".encode(), "a.csv", CSV),
        (f"Name;Said\nAda;{TEXT}\n".encode("utf-16"), "a.tsv", CSV),
        (f"Name;Said;On\nAda;{TEXT};1\n".encode(), "a.txt", PLAIN),
        (b"Name;Said;On\n" + f"Ada;{TEXT};1\n".encode() * 6, "export", CSV),
        (PAGE, "a.html", HTML),
        (PAGE, "a.txt", HTML),
        (b"<?xml version='1.0'?><!-- saved -->" + PAGE, "a.md", HTML),
        (PAGE.decode().encode("utf-16"), "a", HTML),
        (b"<p>The only sentence.", "a.htm", HTML),
        (b"<p>\n\nThe only sentence.\n\n</p>", "a.md", MARKDOWN),
        (TEXT.encode(), "a.markdown", MARKDOWN),
        (b".TH A 1\n.SH NAME\n" + TEXT.encode(), "a.1", PLAIN),
        (TEXT.encode() + b"\n\n.. image:: a.png\n   :scale: 50", "a.rst", RST),
        (TEXT.encode() + 2 * b"\n\n.. note:: So it is.", "a.txt", PLAIN),
        (f"<?xml version='1.0'?><a><p>{TEXT}</p></a>".encode(), "a.xml", XML),
        (f"From: a@b.c\nMIME-Version: 1.0\n\n{TEXT}\n".encode(), "a", MAIL),
        (f"From a@b.c Mon Mar  2 10:00:00 2026\nTo: b@b.c\n\n{TEXT}\n".encode(), "a.mbox", MAIL),
        (TEXT.encode(), "a.csv", PLAIN),
        (TEXT.encode(), "", PLAIN),
        (b"BMW and MZ and RIFF. " + TEXT.encode(), "a.txt", PLAIN),
        (TEXT.encode("utf-16"), "a.txt", PLAIN),
        (TEXT.encode("utf-32"), "a.md", MARKDOWN),
    ],
)
def test_the_content_decides_what_a_file_is_and_its_name_only_where_content_cannot(
    data, name, kind
):
    found, reading = read_as(data, name)
    assert found == kind
    assert TEXT in reading.sections[0].text


def test_what_came_as_text_is_what_it_is_said_to_be():
    assert inspect_file(PAGE, "", media_type=PLAIN).media_type == PLAIN
    assert inspect_file(b"# A\n\n%PDF-1.7", "", media_type=MARKDOWN).about.title == "A"


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("annual-report_2024.txt", "Annual report 2024"),
        ("C:\\Users\\Jane\\Report.txt", "Report"),
        ("/home/jane/report.final.txt", "Report.final"),
        ("re\u202etxt\u200b\x00port\n.txt", "Retxtport"),
        (".txt", ".txt"),
    ],
)
def test_without_a_better_one_the_title_is_the_file_s_name_without_folders(name, title):
    assert inspect_file(TEXT.encode(), name).about.title == title


def test_plain_text_loses_its_wraps_and_keeps_paragraphs_and_lists():
    data = b"A line\r\nthat goes on.\r\n\r\n \r\nItems:\n- one\n  goes on\n- two\n10. three\n"
    text = read_file(data, PLAIN).sections[0].text
    assert text == "A line that goes on.\n\nItems:\n\n- one goes on\n- two\n10. three"


@pytest.mark.parametrize(
    ("seen", "hidden"),
    [
        ("ignore this", "ignore\u200b th\u2060is"),
        ("evil.txt", "evil\u202e.txt"),
        ("text", "te\x00x\x1bt" + "".join(chr(0xE0000 + ord(letter)) for letter in "secret")),
        ("cooperate", "co\u00adoperate"),
        ("word", "wo\u200crd"),
        ("می‌خواهم", "می‌خواهم"),  # a joiner where Persian needs it
        ("👩‍🔬", "👩‍🔬"),
        ("a", "a" + "\ufe00\ufe01" * 40),
        ("one\ntwo\nthree", "one\r\ntwo\u2028three"),
        ("lone", "lone\ud800"),
        ("é", "e\u0301"),
    ],
)
def test_text_loses_what_nobody_sees(seen, hidden):
    assert clean(hidden) == seen


def test_a_title_is_one_line_of_bounded_length():
    assert clean_line(" A\n\ttitle \u200b ") == "A title"
    long = clean_line("word " * 1000)
    assert len(long) <= 300
    assert long.endswith("word…")


@pytest.mark.parametrize(
    ("given", "title"),
    [
        ("Microsoft Word - A report", "A report"),
        ("Microsoft Word - report.docx", ""),
        ("untitled", ""),
        ("Document title", ""),
        ("Slide 1", ""),
        ("1234-5", ""),
        ("sag-39-3-4-0902-21:sag-0", ""),
        ("RFC-2616", "RFC-2616"),
        ("Attention Is All You Need", "Attention Is All You Need"),
    ],
)
def test_titles_that_programs_made_up_are_none(given, title):
    assert clean_title(given) == title


@pytest.mark.parametrize(
    ("given", "people"),
    [
        ("Jane Doe", ["Jane Doe"]),
        ("Doe, Jane", ["Doe, Jane"]),
        ("Doe, Jane; Roe, John; Doe, Jane", ["Doe, Jane", "Roe, John"]),
        ("Jane Doe, John Roe and Ann Poe", ["Jane Doe", "John Roe", "Ann Poe"]),
        ("Jane Doe, John Roe", ["Jane Doe", "John Roe"]),
        ("Administrator", []),
        (" ; ", []),
    ],
)
def test_an_author_field_becomes_people(given, people):
    assert split_names(given) == people


def test_a_file_over_the_limit_is_refused_with_the_limit(settings):
    settings.MAX_DOCUMENT_BYTES = 10
    assert inspect_file(b"0123456789", "a.txt")
    with pytest.raises(Unreadable) as refusal:
        inspect_file(b"0123456789a", "a.txt")
    assert refusal.value.code == "too_large"
    assert "10 bytes" in refusal.value.message


def test_a_document_of_too_many_pages_is_refused_with_the_limit(settings):
    settings.MAX_DOCUMENT_PAGES = 2
    assert inspect_file(files.pdf([TEXT] * 2), "a.pdf").about.page_count == 2
    with pytest.raises(Unreadable) as refusal:
        inspect_file(files.pdf([TEXT] * 3), "a.pdf")
    assert (refusal.value.code, refusal.value.message) == (
        "too_many_pages",
        "The file has more than 2 pages.",
    )


@pytest.mark.parametrize(
    ("name", "title"),
    [("Apache-2.0", "Apache 2.0"), ("GFDL-1.3", "GFDL 1.3"), ("my_notes.txt", "My notes")],
)
def test_the_number_of_a_version_is_no_kind_of_file(name, title):
    assert make_title(name) == title


def test_much_plain_text_is_read_by_a_child_and_as_little_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(readers.SMALL, PLAIN, 20_000)

    def read_with(count: int) -> tuple[FileReading, float]:
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        found = read_file(b"They float.\n\n" * count, PLAIN)
        return found, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before

    little, nothing = read_with(1_000)
    much, something = read_with(2_000)
    assert nothing == 0 < something
    assert much.sections[0].blocks[:1_000] == little.sections[0].blocks
