"""Memory: conversations become sessions, and all that was said is ranked for each question.

A message and the reply to it are one turn, as in a chat with a person in the place of the
assistant. A speaker's name goes before what is said, as in a transcript; the caption of a picture
is part of what was said, and the date of a sitting is the time of its turns. What relevance needs
is made by the product's own job, and relevance is the one that a turn uses.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import groupby

import numpy as np
from django.core.management.base import CommandError

from chat.evaluation.files import Line
from chat.evaluation.rewriters import Rewriter
from memory.conversations.asking import create_session
from memory.jobs import run_due
from memory.models import Session, Turn, User
from memory.recall.index.indexing import embed_missing
from memory.recall.index.messages import Side
from memory.recall.index.scoring import scored
from memory.text.embedding import Embedded

DEPTH = 100
# Roles that are sides of a turn, not names of people.
ROLES = {"user": Side.QUESTION, "assistant": Side.ANSWER}
DATES = (
    "%I:%M %p on %d %B, %Y",
    "%d.%m.%Y, %H:%M:%S",
    "%Y-%m-%dT%H:%M:%S",
    "%Y-%m-%d %H:%M:%S",
    "%Y-%m-%d",
    "%B-%d-%Y",
    "%B %d, %Y",
)
NO_DATE = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class RememberedSession:
    """A session, and the `turn_id` of each of its messages by number."""

    session: Session
    turn_ids: Mapping[int, str]


def load_conversations(turns: Iterable[Line]) -> Iterator[tuple[str, RememberedSession]]:
    """Store each conversation as a session; yield it under its `conv_id`."""
    owner = User.objects.create_user("measured")
    conversations: dict[str, list[Line]] = {}
    for line in turns:
        conversations.setdefault(str(line["conv_id"]), []).append(line)
    for conv_id, lines in conversations.items():
        yield conv_id, stored_turn(owner, lines)


def stored_turn(owner: User, lines: Sequence[Line]) -> RememberedSession:
    session = create_session(owner)
    rows, turn_ids = [], dict[int, str]()
    for position, (pair, moment) in enumerate(timed(lines), start=1):
        texts = {side: text_of_turn(line) for side, line in pair.items()}
        turn_ids |= {2 * position + side: line["turn_id"] for side, line in pair.items()}
        rows.append(
            Turn(
                session=session,
                owner=owner,
                position=position,
                status=Turn.Status.COMPLETE,
                query=texts.get(Side.QUESTION, ""),
                query_tokens=0,
                response=texts.get(Side.ANSWER, ""),
                asked_at=moment,
            )
        )
    Turn.objects.bulk_create(rows, batch_size=500)
    embed_missing()
    run_due()
    if embed_missing():
        raise CommandError("The embedding engine failed.")
    return RememberedSession(session, turn_ids)


Pair = dict[Side, Line]


def timed(lines: Sequence[Line]) -> Iterator[tuple[Pair, datetime]]:
    """Yield the turns with their times; sittings without a date are a day apart."""
    moment = NO_DATE
    for _, sitting in groupby(lines, key=lambda line: line.get("session_id")):
        moment += timedelta(days=1)
        for pair in pairs(list(sitting)):
            first = next(iter(pair.values()))
            moment = date_of_turn(first) or moment
            yield pair, moment


def pairs(lines: Sequence[Line]) -> Iterator[Pair]:
    """Yield messages two by two: one, and the reply to it if there is one."""
    pair: Pair = {}
    speaker = ""
    for line in lines:
        side = ROLES.get(line["role"], Side.ANSWER if pair else Side.QUESTION)
        if pair and (side == Side.QUESTION or Side.ANSWER in pair or line["role"] == speaker):
            yield pair
            pair = {}
            side = ROLES.get(line["role"], Side.QUESTION)
        pair[side], speaker = line, line["role"]
    if pair:
        yield pair


def text_of_turn(line: Line) -> str:
    """Return what was said, with the name of who said it."""
    said = "\n".join(part for part in (line["content"], line.get("caption")) if part)
    return said if line["role"] in ROLES else f"{line['role']}: {said}"


def date_of_turn(line: Line) -> datetime | None:
    for form in DATES:
        try:
            return datetime.strptime(str(line.get("date")), form).replace(tzinfo=UTC)
        except ValueError:
            continue
    return None


def rank_messages(
    queries: Iterable[Line], conversations: Mapping[str, RememberedSession], rewriter: Rewriter
) -> Iterator[Line]:
    """Yield the ranking of the messages for each question."""
    for line in queries:
        conversation = conversations[str(line["conv_id"])]
        query = rewriter({"history": [], "rewrite": ""} | line).query
        found, scores = scored([conversation.session.pk], Embedded(query))
        best = np.argsort(-scores, kind="stable")[:DEPTH]
        ranked = [conversation.turn_ids[number] for number in found.messages.numbers[best].tolist()]
        yield {"dataset": line["dataset"], "qid": line["qid"], "ranked": ranked}
