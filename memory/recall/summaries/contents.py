"""Reading of summaries: that of the whole conversation, the parts of each, and the topics."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, F, Q, QuerySet

from memory.models import Job, Session, Summary, Turn
from memory.recall.summaries.levels import SECTION
from memory.recall.summaries.making import CONDENSE, MOST_SECTIONS

Kind = Summary.Kind
# The kinds of summaries that each kind is made of; other kinds are made of turns.
BELOW = {Kind.SESSION: (Kind.SECTION, Kind.SEGMENT), Kind.SECTION: (Kind.SEGMENT,)}
# The fields that show in which turns a topic occurs.
OPENED = ("owner_id", "turn_id", "first_position", "text", "topics")


@dataclass(frozen=True)
class TopicStart:
    """A stretch of turns on one topic, and its first turn."""

    begins: Turn
    turns: int


@dataclass(frozen=True)
class KeyTopic:
    """A main topic of a conversation, and the first turn, or range of turns, with it."""

    title: str
    turn_id: UUID | None = None
    position: int | None = None


def read_whole(session: Session) -> Summary | None:
    """Return the summary of the whole conversation, as far as it has been made."""
    whole = session.summaries.filter(kind__in=[Kind.SESSION, Kind.ROLLING])
    return whole.order_by("-last_position").first()


def list_key_topics(whole: Summary) -> list[KeyTopic]:
    """Return the key topics in the order of their first occurrence: one query."""
    rows = Summary.objects.filter(
        session=whole.session_id,
        kind__in=[Kind.TURN, Kind.SEGMENT],  # a segment's may mention a topic that its turns' omit
        last_position__lte=whole.last_position,
    )
    missing = {topic: topic.casefold() for topic in whole.topics}
    found = []
    # Rows after that of the last topic are not decrypted.
    for row in rows.order_by("last_position", "-kind").only(*OPENED):
        if not missing:
            break
        text = "\n".join([row.text, *row.topics]).casefold()
        for topic in [topic for topic, words in missing.items() if words in text]:
            found.append(KeyTopic(topic, row.turn_id, row.first_position))
            del missing[topic]
    found.sort(key=lambda topic: topic.position or 0)
    return [*found, *map(KeyTopic, missing)]


def is_awaited(session: Session) -> bool:
    """Return whether summaries of the conversation are due."""
    waits = [Job.Status.WAITING, Job.Status.RUNNING]
    return Job.objects.filter(subject=session.pk, kind=CONDENSE, status__in=waits).exists()


def read_parts(summary: Summary) -> list[Summary]:
    """Return the summaries that this one was made of; for a segment, those of its turns."""
    below = BELOW.get(Kind(summary.kind), (Kind.TURN,))
    if summary.kind == Kind.TURN:
        return []
    rows = Summary.objects.filter(
        session=Session(pk=summary.session_id, owner_id=summary.owner_id),
        kind__in=below,
        first_position__gte=summary.first_position,
        last_position__lte=summary.last_position,
    )
    newest = list(rows.order_by("-first_position", "-last_position")[:MOST_SECTIONS])[::-1]
    sections = [row.first_position for row in newest if row.kind == Kind.SECTION]
    covered = {at for first in sections for at in range(first, first + SECTION)}
    # Without segments that a section beside them covers.
    return [row for row in newest if row.kind != Kind.SEGMENT or row.first_position not in covered]


def list_topic_turns(session: Session) -> QuerySet[Turn]:
    """Return the first turns of topics, in order."""
    begins = Q(new_topic=True) | Q(topic=F("position"))
    return session.turns.remembered().filter(begins).order_by("position")


def count_topic_turns(session: Session, begins: Sequence[Turn]) -> list[TopicStart]:
    """Return the topics with these first turns, and the number of turns of each: one query."""
    positions = [turn.position for turn in begins]
    rows = session.turns.remembered().filter(topic__in=positions)
    counts = dict(rows.values_list("topic").annotate(turns=Count("pk")))
    return [TopicStart(turn, max(counts.get(turn.position, 0), 1)) for turn in begins]
