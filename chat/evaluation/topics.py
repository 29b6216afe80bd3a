"""Evaluation of topics: mixed conversations are recalled and searched as turns are.

The results of each turn (topic, rewrite) are the input of the next ones, as in a session. Each
question is also asked after its own conversation alone.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from django.conf import settings

from chat.evaluation.files import Line
from chat.evaluation.mixing import MixedStep, Move, mix_conversations, read_threads
from chat.evaluation.passages import DEPTH, embed_sides
from citations.index.scope import Scope
from citations.retrieval import find_passages
from citations.retrieval.before import read_conversation
from memory.recall import Given, Recalled, recall
from memory.recall.budget import scale_limits
from memory.recall.index.blocks import Pair
from memory.recall.past import GivenTurn
from memory.recall.rewriting.exchanges import Exchange

LEAVES = (Move.NEW, Move.RETURNS)


@dataclass(frozen=True)
class ReplayedSession(Given):
    """The replayed part of a conversation, with its results and the vectors of its turns."""

    exchanges: list[Exchange] = field(default_factory=list)
    told: list[GivenTurn] = field(default_factory=list)

    def vectors(self, positions: Collection[int]) -> Mapping[int, Pair]:
        said = {at: self.told[at - 1] for at in positions if at <= len(self.told)}
        return {
            at: embed_sides(turn.standalone_query or turn.query, turn.response)
            for at, turn in said.items()
        }

    def _told(self, position: int) -> GivenTurn:
        return self.told[position - 1]

    def asked(self, query: str) -> Recalled:
        limits = scale_limits(settings.MAX_TOKENS_PER_CONTEXT)
        return recall(self, query, limits=limits, allowance=limits.history)

    def add(self, query: str, response: str, recalled: Recalled) -> None:
        at = len(self.told) + 1
        turn = GivenTurn(at, query, response, recalled.rewrite.query, recalled.new_topic)
        self.told.append(replace(turn, topic=recalled.begun or at))
        self.exchanges.append(Exchange(query, response, at))


def ask_mixed(lines: Iterable[Line], pids: Mapping[UUID, str], *, seed: int) -> Iterator[Line]:
    """Yield the results for each question of the mixed conversations."""
    for together in mix_conversations(read_threads(lines), seed):
        whole, alone = ReplayedSession(), dict[int, ReplayedSession]()
        for asked in together:
            own = alone.setdefault(asked.thread, ReplayedSession())
            recalled, by_itself = whole.asked(asked.query), own.asked(asked.query)
            if line := asked.step.line:
                yield {
                    **{name: line[name] for name in ("dataset", "conv_id", "turn_id")},
                    "query": asked.query,
                    "searched": recalled.rewrite.query,
                    "new_topic": recalled.new_topic,
                    "gold_new": asked.move == Move.NEW,
                    "left": recalled.new_topic or recalled.is_resumed,
                    "gold_left": asked.move in LEAVES,
                    "rank_mixed": _rank(asked, recalled, whole, pids),
                    "rank_alone": _rank(asked, by_itself, own, pids),
                }
            whole.add(asked.query, asked.step.response, recalled)
            own.add(asked.query, asked.step.response, by_itself)


def _rank(
    asked: MixedStep, recalled: Recalled, past: ReplayedSession, pids: Mapping[UUID, str]
) -> int | None:
    """Return the rank of the first gold passage; None if the question has none."""
    gold = set((asked.step.line or {}).get("gold") or ()) if pids else set()
    if not gold:
        return None
    before = read_conversation(asked.query, recalled, past)
    found = find_passages(recalled.asked, scope=Scope(), limit=DEPTH, before=before)
    ranked = [pids[hit.passage.document_id] for hit in found]
    return next((at for at, pid in enumerate(ranked, start=1) if pid in gold), DEPTH + 1)


def format_topic_figures(rows: Sequence[Line]) -> Iterator[str]:
    """Yield the figures in words."""
    for name, told, gold in (("new", "new_topic", "gold_new"), ("left", "left", "gold_left")):
        right = sum(row[told] and row[gold] for row in rows)
        found, there = (sum(row[key] for row in rows) or 1 for key in (told, gold))
        yield f"{name}: precision {right / found:.3f} recall {right / there:.3f} of {there}"
    ranked = [row for row in rows if row["rank_mixed"] is not None]
    for name in ("rank_mixed", "rank_alone") if ranked else ():
        shares = [sum(row[name] <= most for row in ranked) / len(ranked) for most in (5, 10)]
        yield f"{name}: R@5 {shares[0]:.3f} R@10 {shares[1]:.3f} of {len(ranked)}"
