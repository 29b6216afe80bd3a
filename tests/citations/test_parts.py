"""Parts of files: counted, stored within bounds, and said to people."""

import pytest
from django.utils import translation

from citations.formats.parts import MOST, MOST_PAGES, Part, PartKind, Parts, Reason, unpack_parts
from citations.readers.part_sentences import unread_sentence


def test_parts_of_a_kind_are_counted_together_read_ones_first():
    parts = Parts()
    parts.count(PartKind.COMMENT, 2, unread=Reason.BROKEN, pages=[4])
    parts.count(PartKind.COMMENT)
    parts.count(PartKind.COMMENT, unread=Reason.BROKEN, pages=[2])
    assert parts.found == [
        Part(PartKind.COMMENT, 1),
        Part(PartKind.COMMENT, 3, Reason.BROKEN, (2, 4)),
    ]


@pytest.mark.parametrize(
    ("packed", "parts"),
    [
        ([["chart", 2, None, []]], [Part(PartKind.CHART, 2)]),
        ([["chart", 10**40, "broken", []]], [Part(PartKind.CHART, MOST, Reason.BROKEN)]),
        ([["chart", -1, None, []], ["spell", 1, None, []], ["chart", 1, "tired", []], 7], []),
        ("chart", []),
    ],
)
def test_parts_that_a_file_or_a_package_brings_are_bounded(packed, parts):
    assert unpack_parts(packed) == parts


def test_pages_that_a_file_brings_are_bounded():
    (part,) = unpack_parts([["page", 9, "no_text", [*range(10 * MOST_PAGES), "x", -1]]])
    assert len(part.pages) <= MOST_PAGES
    assert min(part.pages) >= 1


@pytest.mark.parametrize(
    ("part", "sentence"),
    [
        (
            Part(PartKind.COMMENT, 3, Reason.UNSUPPORTED),
            "3 comments were not read: of a kind that can’t be read.",
        ),
        (
            Part(PartKind.PAGE, 4, Reason.NO_TEXT, (2, 5, 6, 7)),
            "Pages 2 and 5–7 were not read: no text, perhaps a scanned picture.",
        ),
        (
            Part(PartKind.CHART, 1, Reason.BROKEN, (2,)),
            "1 chart (page 2) was not read: damaged.",
        ),
        (
            Part(PartKind.TEXT, 1, Reason.BEYOND_LIMIT),
            "The text near the end was not read: beyond a limit of size or time.",
        ),
    ],
)
def test_what_was_not_read_is_said_with_how_many_and_why(part, sentence):
    assert unread_sentence(part) == sentence


@pytest.mark.parametrize("language", ["en", "de", "es", "fr"])
def test_every_kind_and_reason_has_words_in_every_language(language):
    with translation.override(language):
        said = {unread_sentence(Part(kind, 1, reason)) for kind in PartKind for reason in Reason}
    assert len(said) == len(PartKind) * len(Reason)
