"""Indexing of finished turns for relevance: done by jobs, in sealed blocks; and removal from them.

The question, as rewritten, and the answer have a vector each, and their words are counted. A long
question also has vectors of its first sentences. A speaker's name at the beginning is left out of
the vector, since it would dominate it. A speaker's short message is embedded with the message that
it answers. Words don't wait for an embedding engine that is down.
"""

import time
from collections.abc import Collection, Iterator, Sequence
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet

from memory.holds import is_held
from memory.jobs import AuditClass, Lease, WorkClass, enqueue, job, register_kind
from memory.models import Session, Turn, VectorBlock, WordBlock
from memory.personal_data.recipients import note_recipients
from memory.recall.index.blocks import (
    BlockRow,
    RowsT,
    append,
    drop_turns,
    list_stored_positions,
    select_vector_blocks,
    select_word_blocks,
    unpack_rows,
    write,
)
from memory.recall.index.messages import (
    LONGEST,
    PAUSE,
    VERSION,
    Message,
    Messages,
    Side,
    get_parts_model_name,
    split_parts,
    split_speaker,
)
from memory.text.citation_markers import strip_markers
from memory.text.embedding import Embedder, get_embedder, get_embedding_servers
from memory.text.vectors import BLOCK, Block

EMBED = register_kind("embed_turn", WorkClass.CONVERSATIONS, AuditClass.DERIVED)
EMBED_SESSION = register_kind("embed_session", WorkClass.CONVERSATIONS, AuditClass.DERIVED)
# Seconds after which a long session yields: its job ends, and another one continues.
SLICE = 2.0
# Turns under one lease: their questions and answers fill a block.
BATCH = BLOCK // 8
# Words: between people, a shorter message is embedded with the one before it.
SHORT = 16


def embed_later(turn: Turn) -> None:
    """Enqueue the indexing of the turn, in the caller's transaction."""
    enqueue(EMBED, turn.pk, owner=turn.owner_id)


def embed_missing() -> int:
    """Enqueue the indexing of finished turns without the current engine's vectors; return how many.

    They lack these after a long outage of the engine, or after a change of engine.
    """
    asked = 0
    for session in Session.objects.live().iterator(chunk_size=500):
        missing = _list_unindexed_turns(session)
        if missing:
            _enqueue_session(session, WorkClass.BULK)
        asked += len(missing)
    return asked


def _enqueue_session(session: Session, work_class: WorkClass) -> None:
    enqueue(EMBED_SESSION, session.pk, owner=session.owner_id, work_class=work_class)


def renew_some(limit: int) -> int:
    """Enqueue sessions with vectors of another engine, or with words of an older version.

    At most `limit` sessions; returns how many. Held sessions stay unchanged.
    """
    left = VectorBlock.objects.exclude(model__in=_get_model_names(get_embedder()))
    outdated = Q(pk__in=left.values("session")) | Q(pk__in=find_outdated().values("session"))
    sessions = Session.objects.live().filter(outdated)
    asked = 0
    for session in sessions.order_by("pk").iterator(chunk_size=500):
        if asked == limit:
            break
        if not is_held(session):
            _enqueue_session(session, WorkClass.BULK)
            asked += 1
    return asked


def find_outdated() -> QuerySet[WordBlock]:
    """Return the blocks of words from older versions of the product."""
    return WordBlock.objects.filter(version__lt=VERSION)


@job(EMBED)
def embed_turn(lease: Lease) -> None:
    """Index a finished turn, once."""
    turn = Turn.objects.remembered().filter(**lease.lookup).first()
    if turn is None:
        with lease.finishing():
            return
    with transaction.atomic():
        lease.pulse()
        keep_words([turn])
    embedded = _embed_turns([turn])
    with lease.finishing():
        _keep_vectors(turn, embedded)


@job(EMBED_SESSION)
def embed_session(lease: Lease) -> None:
    """Index those of a session's turns that lack it.

    A long session is indexed in pieces: another job continues after other queued work.
    """
    session = Session.objects.filter(pk=lease.subject).first()
    if session is not None and not is_held(session):
        find_outdated().filter(session=session).delete()
    missing = _list_unindexed_turns(session) if session else []
    end, start = time.monotonic() + SLICE, 0
    while start < len(missing) and (not start or time.monotonic() < end):
        turns = list(Turn.objects.remembered().filter(pk__in=missing[start : start + BATCH]))
        turns.sort(key=lambda turn: turn.position)
        with transaction.atomic():
            lease.pulse(progress=start, total=len(missing))
            keep_words(turns)
        embedded = _embed_turns(turns)
        with transaction.atomic():
            lease.pulse(progress=start, total=len(missing))
            _keep_vectors(turns[0], embedded)
        start += BATCH
    with lease.finishing():
        if session is not None and start < len(missing):
            _enqueue_session(session, WorkClass(lease.work_class))
        elif session is not None and not is_held(session):
            _let_go_of_other_engines(session)


def _let_go_of_other_engines(session: Session) -> None:
    """Delete the vectors of other engines, once all turns have those of the current one."""
    if get_embedder() is not None and not _list_unindexed_turns(session):
        session.vector_blocks.exclude(model__in=_get_model_names(get_embedder())).delete()


def forget(session: Session, positions: Collection[int]) -> None:
    """Remove the index of these turns, and of all later ones; call with the session locked.

    Rewrites of later questions may hold words of these turns, so the later ones are indexed again.
    """
    first = min(positions)
    later = session.turns.filter(position__gt=first).values_list("position", flat=True)
    _take_out(session, {*positions, *later})
    if _list_unindexed_turns(session):
        _enqueue_session(session, WorkClass.CONVERSATIONS)


