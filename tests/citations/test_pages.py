"""Pages beside answers: cited words under their rectangles; pictures that are kept and bounded."""

import struct
from collections.abc import Callable
from datetime import timedelta
from io import BytesIO

import pypdfium2
import pytest
from django.db import connection
from django.utils import timezone
from pypdf import PdfReader, PdfWriter
from pypdf.generic import RectangleObject

from citations.deletion import delete_document
from citations.formats import pdf
from citations.formats.reading import ReadingLimits, ignore_progress
from citations.ingestion.adding import add_document
from citations.models import Document, DrawnPage, OriginalFile
from citations.pages import drawing
from citations.pages.alignment import Letters, align
from citations.pages.drawing import Size, Undrawable, draw_page
from citations.pages.marking import mark_words
from memory.errors import NotFound
from memory.models import User
from tests.citations import documents, files, hostile
from tests.examination.highlights import likeness, under

SENTENCE = "The quokka lives on Rottnest Island."
LEFT = ["The harbour master sells passes, and each", "pass has a num-", "ber of its own."]
RIGHT = ["The ferry leaves at nine.", "It has two decks."]


def turned(data: bytes, angle: int) -> bytes:
    writer = PdfWriter(clone_from=PdfReader(BytesIO(data)))
    writer.pages[0].rotate(angle)
    return files.saved(writer)


def cropped(data: bytes) -> bytes:
    writer = PdfWriter(clone_from=PdfReader(BytesIO(data)))
    writer.pages[0].cropbox = RectangleObject((50, 600, 500, 800))
    return files.saved(writer)


ONE = files.pdf([f"Of beasts.\n{SENTENCE} It is small."])
COLUMNS = files.pdf([files.placed(*files.column(60, 90, LEFT), *files.column(320, 90, RIGHT))])
NEXT = files.pdf(["They say that the quokka\nlives on Rottnest", "Island. And what follows."])


@pytest.mark.parametrize(
    ("data", "quote"),
    [
        (ONE, SENTENCE),
        (turned(ONE, 90), SENTENCE),
        (turned(ONE, 180), SENTENCE),
        (cropped(ONE), SENTENCE),
        (
            files.pdf(["Of offices, its files and flats."]),
            "OF{fi}CES, its {fi}les and f\N{SOFT HYPHEN}lats".format(
                fi="\N{LATIN SMALL LIGATURE FI}"
            ),
        ),
        (COLUMNS, "each pass has a number of its own."),
        (COLUMNS, "The ferry leaves at nine. It has two decks."),
        (NEXT, "the quokka lives on Rottnest Island."),
    ],
    ids=["plain", "turned", "upside down", "cropped", "folded", "hyphen", "column", "two pages"],
)
def test_the_cited_words_stand_under_the_rectangles(data: bytes, quote: str):
    passage = f"What comes before it. {quote} And what follows."
    document = pypdfium2.PdfDocument(data)
    limits = [ReadingLimits(pages=9, drawn=at, pixels=10_000) for at in range(len(document))]
    letters = [pdf.show(data, each, ignore_progress).letters for each in limits]
    start = passage.index(quote)
    share, boxes = mark_words(passage, [(start, start + len(quote))], letters)
    found = "".join(
        under(document[at], each, letters[at]["frame"]) for at, each in enumerate(boxes)
    )
    assert share == 1
    assert likeness(quote, found) == 1


def test_words_that_are_not_on_the_page_are_marked_nowhere():
    letters = pdf.show(ONE, ReadingLimits(pages=9, pixels=10_000), ignore_progress).letters
    assert mark_words("The numbat eats termites all day.", [(0, 33)], [letters]) == (0, [[]])


def test_the_longest_match_wins_and_takes_back_what_a_shorter_one_took():
    page = Letters("stores and others. The company operates stores and warehouses in Ohio.")
    matches = align(Letters("Its stores and warehouses in Ohio"), page)
    assert [match.length for match in matches if match.length > 3] == [26]


def test_alignment_takes_a_time_in_proportion_to_the_length():
    alike = Letters("ab" * 30_000)
    assert align(alike, Letters("ab" * 30_000))[0].length == 60_000
    assert len(align(Letters("abababac" * 5_000), alike)) < 50_000


# --- Pictures -------------------------------------------------------------------------------------


@pytest.fixture
def document(owner: User, db: None) -> Document:
    return documents.read(add_document(ONE, file_name="beasts.pdf", owner=owner))


def keep_file(document: Document, data: bytes) -> Document:
    original = OriginalFile.objects.get(document=document)
    original.file = data
    original.save()
    return document


def size_of(page: DrawnPage) -> tuple[int, int]:
    width, height = struct.unpack(">II", bytes(page.picture)[16:24])
    return width, height


def test_a_page_is_drawn_once_in_each_size_and_kept_sealed(document, monkeypatch):
    width, height = size_of(draw_page(document, 1))
    large, _ = size_of(draw_page(document, 1, Size.LARGE))
    assert abs(large - 2 * width) <= 2
    monkeypatch.setattr(drawing, "run_apart", None)
    assert size_of(draw_page(document, 1)) == (width, height)
    with connection.cursor() as cursor:
        cursor.execute("SELECT picture, letters FROM citations_drawnpage")
        for picture, letters in cursor.fetchall():
            assert not bytes(picture).startswith(b"\x89PNG")
            assert b"quokka" not in bytes(letters)


def test_pages_go_with_their_document(document, owner):
    draw_page(document, 1)
    delete_document(document, actor=owner)
    assert not DrawnPage.objects.exists()


def test_a_page_of_a_document_that_went_meanwhile_is_not_kept(document, monkeypatch):
    drawn = drawing.run_apart
    monkeypatch.setattr(
        drawing, "run_apart", lambda *order: [drawn(*order), Document.objects.all().delete()][0]
    )
    with pytest.raises(NotFound):
        draw_page(document, 1)


def test_of_all_pictures_the_oldest_make_room(document, monkeypatch):
    first = draw_page(document, 1)
    monkeypatch.setattr(drawing, "MOST_BYTES", first.weight)
    second = draw_page(document, 1, Size.LARGE)
    assert second.weight > first.weight
    assert not DrawnPage.objects.exists()
    assert draw_page(document, 1).pk == DrawnPage.objects.get().pk


@pytest.mark.parametrize("number", [0, 2, 10_000_000_000])
def test_there_is_no_page_beyond_the_last(document, number):
    with pytest.raises(NotFound):
        draw_page(document, number)


def test_a_page_of_200_inches_is_drawn_no_larger_than_others(document):
    wide = ONE.replace(b"[0 0 595 842]", b"[0 0 9e5 9e5]")
    width, height = size_of(draw_page(keep_file(document, wide), 1))
    assert width * height < 1_200_000


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (hostile.pdf_whose_forms_multiply, "too long"),
        (hostile.encrypted_pdf, "password"),
        (lambda: b"%PDF-1.7 or not", "damaged"),
    ],
    ids=["draws for ever", "encrypted", "broken"],
)
def test_a_page_that_cannot_be_drawn_says_why_and_is_not_tried_again_for_a_while(
    document, monkeypatch, make: Callable[[], bytes], code: str
):
    with pytest.raises(Undrawable, match=code):
        draw_page(keep_file(document, make()), 1)
    with monkeypatch.context() as patched, pytest.raises(Undrawable, match=code):
        patched.setattr(drawing, "run_apart", None)
        draw_page(document, 1)
    DrawnPage.objects.update(created_at=timezone.now() - timedelta(hours=1))
    assert draw_page(keep_file(document, ONE), 1).picture
