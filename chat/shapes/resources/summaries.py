"""Summaries of older turns in the API and pages."""

from typing import Annotated, TypedDict

from chat.shapes.resources.vocabulary import Id, Paged, Time, shape
from memory.models import Session, Summary
from memory.models.conversations import shorten_to_title
from memory.recall.summaries.contents import (
    TopicStart,
    is_awaited,
    list_key_topics,
    read_parts,
    read_whole,
)
from memory.recall.titles import make_title


class CoversAnswer(TypedDict):
    """A range of turns by their positions, which are never reused."""

    first_position: int
    last_position: int


class KeyTopicAnswer(TypedDict):
    """A key topic, and its first turns according to the summaries."""

    topic: str
    turn_id: Annotated[Id | None, "Null: of a few turns it is not known which."]
    position: Annotated[int | None, "Of the turn, or of the first of the few."]


class SummaryAnswer(TypedDict):
    session_id: Id
    summary: Annotated[
        str | None, "Null until the conversation is long enough, and while it is being made."
    ]
    key_topics: list[str]
    contents: Annotated[
        list[KeyTopicAnswer], "The key topics in the order in which the conversation comes to them."
    ]
    turn_count: int
    summary_id: Id | None
    covers: Annotated[CoversAnswer | None, "The turns that it says anything of."]
    model: Annotated[
        str | None, "Who wrote it; `extract`: it consists of sentences of the conversation itself."
    ]
    edited: Annotated[bool, "Whether you wrote it."]
    awaited: Annotated[bool, "Whether something of it is about to be made."]


class PartAnswer(TypedDict):
    """A summary of some turns, or of summaries."""

    summary_id: Id
    kind: Annotated[str, Summary.Kind]
    covers: CoversAnswer
    turn_id: Annotated[Id | None, "Of one turn's summary: the turn."]
    text: str
    key_topics: list[str]
    model: Annotated[str, "Who wrote it; `extract`: it consists of the turns' own sentences."]
    prompt_version: Annotated[
        str, "Of the prompt that a model was asked with last; empty: none was, or is to be anew."
    ]
    edited: Annotated[bool, "Whether you wrote it."]
    tokens_before: Annotated[int, "Of the turns that it covers."]
    tokens_after: Annotated[int, "Of its text."]
    created_at: Time


class OneSummaryAnswer(PartAnswer):
    parts: Annotated[
        list[PartAnswer], "What it is made of, in order: summaries of a kind below, or of turns."
    ]


class SummariesAnswer(Paged):
    session_id: Id
    summaries: list[PartAnswer]


class TopicAnswer(TypedDict):
    title: Annotated[str, "The question with which it begins, in at most 60 characters."]
    turn_id: Id
    position: Annotated[int, "Of the turn that it begins with."]
    turns: Annotated[int, "How many turns belong to it, wherever they stand."]


class TopicsAnswer(Paged):
    session_id: Id
    topics: list[TopicAnswer]


def summary_shape(session: Session) -> SummaryAnswer:
    """Return the summary of a conversation, if there is one: three queries."""
    row = read_whole(session)
    return {
        "session_id": str(session.pk),
        "summary": row.text if row else None,
        "key_topics": row.topics if row else [],
        "contents": [
            shape(KeyTopicAnswer, each, topic=each.title)
            for each in (list_key_topics(row) if row else ())
        ],
        "turn_count": session.turn_count,
        "summary_id": str(row.pk) if row else None,
        "covers": covers_shape(row) if row else None,
        "model": row.model if row else None,
        "edited": row.is_edited if row else False,
        "awaited": is_awaited(session),
    }


def covers_shape(row: Summary) -> CoversAnswer:
    """Return the range of turns that a summary covers."""
    return shape(CoversAnswer, row)


def part_shape(row: Summary) -> PartAnswer:
    """Return a summary without its parts."""
    return shape(
        PartAnswer,
        row,
        summary_id=str(row.pk),
        covers=covers_shape(row),
        key_topics=row.topics,
        edited=row.is_edited,
    )


def one_summary_shape(row: Summary) -> OneSummaryAnswer:
    """Return a summary with its parts: one query."""
    return {**part_shape(row), "parts": [part_shape(part) for part in read_parts(row)]}


def topic_shape(topic: TopicStart) -> TopicAnswer:
    """Return a topic of a conversation, named by its first question."""
    return {
        "title": make_title(topic.begins.query) or shorten_to_title(topic.begins.query),
        "turn_id": str(topic.begins.pk),
        "position": topic.begins.position,
        "turns": topic.turns,
    }