def make_again(turn: Turn) -> None:
    """Remove the index of a turn whose answer has changed, and enqueue it again.

    Call with the session locked. The next message may have been embedded with it.
    """
    _take_out(turn.session, {turn.position, turn.position + 1})
    embed_later(turn)
    for following in turn.session.turns.remembered().filter(position=turn.position + 1):
        embed_later(following)


def _take_out(session: Session, gone: Collection[int]) -> None:
    blocks: list[BlockRow] = [*session.vector_blocks.all(), *session.word_blocks.all()]
    for row in blocks:
        rows = unpack_rows(row)
        kept = drop_turns(rows, gone)
        if not len(kept):
            row.delete()
        elif len(kept) < len(rows):
            write(row, kept)


def _get_model_names(engine: Embedder | None) -> tuple[str, str]:
    """Return the names under which the engine's vectors are stored: of messages and of parts."""
    model = engine.model if engine else ""
    return model, get_parts_model_name(model)


def _list_unindexed_turns(session: Session) -> list[UUID]:
    """Return the finished turns without words, or without vectors if there is an engine."""
    engine = get_embedder()
    worded, embedded = list_stored_positions(session, model=_get_model_names(engine)[0])
    done = worded & embedded if engine else worded
    turns = session.turns.remembered().order_by("position").values_list("pk", "position")
    return [pk for pk, position in turns.iterator(chunk_size=500) if position not in done]


def _extract_messages(turns: Sequence[Turn]) -> Iterator[Message]:
    for turn in turns:
        sides = (turn.standalone_query or turn.query, strip_markers(turn.response))
        for side, text in zip(Side, sides, strict=True):
            if text.strip():
                yield Message(turn.position, side, text, turn.asked_at)


def _embed_turns(turns: Sequence[Turn]) -> list[tuple[Block, str]]:
    """Return the vectors of the turns' messages and of their parts, each with its model's name."""
    engine, messages = get_embedder(), list(_extract_messages(turns))
    if engine is None or not messages:
        return []
    note_recipients(turns[0].owner_id, get_embedding_servers())
    vectors = engine.embed(list(map(_join_text, [_read_previous(turns), *messages], messages)))
    found = [
        (Block.quantise([[each.position, each.side] for each in messages], vectors), engine.model)
    ]
    parts = list(_split_messages(messages))
    if parts:
        vectors = engine.embed([text for _, _, text in parts])
        block = Block.quantise([[position, part] for position, part, _ in parts], vectors)
        found.append((block, get_parts_model_name(engine.model)))
    return found


def _read_previous(turns: Sequence[Turn]) -> Message | None:
    """Return the message before the turns'; it is read only if it may count."""
    first = next(_extract_messages(turns[:1]), None)
    if first is None or not _is_short(*split_speaker(first.text)):
        return None
    rows = Turn.objects.remembered().filter(
        session=turns[0].session_id, owner=turns[0].owner_id, position=first.position - 1
    )
    said = list(_extract_messages(list(rows)))
    return said[-1] if said else None


def _join_text(before: Message | None, message: Message) -> str:
    """Return the text to embed: between people, a short message with the one before it.

    A pause begins another sitting, whose first message is embedded alone.
    """
    name, said = split_speaker(message.text)
    if before is None or not _is_short(name, said):
        return said
    other, answered = split_speaker(before.text[:LONGEST])
    pause = abs((message.moment - before.moment).total_seconds())
    is_of_it = other and pause <= PAUSE and message.position - before.position <= 1
    return f"{answered} {said}" if is_of_it else said


def _is_short(name: str, said: str) -> bool:
    return bool(name) and len(said.split(maxsplit=SHORT)) <= SHORT


def _split_messages(messages: Sequence[Message]) -> Iterator[tuple[int, int, str]]:
    """Yield the position, the number and the text of each part of the person's messages."""
    for message in messages:
        name, said = split_speaker(message.text)
        if message.side == Side.QUESTION and not name:
            for number, text in enumerate(split_parts(said)):
                yield message.position, number, text


def keep_words(turns: Sequence[Turn]) -> None:
    """Keep the words of some of a session's turns."""
    session = _lock_session(turns[0])
    if session is None:
        return
    words = Messages.build(list(_extract_messages(turns)))
    fresh = WordBlock(session=session, owner_id=session.owner_id, version=VERSION)
    append(select_word_blocks(session), _drop_withdrawn_rows(session, words), fresh)


def _keep_vectors(turn: Turn, embedded: Sequence[tuple[Block, str]]) -> None:
    session = _lock_session(turn)
    if session is None:
        return
    for vectors, model in embedded:
        size = vectors.vectors.shape[1]
        fresh = VectorBlock(
            session=session, owner_id=session.owner_id, model=model, dimensions=size
        )
        append(select_vector_blocks(session, model), _drop_withdrawn_rows(session, vectors), fresh)


def _lock_session(turn: Turn) -> Session | None:
    """Lock the turn's session, because two workers may append at once."""
    rows = Session.objects.filter(pk=turn.session_id, owner=turn.owner_id)
    return rows.select_for_update().only("owner_id").first()


def _drop_withdrawn_rows(session: Session, rows: RowsT) -> RowsT:
    """Return the rows of turns whose answer has not been withdrawn meanwhile."""
    positions = set(rows.positions.tolist())
    turns = session.turns.remembered().filter(position__in=positions)
    return drop_turns(rows, positions.difference(turns.values_list("position", flat=True)))
