"""Recurring topics of a person: topics of their questions in several sessions, on several days.

They are derived on request, from sessions that may be recalled and under current consent. Nothing
is stored, so nothing has to be deleted with the questions, and nothing is learned from it.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.utils import timezone

from memory.models import Purpose, Session, Turn, User
from memory.personal_data import consent
from memory.recall.summaries.extracting import weigh_stem
from memory.recall.summaries.key_topics import Name, find_topics, select_disjoint_names
from memory.text.words import detect_language

# The newest questions are read, up to a number of characters each.
MOST_QUESTIONS, LONGEST = 500, 500
FEWEST_SESSIONS, FEWEST_DAYS = 3, 2
MOST, MOST_SOURCES, MOST_BESIDE = 12, 5, 3
# Least weight of a topic's words: "time" is in every third session.
LEAST = 3.0


@dataclass(frozen=True)
class ReturnedTo:
    """A topic, and its questions: of each session the latest, the latest session first."""

    name: str
    turns: Sequence[Turn]
    # Number of sessions in all, and of days.
    count: int
    days: int
    # Topics that occurred with it in enough sessions for a topic.
    beside: Sequence[str]


def find_returning_topics(owner: User) -> list[ReturnedTo]:
    """Return the recurring topics of the person, the most significant first: two queries."""
    asked: dict[Name, list[Turn]] = defaultdict(list)
    written: dict[Name, str] = {}
    for turn in _read_questions(owner):
        for name, shown in _find_question_topics(turn.query).items():
            asked[name].append(turn)
            written.setdefault(name, shown)
    again = {
        name: turns
        for name, turns in asked.items()
        if len(_collect_sessions(turns)) >= FEWEST_SESSIONS
        and len(_collect_days(turns)) >= FEWEST_DAYS
    }
    chosen = select_disjoint_names(
        sorted(again, key=lambda name: (-_compute_worth(name, again[name]), name))
    )[:MOST]
    sessions = {name: _collect_sessions(again[name]) for name in chosen}
    return [
        ReturnedTo(
            written[name],
            _select_latest_turns(again[name]),
            len(sessions[name]),
            len(_collect_days(again[name])),
            [written[each] for each in _find_related_topics(name, sessions)],
        )
        for name in chosen
    ]


def _read_questions(owner: User) -> list[Turn]:
    """Return the newest questions of sessions that may be recalled, the latest first."""
    reachable = (
        Session.objects.owned(owner)
        .recallable()
        .filter(consent.build_allowed_filter(Purpose.RECALL))
    )
    rows = Turn.objects.visible(owner).remembered().filter(session__in=reachable.values("pk"))
    rows = rows.select_related("session").order_by("-asked_at", "-id")
    return list(rows.defer("response", "standalone_query", "reasoning")[:MOST_QUESTIONS])


def _find_question_topics(question: str) -> dict[Name, str]:
    """Return the topics of a question; in German only capitalised ones, as nouns are."""
    question = question[:LONGEST]
    is_german = detect_language(question) == "de"
    return {
        name: shown
        for name, shown in find_topics(question).items()
        if sum(map(weigh_stem, name)) >= LEAST
        and (not is_german or all(word[0].isupper() for word in shown.split()))
    }


def _compute_worth(name: Name, turns: Sequence[Turn]) -> float:
    return float(len(_collect_sessions(turns)) ** 0.7 * sum(map(weigh_stem, name)))


def _collect_sessions(turns: Iterable[Turn]) -> frozenset[UUID]:
    return frozenset(turn.session_id for turn in turns)


def _collect_days(turns: Iterable[Turn]) -> frozenset[date]:
    return frozenset(timezone.localtime(turn.asked_at).date() for turn in turns)


def _select_latest_turns(turns: Sequence[Turn]) -> list[Turn]:
    latest: dict[UUID, Turn] = {}
    for turn in turns:
        latest.setdefault(turn.session_id, turn)
    return list(latest.values())[:MOST_SOURCES]


def _find_related_topics(name: Name, sessions: dict[Name, frozenset[UUID]]) -> list[Name]:
    shared = {each: len(sessions[name] & found) for each, found in sessions.items() if each != name}
    often = [each for each, count in shared.items() if count >= FEWEST_SESSIONS]
    return sorted(often, key=lambda each: -shared[each])[:MOST_BESIDE]
