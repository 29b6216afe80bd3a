"""Facts about the asking person, and material of their other sessions for a question.

Neither is evidence: only documents are cited. Both stand in the prompt as data, and are shown
beside the answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from chat.prompting.wording import SHORT_WINDOW, Aside, Told
from citations.session_focus.document_scope import filter_same_documents
from memory.models import Fact, Turn
from memory.models.conversations import AnswerLength, SessionQuerySet
from memory.people.display import get_home_zone, get_local_day
from memory.recall import CUT, Past, Recalled
from memory.recall.earlier.calling import asks_what_was_said, find_asked_span
from memory.recall.earlier.recalling import NOT_LOOKED_FOR, Recollection, find_earlier
from memory.recall.earlier.recounting import find_questions_elsewhere, recount_questions
from memory.recall.facts.extraction import extract_facts
from memory.recall.facts.known import NOTHING_KNOWN, KnownFacts
from memory.recall.facts.wishes import phrase_wish
from memory.recall.rewriting import rewrite_with_turn
from memory.recall.rewriting.exchanges import EARLIER_SESSION, Exchange, Rewrite
from memory.recall.rewriting.pointing import strip_reference
from memory.recall.rewriting.questions import ReadQuestion
from memory.recall.talk.conversation import find_asked_subject
from memory.text.citation_markers import strip_markers
from memory.text.embedding import Embedded
from memory.text.token_counting import shorten

# Most tokens of a question or an answer of another session in a prompt.
LONGEST_TURN = 250
# Wishes that quotations can meet, which are neither translated nor reworded.
MET_BY_QUOTING = frozenset({("format", "bullets"), ("length", "short"), ("length", "long")})
LENGTHS = {"short": AnswerLength.BRIEF, "long": AnswerLength.THOROUGH}


@dataclass(frozen=True)
class Personal:
    """Personal material for one question; empty for a question that is not stored."""

    turn: Turn | None = None
    known: KnownFacts = NOTHING_KNOWN
    earlier: Recollection = NOT_LOOKED_FOR
    bearing: Sequence[Fact] = ()

    @property
    def wishes(self) -> list[str]:
        """The person's wishes about answers, worded for a language model."""
        return [phrase_wish(row.text) for row in self.known.wishes]

    @property
    def language(self) -> str:
        """The wished language of answers; empty for the question's."""
        return self.known.wished("language")

    @property
    def has_bullets(self) -> bool:
        return self.known.wished("format") == "bullets"

    @property
    def is_brief(self) -> bool:
        return self.known.wished("length") == "short"

    def length(self, asked_for: str) -> str:
        """Return the length of the answer: the requested one, or else the wished one."""
        wished = LENGTHS.get(self.known.wished("length"))
        return wished or asked_for if asked_for == AnswerLength.NORMAL else asked_for

    def aside(self, window: int) -> Aside:
        """Return the facts and earlier turns for the prompt; a small window has none."""
        if window < SHORT_WINDOW or self.turn is None:
            return Aside()
        facts = [Told(row.text, self.day(row.valid_from)) for row in self.bearing]
        turns = [
            Told(
                shorten(each.turn.query, LONGEST_TURN, marker=CUT),
                self.day(each.turn.asked_at),
                shorten(strip_markers(each.turn.response), LONGEST_TURN, marker=CUT),
            )
            for each in self.earlier.turns
        ]
        return Aside(tuple(facts), tuple(turns))

    def day(self, moment: datetime) -> date:
        """Return the day of the moment in the person's time zone."""
        return get_local_day(moment, self.turn.owner) if self.turn else moment.date()

    def time(self, moment: datetime) -> datetime:
        """Return the moment in the person's time zone."""
        return moment.astimezone(get_home_zone(self.turn.owner)) if self.turn else moment


NOBODY = Personal()


def is_met_by_quoting(wish: Fact) -> bool:
    """Return whether quotations can meet the wish."""
    return any((each.subject, each.value) in MET_BY_QUOTING for each in extract_facts(wish.text))


def add_earlier(personal: Personal, recalled: Recalled) -> Personal:
    """Return the material with the facts and other sessions relevant to the question."""
    turn = personal.turn
    if turn is None:
        return personal
    session, typed = turn.session, recalled.typed.text
    personal = replace(personal, bearing=personal.known.bearing_on(recalled.typed))
    today = personal.day(turn.asked_at)

    def same_documents(rows: SessionQuerySet) -> SessionQuerySet:
        return filter_same_documents(rows, session)

    when = find_asked_span(typed, today, is_first=turn.position == 1)
    if when is not None:
        return replace(personal, earlier=recount_questions(session, when, same_documents))
    if subject := find_asked_subject(typed):
        return replace(personal, earlier=find_questions_elsewhere(session, subject, same_documents))
    asked = (
        recalled.typed if asks_what_was_said(typed) or strip_reference(typed) else recalled.asked
    )
    return replace(personal, earlier=find_earlier(session, asked, same_documents))


def resolve_elsewhere(recalled: Recalled, personal: Personal, past: Past) -> Recalled:
    """Return the recall, rewritten with another session's turn if the question refers to it.

    An equally relevant turn of this session takes precedence.
    """
    rest, turns = strip_reference(recalled.question.text), personal.earlier.turns
    if not (rest and turns and personal.earlier.is_called):
        return recalled
    if max(past.scores(recalled.typed).values(), default=0.0) >= turns[0].score:
        return recalled
    # Prefer a turn that does not itself refer to another.
    turn = min((each.turn for each in turns), key=lambda turn: bool(strip_reference(turn.query)))
    said = Exchange(
        turn.query, strip_markers(turn.response), standalone=turn.standalone_query or ""
    )
    found = rewrite_with_turn(ReadQuestion(rest), said)
    if found.query == rest:
        return recalled
    resolved = Rewrite(found.query, EARLIER_SESSION, confidence=found.confidence)
    return replace(recalled, rewrite=resolved, asked=Embedded(found.query))
