"""Evaluation of memory: stored conversations are searched for each question.

A dialogue of people is one session: a message and its reply are one turn. A person's dialogues with
an assistant are all theirs, a session for each.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import groupby
from uuid import UUID

from chat.evaluation.files import Line
from chat.evaluation.rewriters import Rewriter
from memory.conversations.asking import create_session
from memory.jobs import enqueue, run_due
from memory.models import Consent, Purpose, Session, Turn, User
from memory.personal_data.consent import decide
from memory.recall.earlier.recalling import select_best_messages
from memory.recall.index.kept_messages import select_newest
from memory.recall.index.messages import Side
from memory.recall.index.scoring import score_messages
from memory.text.embedding import Embedded

DEPTH = 100
# Roles that name a side of a turn; other roles are names of people.
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

Pair = dict[Side, Line]
Said = tuple[UUID, int, Side]


@dataclass(frozen=True)
class Remembered:
    """A stored conversation, and the `turn_id` of each of its messages."""

    owner: User
    sessions: Sequence[Session]
    turn_ids: Mapping[Said, str]


def load_conversations(turns: Iterable[Line]) -> Iterator[tuple[str, Remembered]]:
    """Store each conversation; yield its `conv_id` and its stored form."""
    conversations: dict[str, list[Line]] = {}
    for line in turns:
        conversations.setdefault(str(line["conv_id"]), []).append(line)
    for conv_id, lines in conversations.items():
        owner = User.objects.create_user(f"measured-{conv_id}")
        decide(owner, {Purpose.RECALL: True}, source=Consent.Source.PAGE)
        yield conv_id, store_conversation(owner, lines)


def store_conversation(owner: User, lines: Sequence[Line]) -> Remembered:
    """Store and embed a conversation as its owner's sessions."""
    sessions, turn_ids = list[Session](), dict[Said, str]()
    for sitting in split_sessions(list(read_timed(lines))):
        session = create_session(owner)
        rows = []
        for position, (pair, moment) in enumerate(sitting, start=1):
            turn_ids |= {
                (session.pk, position, side): line["turn_id"] for side, line in pair.items()
            }
            rows.append(build_turn(session, position, pair, moment))
        Turn.objects.bulk_create(rows, batch_size=500)
        # Sessions are ordered by their last turns.
        Session.objects.filter(pk=session.pk).update(last_activity=rows[-1].asked_at)
        enqueue("embed_session", session.pk)
        sessions.append(session)
    while run_due():
        pass
    return Remembered(owner, sessions, turn_ids)


def build_turn(session: Session, position: int, pair: Pair, moment: datetime) -> Turn:
    texts = {side: format_turn(line) for side, line in pair.items()}
    return Turn(
        session=session,
        owner=session.owner,
        position=position,
        status=Turn.Status.COMPLETE,
        query=texts.get(Side.QUESTION, ""),
        query_tokens=0,
        response=texts.get(Side.ANSWER, ""),
        asked_at=moment,
    )


def split_sessions(turns: list[tuple[Pair, datetime]]) -> list[list[tuple[Pair, datetime]]]:
    """Return the turns by session; a dialogue of people is one session."""
    lines = [line for pair, _ in turns for line in pair.values()]
    if any(line["role"] not in ROLES for line in lines):
        return [turns]
    by_session = groupby(turns, key=lambda turn: next(iter(turn[0].values())).get("session_id"))
    return [list(found) for _, found in by_session]


def read_timed(lines: Sequence[Line]) -> Iterator[tuple[Pair, datetime]]:
    """Yield the turns with their times; undated sessions are a day apart."""
    moment = NO_DATE
    for _, sitting in groupby(lines, key=lambda line: line.get("session_id")):
        moment += timedelta(days=1)
        for pair in pair_lines(list(sitting)):
            first = next(iter(pair.values()))
            moment = date_of_turn(first) or moment
            yield pair, moment


def pair_lines(lines: Sequence[Line]) -> Iterator[Pair]:
    """Yield messages in pairs: one, and the reply to it if there is one."""
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


def format_turn(line: Line) -> str:
    """Return the message with the name of its speaker."""
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
    queries: Iterable[Line], conversations: Mapping[str, Remembered], rewriter: Rewriter
) -> Iterator[Line]:
    """Yield the ranking of the messages for each question, and recall's confidence in it."""
    for line in queries:
        conversation = conversations[str(line["conv_id"])]
        asked = Embedded(rewriter({"history": [], "rewrite": ""} | line).query)
        names = {name: line[name] for name in ("dataset", "qid")}
        yield names | rank_lines(conversation, asked)


def rank_lines(conversation: Remembered, asked: Embedded) -> Line:
    """Rank all messages of one session, or the recalled turns of several."""
    ids, owner = conversation.turn_ids, conversation.owner
    found = score_messages(select_newest(Session.objects.visible(owner)), asked, owner=owner.pk)
    best = list(select_best_messages(found, DEPTH))
    if len(conversation.sessions) > 1:
        turns: dict[tuple[UUID, int], Said] = {}
        for each in best:  # a turn is two messages
            turns.setdefault(each[:2], each)
        best = list(turns.values())
    return {"ranked": [ids[each] for each in best], "confidence": found.confidence}
