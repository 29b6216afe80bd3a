"""Extractive summaries of turns, and of summaries, from their own sentences."""

from collections.abc import Iterable, Sequence

from django.conf import settings

from memory.models import FactKind, Session, Summary, Turn
from memory.models.summaries import EXTRACT
from memory.recall.facts.extraction import extract_facts
from memory.recall.summaries.extracting import Spoken, extract
from memory.recall.summaries.key_topics import find_key_topics, select_part_topics
from memory.recall.summaries.levels import SECTION, Range
from memory.text.citation_markers import strip_markers, strip_places
from memory.text.token_counting import count_tokens

Kind = Summary.Kind
# Most words of each kind, and most sentences of a turn. On BEAM, with 60 words of a turn, .63 of
# the evidence is one step below a window. It is .67 with 36 words and .71 with 24, since more turns
# fit.
TURN_WORDS, TURN_SENTENCES = 30, 3
SEGMENT_WORDS, SECTION_WORDS = 120, 100
# Outcomes answered from the conversation itself, or by a courtesy.
AT_ONCE = (Turn.Outcome.NOTED, Turn.Outcome.SMALL_TALK, Turn.Outcome.ABOUT_CONVERSATION)


def _collect_texts(turns: Iterable[Turn]) -> list[Spoken]:
    """Return the texts of the turns: each question as typed, and its answer's own words.

    Immediate answers add nothing: of these turns only the person's words are returned.
    """
    said = []
    for turn in turns:
        said.append(Spoken(turn.query, is_own=True))
        if turn.outcome not in AT_ONCE:
            said.append(Spoken(strip_places(strip_markers(turn.response))))
    return said


def _sum_tokens(turns: Iterable[Turn]) -> int:
    return sum(turn.query_tokens + turn.recalled_tokens for turn in turns)


def _has_only_wishes(turn: Turn) -> bool:
    """Return whether the turn has only wishes, which are stored elsewhere."""
    noted = turn.outcome == Turn.Outcome.NOTED
    return noted and all(each.kind == FactKind.WISH for each in extract_facts(turn.query))


def summarise_turn(session: Session, turn: Turn) -> Summary:
    """Return the summary of a turn in two or three sentences; a short one unchanged."""
    said = _collect_texts([turn])
    is_short = all(len(part.text.split()) <= TURN_WORDS // 2 for part in said)
    text = extract(said, words=TURN_WORDS, most=1_000 if is_short else TURN_SENTENCES)
    at = Range(turn.position, turn.position)
    row = _make_summary(session, Kind.TURN, at, text, tokens=_sum_tokens([turn]))
    row.turn = turn
    return row


def summarise_segment(session: Session, turns: Sequence[Turn], at: Range) -> Summary:
    """Return the summary of a segment's turns, of all their sentences."""
    told = [turn for turn in turns if not _has_only_wishes(turn)]
    said = _collect_texts(told)
    text = extract(said, words=SEGMENT_WORDS)
    row = _make_summary(session, Kind.SEGMENT, at, text, tokens=_sum_tokens(told))
    row.topics = find_key_topics(said)
    return row


def summarise_parts(session: Session, kind: str, parts: Sequence[Summary], at: Range) -> Summary:
    """Return the summary of the parts of a section, of the whole conversation, or of a rolling one.

    The parts are segments, sections and segments, or the previous summary with those of later
    turns.
    """
    if kind != Kind.ROLLING:
        return _summarise_summaries(session, kind, parts, at)
    row = _summarise_summaries(session, kind, parts[:SECTION], at)
    for first in range(SECTION, len(parts), SECTION):
        row = _summarise_summaries(session, kind, [row, *parts[first : first + SECTION]], at)
    return row


def _summarise_summaries(
    session: Session, kind: str, parts: Sequence[Summary], at: Range
) -> Summary:
    words = SECTION_WORDS if kind == Kind.SECTION else settings.SUMMARY_LENGTH
    said = [Spoken(part.text, is_extract=True, is_written=part.is_edited) for part in parts]
    tokens = sum(part.tokens_before for part in parts)
    row = _make_summary(session, kind, at, extract(said, words=words), tokens=tokens)
    # Summaries of single turns have none.
    named = [part.topics for part in parts if part.topics]
    row.topics = select_part_topics(named) if named else find_key_topics(said)
    return row


def _make_summary(session: Session, kind: str, at: Range, text: str, *, tokens: int) -> Summary:
    return Summary(
        session=session,
        owner_id=session.owner_id,
        kind=kind,
        first_position=at.first,
        last_position=at.last,
        model=EXTRACT,
        text=text,
        tokens_before=tokens,
        tokens_after=count_tokens(text),
    )
