"""Compression: what of the evidence is still in a window of the product, or one step below.

Each conversation becomes a session, with the summaries that the product's job makes of it. For each
question the window is built as for a turn. A value of an evidence message (a number, a date, a
name) is in the window if it stands in what the window has of that turn: the turn itself, the turn
in few words, or a summary that covers it. One step below it is if it stands in what such a summary
is made of. Beside it: the newest turns whole, cut where half a window is full, and the last
MAX_HISTORY_TURNS.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from django.conf import settings

from chat.condensing.writing import LEVELS
from chat.evaluation.files import Line
from chat.evaluation.memories import build_turn, timed
from chat.prompting.prompts import Matter, Prompt, build
from chat.prompting.summaries import VERSION
from memory.conversations.asking import create_session
from memory.jobs import enqueue, run_due
from memory.models import Session, Summary, Turn, User
from memory.models.summaries import EXTRACT
from memory.recall import Brief, Stored, recall
from memory.recall.budget import Limits, filled_most, scale_limits
from memory.recall.index.messages import Side
from memory.recall.summaries.making import condense_later
from memory.recall.summaries.values import LONGEST, numbers_in, values_in
from memory.text.token_counting import count_tokens

KINDS = ("window", "below", "truncated", "last")


@dataclass(frozen=True)
class CondensedSession:
    """A session with its turns and summaries in memory, for measuring."""

    session: Session
    turns: Mapping[int, Turn]
    summaries: Sequence[Summary]
    # The message of each `turn_id`: its position and side.
    messages: Mapping[str, tuple[int, Side]]

    def covering(self, position: int, kinds: Iterable[str]) -> str:
        """Return the texts of the summaries of these kinds that cover the position."""
        wanted = set(kinds)
        rows = (row for row in self.summaries if row.kind in wanted)
        return "\n".join(
            row.text for row in rows if row.first_position <= position <= row.last_position
        )

    def turn_text(self, position: int) -> str:
        turn = self.turns[position]
        return f"{turn.query}\n{turn.response}"


def condensed_sessions(turns: Iterable[Line]) -> Iterator[tuple[str, CondensedSession]]:
    """Store each conversation as one session with its summaries; yield it under its `conv_id`."""
    conversations: dict[str, list[Line]] = {}
    for line in turns:
        conversations.setdefault(str(line["conv_id"]), []).append(line)
    for conv_id, lines in conversations.items():
        yield conv_id, _condensed(User.objects.create_user(f"measured-{conv_id}"), lines)


def _condensed(owner: User, lines: Sequence[Line]) -> CondensedSession:
    session = create_session(owner)
    turns: dict[int, Turn] = {}
    messages: dict[str, tuple[int, Side]] = {}
    for position, (pair, moment) in enumerate(timed(lines), start=1):
        turn = turns[position] = build_turn(session, position, pair, moment)
        turn.query_tokens = count_tokens(turn.query)
        turn.recalled_tokens = count_tokens(turn.response)
        messages |= {line["turn_id"]: (position, side) for side, line in pair.items()}
    Turn.objects.bulk_create(turns.values(), batch_size=500)
    session.last_position = session.turn_count = len(turns)
    session.save(update_fields=["last_position", "turn_count"])
    enqueue("embed_session", session.pk)
    condense_later(session.pk)
    while run_due():
        pass
    summaries = list(session.summaries.order_by("first_position"))
    return CondensedSession(session, turns, summaries, messages)


def survivals(
    queries: Iterable[Line], conversations: Mapping[str, CondensedSession], *, window: int
) -> Iterator[Line]:
    """Yield for each question with evidence which share of its values is where."""
    limits = scale_limits(window)
    for line in queries:
        told = conversations[str(line["conv_id"])]
        at = [told.messages[name] for name in line["gold"] if name in told.messages]
        values = {place: values_in(_message(told, place)) for place in at}
        total = sum(map(len, values.values()))
        if not total:
            continue
        prompt = _prompt(told, line["query"], limits)
        kept = dict.fromkeys(KINDS, 0)
        for (position, _side), wanted in values.items():
            for kind, text in _texts(told, position, prompt, limits).items():
                kept[kind] += sum(_holds(text, value) for value in wanted)
        shares = {kind: round(count / total, 4) for kind, count in kept.items()}
        yield (
            {"dataset": line["dataset"], "qid": line["qid"], "values": total}
            | shares
            | {"tokens": prompt.tokens}
        )


def author_figures(conversations: Iterable[CondensedSession]) -> str:
    """Return in whose words the summaries of several turns are: a model that is away leaves all."""
    rows = [row for told in conversations for row in told.summaries if row.kind in LEVELS]
    written = sum(row.model != EXTRACT for row in rows)
    turned_down = sum(row.model == EXTRACT and row.prompt_version == VERSION for row in rows)
    left = len(rows) - written - turned_down
    return f"{written} summaries by a model, {turned_down} turned down, {left} never asked for"


def survival_figures(rows: Sequence[Line]) -> list[str]:
    """Return the means over the questions of each set, as lines."""
    lines = []
    for dataset in sorted({row["dataset"] for row in rows}):
        of = [row for row in rows if row["dataset"] == dataset]
        means = ", ".join(f"{kind} {fmean(row[kind] for row in of):.3f}" for kind in KINDS)
        tokens = fmean(row["tokens"] for row in of)
        lines.append(f"{dataset}: {means}; {tokens:.0f} tokens; {len(of)} questions")
    return lines


def _prompt(told: CondensedSession, query: str, limits: Limits) -> Prompt:
    past = Stored(told.session, told.session.last_position + 1)
    recalled = recall(past, query, limits=limits, allowance=limits.history)
    return build(Matter(query), recalled, [], limits)


def _message(told: CondensedSession, place: tuple[int, Side]) -> str:
    turn = told.turns[place[0]]
    return (turn.response if place[1] == Side.ANSWER else turn.query)[:LONGEST]


def _texts(told: CondensedSession, position: int, prompt: Prompt, limits: Limits) -> dict[str, str]:
    """Return the text of a turn that each way of filling a window keeps."""
    whole = [f"{turn.query}\n{turn.response}" for turn in prompt.turns if turn.position == position]
    briefs = [brief.text for brief in prompt.briefs if brief.first == position]
    ladder = [brief for brief in prompt.ladder if brief.first <= position <= brief.last]
    window = "\n".join([*whole, *briefs, *(brief.text for brief in ladder)])
    below = [_below(told, position, brief) for brief in ladder]
    full = told.turn_text(position) if briefs else ""
    last = told.session.last_position
    room = filled_most(limits)
    is_newest = sum(
        told.turns[at].query_tokens + told.turns[at].recalled_tokens
        for at in range(position + 1, last + 1)
    )
    truncated = told.turn_text(position) if is_newest < room else ""
    is_last = position > last - settings.MAX_HISTORY_TURNS
    return {
        "window": window,
        "below": "\n".join([window, *below, full]),
        "truncated": truncated[-4 * max(0, room - is_newest) :] if truncated else "",
        "last": told.turn_text(position) if is_last else "",
    }


def _below(told: CondensedSession, position: int, brief: Brief) -> str:
    """Return the sources of a summary in the window, as far as they are of the turn."""
    kinds = {
        Summary.Kind.SESSION: ("section",),
        Summary.Kind.ROLLING: ("turn",),
        Summary.Kind.SECTION: ("segment",),
    }
    below = kinds.get(Summary.Kind(brief.kind))
    if below is None:
        return told.turn_text(position)
    return told.covering(position, below) or told.covering(position, ("segment",))


def _holds(text: str, value: str) -> bool:
    if value[0].isdigit():
        return value in numbers_in(text)
    return value in text.lower()
