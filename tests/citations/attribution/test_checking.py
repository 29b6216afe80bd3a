"""Checking: whether a passage bears a claim out."""

import pytest
from django.conf import LazySettings

from citations.attribution.checking import Support, check_claims
from citations.attribution.checking.reading import LONGEST_CLAIM, LONGEST_PASSAGE, read_text

SUPPORTED, PARTLY = 0.5, 0.25

DATE = (
    "The Determination Date means the fifteenth day of each month or, if such day is not a Business"
    " Day, the immediately preceding Business Day. The Servicer calculates the amounts on it."
)
SCREENING = (
    "Ovarian cancer screening with CA-125 has not been shown to lower mortality in women at average"
    " risk. Surgery remains the main treatment."
)
HARBOUR = (
    "Founded on 3 March 1962, the harbour of Skagen has 450 berths. The maximum length of a boat is"
    " 18 metres. Dogs may stay on board. The fee rose to 22 percent above that of Frederikshavn."
)
TWO_DATES = (
    "If the Determination Date falls on a day that is not a Business Day, it will be the preceding"
    " Business Day.\n\nIf the Distribution Date falls on a day that is not a Business Day, it will"
    " be the next Business Day, without additional interest."
)
TRUE = [
    (DATE, "If the fifteenth day is not a Business Day, it will be the preceding Business Day."),
    (DATE, "The Determination Date is the fifteenth day of each month."),
    (DATE, "The Determination Date is the 15th day of each month."),
    (DATE, "The Servicer calculates the amounts on the Determination Date."),
    (DATE, "On the Determination Date the amounts are computed by the Servicer."),
    (SCREENING, "CA-125 screening has not been shown to lower mortality."),
    (HARBOUR, "The harbour of Skagen has 450 berths."),
    (HARBOUR, "The harbour of Skagen was founded on 1962-03-03."),
    (HARBOUR, "The maximum length of a boat is eighteen meters."),
    (TWO_DATES, "If the Distribution Date is no Business Day, it will be the next Business Day."),
]
FALSE = [
    (
        TWO_DATES,
        "The Determination Date is the fifteenth day of each month or, if that is not a Business"
        " Day, the immediately **next** Business Day.",
    ),
    (DATE, "If the fifteenth day is not a Business Day, it will be the next Business Day."),
    (
        DATE,
        "If the fifteenth day is not a Business Day, it will not be the preceding Business Day.",
    ),
    (DATE, "The Trustee calculates the amounts on the Determination Date."),
    (DATE, "The Trustee calculates the amounts."),
    (DATE, "The Determination Date is the sixteenth day of each month."),
    (DATE, "The Determination Date is the 16th day of each month."),
    (SCREENING, "CA-125 screening has been shown to lower mortality."),
    (SCREENING, "CA-125 screening has not been shown to raise mortality."),
    (HARBOUR, "The harbour of Skagen has 540 berths."),
    (HARBOUR, "The harbour of Skagen was founded on 1972-03-03."),
    (HARBOUR, "The minimum length of a boat is 18 metres."),
    (HARBOUR, "The harbour of Skagen has not 450 berths."),
]


def score(passage: str, claim: str) -> float:
    return check_claims([claim], [passage])[0][0].score


@pytest.mark.parametrize(("passage", "claim"), TRUE)
def test_what_the_passage_says_is_supported(passage: str, claim: str) -> None:
    assert score(passage, claim) >= SUPPORTED


@pytest.mark.parametrize(("passage", "claim"), FALSE)
def test_a_small_change_makes_a_claim_unsupported(passage: str, claim: str) -> None:
    assert score(passage, claim) < SUPPORTED


@pytest.mark.parametrize(("passage", "claim"), TRUE)
def test_a_true_claim_is_not_supported_by_a_passage_about_something_else(
    passage: str, claim: str
) -> None:
    others = [other for other in (SCREENING, HARBOUR) if other != passage]
    assert all(found.score < PARTLY for found in check_claims([claim], others)[0])


def test_a_quotation_is_certain_and_found_where_it_stands() -> None:
    found = check_claims(["the servicer calculates the AMOUNTS on it"], [DATE])[0][0]
    assert found.score == 1.0
    assert DATE[found.start : found.end] == "The Servicer calculates the amounts on it"


def test_the_span_is_the_sentence_that_says_it() -> None:
    found = check_claims(["A boat is at most 18 metres long."], [HARBOUR])[0][0]
    assert HARBOUR[found.start : found.end] == "The maximum length of a boat is 18 metres."


def test_a_translation_is_supported_and_a_changed_number_is_not() -> None:
    claim = "La Fecha de Determinación es el día quince de cada mes."
    assert score(DATE, claim) >= SUPPORTED
    assert score(DATE, claim.replace("quince", "doce")) < SUPPORTED
    assert score(SCREENING, claim) < PARTLY


def test_without_vectors_a_translation_is_not_supported_and_small_changes_are_told(
    settings: LazySettings,
) -> None:
    settings.EMBEDDING = "none"
    assert score(DATE, "El Servicer calcula los importes en esa fecha.") < SUPPORTED
    assert score(DATE, TRUE[0][1]) >= SUPPORTED
    assert all(score(passage, claim) < SUPPORTED for passage, claim in FALSE)


@pytest.mark.parametrize("empty", ["", "  \n", "…", "—!?"])
def test_nothing_supports_nothing(empty: str) -> None:
    assert check_claims([empty], [DATE])[0][0].score == 0
    assert check_claims(["The Servicer calculates."], [empty])[0][0] == Support(0.0, 0, 0)
    assert check_claims([], [DATE]) == []
    assert check_claims(["A claim."], []) == [[]]


def test_each_claim_is_compared_with_each_passage() -> None:
    found = check_claims([TRUE[0][1], TRUE[6][1], TRUE[5][1]], [DATE, HARBOUR])
    assert [[pair.score >= SUPPORTED for pair in row] for row in found] == [
        [True, False],
        [False, True],
        [False, False],
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("two million", "2,000,000"),
        ("the fifteenth", "the 15th"),
        ("15 percent", "15%"),
        ("3 March 2020", "2020-03-03"),
        ("3 marzo", "3 March"),
        ("$5m", "$5 million"),
        ("1.000.000", "1,000,000"),
        ("10 km", "ten kilometres"),
    ],
)
def test_numbers_dates_and_units_are_the_same_however_they_are_written(
    one: str, other: str
) -> None:
    assert [token.key for token in read_text(one).tokens] == [
        token.key for token in read_text(other).tokens
    ]


def test_different_numbers_stay_different_and_no_date_is_made_of_others() -> None:
    assert read_text("15").tokens[0].key != read_text("1.5").tokens[0].key
    assert len(read_text("2020-13-45").tokens) == 1


def test_no_more_of_a_text_is_read_than_its_bound() -> None:
    long = read_text("word and other words. " * LONGEST_PASSAGE)
    assert len(long.text) == LONGEST_PASSAGE
    assert len(read_text("word " * LONGEST_CLAIM, LONGEST_CLAIM).text) == LONGEST_CLAIM


def test_hostile_texts_are_judged_all_the_same() -> None:
    hostile = [
        "1 million " * 500,
        "not " * 900,
        "A. " * 900,
        "9" * 3000,
        "日本語" * 900,
        "\u202e" * 50,
    ]
    for row in check_claims(hostile, hostile):
        for found in row:
            assert 0 <= found.score <= 1
            assert found.start <= found.end
