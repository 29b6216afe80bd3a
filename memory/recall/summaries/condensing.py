"""Turns, and summaries of turns, become a summary: without a model, of their own sentences."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings

from memory.models import FactKind, Session, Summary, Turn
from memory.models.summaries import EXTRACT
from memory.recall.facts.extraction import learned
from memory.recall.summaries.extracting import Spoken, extract
from memory.recall.summaries.key_topics import key_topics, topics_of_parts
from memory.recall.summaries.levels import SECTION, Range
from memory.text.citation_markers import without_markers, without_places
from memory.text.token_counting import count_tokens

Kind = Summary.Kind
# How many words each kind has at most; of a turn so many sentences besides.
# On BEAM .63 of the evidence is one step below a window with 60 words of a turn, .67 with 36, .71
# with 24, since more turns fit in.
TURN_WORDS, TURN_SENTENCES = 30, 3
SEGMENT_WORDS, SECTION_WORDS = 120, 100
# Answered from the conversation itself, or by a few words of courtesy.
AT_ONCE = (Turn.Outcome.NOTED, Turn.Outcome.SMALL_TALK, Turn.Outcome.ABOUT_CONVERSATION)


@dataclass(frozen=True)
class Condensable:
    """What a summary is made of: texts, and how many tokens their turns have."""

    said: Sequence[Spoken]
    tokens: int


def said_in_turns(turns: Sequence[Turn]) -> Condensable:
    """Return what the turns say: each question as it was typed, and its answer's own words.

    What is answered at once says nothing but what was said: no more than the person's words.
    """
    said = []
    for turn in turns:
        said.append(Spoken(turn.query, is_own=True))
        if turn.outcome not in AT_ONCE:
            said.append(Spoken(without_places(without_markers(turn.response))))
    return Condensable(said, sum(turn.query_tokens + turn.recalled_tokens for turn in turns))


def _only_wishes(turn: Turn) -> bool:
    """Tell whether the turn says nothing but how answers are to be, which is kept elsewhere."""
    noted = turn.outcome == Turn.Outcome.NOTED
    return noted and all(each.kind == FactKind.WISH for each in learned(turn.query))


def said_in_summaries(summaries: Sequence[Summary]) -> Condensable:
    """Return what the summaries say."""
    said = [Spoken(row.text, is_extract=True, is_written=row.is_edited) for row in summaries]
    return Condensable(said, sum(row.tokens_before for row in summaries))


def summary_of_turn(session: Session, turn: Turn) -> Summary:
    """Return what a turn says in two or three sentences; all of it, if it is that short."""
    what = said_in_turns([turn])
    short = [part for part in what.said if len(part.text.split()) <= TURN_WORDS // 2]
    most = 1_000 if len(short) == len(what.said) else TURN_SENTENCES
    row = _row(session, Kind.TURN, Range(turn.position, turn.position), what.tokens)
    row.turn = turn
    return _filled(row, extract(what.said, words=TURN_WORDS, most=most))


def summary_of_segment(session: Session, turns: Sequence[Turn], at: Range) -> Summary:
    """Return what the turns of a segment say, of all their sentences."""
    what = said_in_turns([turn for turn in turns if not _only_wishes(turn)])
    row = _row(session, Kind.SEGMENT, at, what.tokens)
    row.topics = key_topics(what.said)
    return _filled(row, extract(what.said, words=SEGMENT_WORDS))


def summary_of_parts(session: Session, kind: str, parts: Sequence[Summary], at: Range) -> Summary:
    """Return what the parts say together: segments of a section, sections and segments of the
    whole conversation, or the rolling summary so far and those of the turns after it.
    """
    if kind != Kind.ROLLING:
        return _of_summaries(session, kind, parts, at)
    row = _of_summaries(session, kind, parts[:SECTION], at)
    for first in range(SECTION, len(parts), SECTION):
        row = _of_summaries(session, kind, [row, *parts[first : first + SECTION]], at)
    return row


def _of_summaries(session: Session, kind: str, parts: Sequence[Summary], at: Range) -> Summary:
    words = SECTION_WORDS if kind == Kind.SECTION else settings.SUMMARY_LENGTH
    what = said_in_summaries(parts)
    row = _row(session, kind, at, what.tokens)
    # Summaries of single turns have none.
    named = [part.topics for part in parts if part.topics]
    row.topics = topics_of_parts(named) if named else key_topics(what.said)
    return _filled(row, extract(what.said, words=words))


def _row(session: Session, kind: str, at: Range, tokens: int) -> Summary:
    return Summary(
        session=session,
        owner_id=session.owner_id,
        kind=kind,
        first_position=at.first,
        last_position=at.last,
        model=EXTRACT,
        tokens_before=tokens,
    )


def _filled(row: Summary, text: str) -> Summary:
    row.text, row.tokens_after = text, count_tokens(text)
    return row
