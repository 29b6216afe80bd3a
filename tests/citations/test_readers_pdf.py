"""PDF: text by page, under the outline's headings, joined as it was before it was printed."""

import pytest

from citations.formats import pdf
from citations.formats.kinds import FORMATS, PDF
from citations.formats.reading import FileReading, ReadingLimits, ignore_progress
from citations.readers import Unreadable, inspect_file, read_file
from tests.citations import files
from tests.surroundings import ROOT

LIMITS = ReadingLimits(pages=100)


def read_pages(*pages: str | bytes, **options: object) -> FileReading:
    return pdf.read(files.pdf(pages, **options), LIMITS, ignore_progress)  # type: ignore[arg-type]


def unread(reading: FileReading) -> list[tuple[str, str, tuple[int, ...]]]:
    return [(part.kind, part.reason, part.pages) for part in reading.parts if part.reason]


def test_pages_keep_their_numbers_and_properties_say_what_it_is():
    data = files.pdf(
        ["First page.", "Second page."], title="On Pages", author="Doe, Jane; Roe, John"
    )
    found = inspect_file(data, "a.pdf")
    assert (found.about.title, found.about.authors) == ("On Pages", ["Doe, Jane", "Roe, John"])
    assert (found.about.page_count, found.about.year) == (2, None)
    assert [(part.page, part.text) for part in read_file(data, PDF).sections] == [
        (1, "First page."),
        (2, "Second page."),
    ]


def test_a_title_that_a_program_made_up_gives_way_to_the_file_s_name():
    data = files.pdf(["Text."], title="Microsoft Word - draft7.doc", author="Administrator")
    found = inspect_file(data, "annual-report.pdf")
    assert (found.about.title, found.about.authors) == ("Annual report", [])


def test_wrapped_lines_are_joined_and_broken_words_made_whole():
    page = "The first paragraph goes on over the end of its line, and then it con-\ntinues to here."
    page += "\nA second paragraph begins on this line, which is about as long as the line above it."
    page += "\n- an item\n- another\n\nAnd the end."
    assert read_pages(page).sections[0].text == (
        "The first paragraph goes on over the end of its line, and then it continues to here.\n\n"
        "A second paragraph begins on this line, which is about as long as the line above it.\n\n"
        "- an item\n- another\n\nAnd the end."
    )


def test_headings_of_the_outline_stand_over_their_text_and_go_on_over_pages():
    pages = ["Intro\nWhat it is about.", "1. Part\nSome text.", "More of the part.", "End."]
    found = read_pages(*pages, outline=["Intro", "Part"])
    assert [(part.page, part.headings, part.text) for part in found.sections] == [
        (1, ["Intro"], "What it is about."),
        (2, ["1. Part"], "Some text."),
        (3, ["1. Part"], "More of the part."),
        (4, ["1. Part"], "End."),
    ]


def test_pages_without_text_are_named_if_they_may_be_pictures():
    data = files.pdf_with_pictures(["One.", b"/X Do", "Three.", b"", b"/X Do"], on=[1, 4])
    reading = pdf.read(data, LIMITS, ignore_progress)
    assert unread(reading) == [("page", "no_text", (2, 5))]
    assert [part.page for part in reading.sections] == [1, 3]


def test_a_file_that_anyone_may_open_is_read_although_it_is_encrypted():
    data = files.encrypted(files.pdf(["Text."]), password="")
    assert read_file(data, inspect_file(data, "a.pdf").media_type).sections[0].text == "Text."


SLOW = b"BT /F1 12 Tf " + b"[(a) -1] TJ " * 300_000 + b"ET"


def test_a_page_that_takes_too_long_is_left_out_and_named(page_seconds):
    page_seconds(0.05)
    reading = read_file(files.pdf(["One.", SLOW, "Three."]), PDF)
    assert unread(reading) == [("page", "beyond_limit", (2,))]
    assert [part.page for part in reading.sections] == [1, 3]


def test_a_file_of_many_slow_pages_is_given_up(page_seconds):
    page_seconds(0.02)
    with pytest.raises(Unreadable) as refusal:
        read_file(files.pdf(["One.", *[SLOW] * 10]), PDF)
    assert refusal.value.code == "too_complex"


@pytest.fixture
def page_seconds(tmp_path, monkeypatch):
    """Have the child give a page so many seconds."""
    package = tmp_path / "citations" / "formats"
    package.mkdir(parents=True)
    for name in ("citations", "citations/formats"):
        (tmp_path / name / "__init__.py").write_text(f"__path__ += [{str(ROOT / name)!r}]\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(FORMATS, PDF, "hasty")

    def write(seconds: float) -> None:
        code = (
            "from citations.formats import pdf\nfrom citations.formats.pdf import inspect, read\n"
        )
        (package / "hasty.py").write_text(f"{code}pdf.PAGE_SECONDS = {seconds}\n")

    return write


def test_a_scan_is_told_from_a_document_that_begins_with_pictures():
    empty = b"0 0 m 9 9 l S"
    assert inspect_file(files.pdf([empty] * 12 + ["Text."] * 12), "a.pdf").about.page_count == 24
    with pytest.raises(Unreadable) as refusal:
        inspect_file(files.pdf([empty] * 24), "a.pdf")
    assert refusal.value.code == "no_text"
    assert "OCR" in refusal.value.message


def test_what_is_beyond_the_limit_of_characters_is_left_out_and_said():
    reading = pdf.read(
        files.pdf(["Word " * 20] * 5), ReadingLimits(pages=9, characters=250), ignore_progress
    )
    assert sum(len(part.text) for part in reading.sections) <= 250
    assert ("page", "beyond_limit", (5,)) in unread(reading)


def test_progress_is_told_page_by_page():
    told: list[tuple[int, int]] = []
    read_file(files.pdf(["Text."] * 3), PDF, lambda *far: told.append(far))
    # While the child begins, which takes long on a busy machine, it is only told that it goes on.
    assert [far for far in told if far != (0, 0)] == [(0, 3), (1, 3), (2, 3), (3, 3)]
