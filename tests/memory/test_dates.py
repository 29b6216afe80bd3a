"""Relative dates in questions become dates."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from memory.models import User
from memory.people.display import get_local_day
from memory.recall.rewriting import Exchange, Rewrite
from memory.recall.rewriting.dates import resolve_dates

pytestmark = pytest.mark.once

SUNDAY = date(2026, 11, 22)
DECIDED = Exchange("What was decided on 14 March 2025?", "It was put off to April 2, 2025 [1].", 1)


def resolved(query: str, *exchanges: Exchange, today: date = SUNDAY) -> str:
    return resolve_dates(Rewrite(query, "stands_alone"), exchanges, today).query


@pytest.mark.parametrize(
    ("query", "dated"),
    [
        ("What came last month?", "What came last month (October 2026)?"),
        ("And next year?", "And next year (2027)?"),
        ("Since last quarter", "Since last quarter (Q3 2026)"),
        ("What came yesterday?", "What came yesterday (21 November 2026)?"),
        ("Was it last Friday?", "Was it last Friday (20 November 2026)?"),
        ("Is it next Sunday?", "Is it next Sunday (29 November 2026)?"),
        ("Three weeks ago?", "Three weeks ago (26 October 2026 to 1 November 2026)?"),
        ("¿Y el mes pasado?", "¿Y el mes pasado (octubre de 2026)?"),
        ("¿Qué pasó hace tres días?", "¿Qué pasó hace tres días (19 de noviembre de 2026)?"),
    ],
)
def test_what_hangs_on_the_day_of_the_question_is_counted_from_it(query: str, dated: str) -> None:
    assert resolved(query) == dated


@pytest.mark.parametrize(
    ("query", "dated"),
    [
        ("And the day before?", "And the day before (13 March 2025)?"),
        ("And the following month?", "And the following month (April 2025)?"),
        ("What else came that year?", "What else came that year (2025)?"),
        (
            "What else came that year (about letters)?",
            "What else came that year (2025) (about letters)?",
        ),
        ("¿Y el año anterior?", "¿Y el año anterior (2024)?"),
        ("On 1 May 2024 and the day after?", "On 1 May 2024 and the day after (2 May 2024)?"),
    ],
)
def test_what_hangs_on_a_date_is_counted_from_the_one_named_last(query: str, dated: str) -> None:
    assert resolved(query, DECIDED) == dated


def test_the_question_names_a_date_before_its_answer_does() -> None:
    answered = Exchange("When was it?", "On 2 April 2025 [1], and again on 9 May 2025 [2].", 2)
    assert resolved("And the day before?", DECIDED, answered).endswith("(1 April 2025)?")


@pytest.mark.parametrize(
    "query",
    [
        "What happens the day before the Distribution Date?",
        "the last week of training",
        "por la mañana",
        "And the day before?",  # no date was named
        "next year's budget",
        "9999 years ago",
    ],
)
def test_other_words_stay_as_they_are(query: str) -> None:
    assert resolved(query) == query


def test_a_month_has_no_day_before_it() -> None:
    assert resolved("And the day before?", Exchange("What came in May 2024?", "", 1)) == (
        "And the day before?"
    )


def test_the_end_of_a_month_stays_within_the_month() -> None:
    assert resolved("What came last month?", today=date(2026, 3, 31)).endswith("(February 2026)?")


def test_the_reason_says_that_only_a_date_was_put_in() -> None:
    alone = resolve_dates(Rewrite("Since last month", "first_question"), [], SUNDAY)
    carried = resolve_dates(Rewrite("And last month", "topic_carried", (3,)), [], SUNDAY)
    assert (alone.reason, carried.reason, carried.positions) == (
        "date_resolved",
        "topic_carried",
        (3,),
    )


def test_the_day_is_the_one_where_the_person_is() -> None:
    moment = datetime(2026, 11, 22, 11, 30, tzinfo=ZoneInfo("UTC"))
    assert get_local_day(moment, User(time_zone="Pacific/Kiritimati")) == date(2026, 11, 23)
    assert get_local_day(moment, User(time_zone="Pacific/Honolulu")) == date(2026, 11, 22)
    with timezone.override("Pacific/Kiritimati"):
        assert get_local_day(moment, User()) == date(2026, 11, 23)


@given(st.text(max_size=80), st.dates())
def test_no_text_and_no_day_makes_it_stumble(text: str, today: date) -> None:
    mixed = f"{text} last month, the day before and {text} 40 weeks ago that year"
    found = resolved(mixed, Exchange(text, f"{text} {today}", 1), today=today)
    assert found.startswith(text)
