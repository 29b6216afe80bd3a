"""How near each earlier turn is to the question, from vectors stored when the turn ended.

The vectors of a session stand in sealed blocks of 256 int8 rows with the turn's position, so a
session of 10,000 turns is 40 rows to read and one product to compute.
"""

from collections.abc import Collection, Mapping
from uuid import UUID

import numpy as np

from memory.embedding import Vectors, embedder
from memory.jobs import Lease, enqueue, job
from memory.models import Session, Turn, VectorBlock
from memory.vectors import BLOCK, Block


def similarities(session: Session, query: Vectors, *, model: str) -> Mapping[int, float]:
    """Return the cosine of each embedded turn's position with the query's vector."""
    rows = VectorBlock.objects.filter(session=session, model=model).order_by("number")
    scores: dict[int, float] = {}
    for row in rows.filter(dimensions=len(query)).only("owner_id", "payload"):
        block = Block.unpacked(row.payload)
        positions, cosines = block.numbers[:, 0], block.similarities(query)
        scores.update(zip(positions.tolist(), cosines.tolist(), strict=True))
    return scores


def embed_later(turn: Turn) -> None:
    """Ask for the turn's vector, in the caller's transaction."""
    enqueue("embed_turn", turn.pk)


def embed_missing() -> int:
    """Ask for the vectors that finished turns lack under the engine of now; return how many.

    They lack them after a long outage of the engine, or when it is another one.
    """
    engine = embedder()
    if engine is None:
        return 0
    asked = 0
    for session in Session.objects.live().iterator(chunk_size=500):
        known = _embedded(session, engine.model)
        turns = session.turns.remembered().values_list("pk", "position")
        missing = [pk for pk, position in turns.iterator(chunk_size=500) if position not in known]
        for pk in missing:
            enqueue("embed_turn", pk)
        asked += len(missing)
    return asked


def _embedded(session: Session, model: str) -> set[int]:
    rows = VectorBlock.objects.filter(session=session, model=model).only("owner_id", "payload")
    blocks = (Block.unpacked(row.payload) for row in rows)
    return {int(position) for block in blocks for position in block.numbers[:, 0]}


@job("embed_turn")
def embed_turn(lease: Lease) -> None:
    """Store the vector of a finished turn in its session's last block, once."""
    engine = embedder()
    turn = Turn.objects.remembered().filter(pk=lease.subject).select_related("session").first()
    vectors = engine.embed([f"{turn.query}\n{turn.response}"]) if engine and turn else None
    with lease.finishing():
        if turn is not None and engine is not None and vectors is not None:
            _append(turn.session_id, turn, vectors, engine.model)


def forget(session: Session, positions: Collection[int]) -> None:
    """Take the vectors of these turns out of the session's blocks; call with the session locked."""
    for row in VectorBlock.objects.filter(session=session):
        block = Block.unpacked(row.payload)
        kept = block.where(~np.isin(block.numbers[:, 0], list(positions)))
        if len(kept) == len(block):
            continue
        if len(kept):
            row.payload = kept.packed()
            row.save(update_fields=["payload"])
        else:
            row.delete()


def _append(session_id: UUID, turn: Turn, vectors: Vectors, model: str) -> None:
    # Two workers may append to the session at once; the second waits here for the first.
    if not Session.objects.select_for_update().filter(pk=session_id).exists():
        return
    # Its answer may have been withdrawn while it was embedded.
    if not Turn.objects.remembered().filter(pk=turn.pk).exists():
        return
    added = Block.of([[turn.position]], vectors)
    blocks = VectorBlock.objects.filter(session_id=session_id, model=model)
    row = blocks.order_by("-number").first()
    if row is None or len(block := Block.unpacked(row.payload)) >= BLOCK:
        row = VectorBlock(
            session_id=session_id,
            owner_id=turn.owner_id,
            number=row.number + 1 if row else 1,
            model=model,
            dimensions=vectors.shape[1],
        )
    elif turn.position in block.numbers[:, 0]:
        return
    else:
        added = Block.joined([block, added])
    row.last_position = int(added.numbers[:, 0].max())
    row.payload = added.packed()
    row.save()
