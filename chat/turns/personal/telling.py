"""Immediate replies about what a person said before: an acknowledgement or an answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.utils.formats import date_format
from django.utils.translation import gettext as _, ngettext

from chat import llm
from chat.turns.personal.person import Personal, is_met_by_quoting
from chat.turns.replies.answers import summarise_turns
from chat.turns.replies.plain import format_list, shorten_text
from chat.turns.replies.questions import list_questions
from memory.models import Fact, FactKind, Turn
from memory.recall import Past, Recalled
from memory.recall.earlier.calling import asks_what_was_said
from memory.recall.earlier.recalling import EarlierTurn
from memory.recall.facts.extraction import only_tells
from memory.recall.facts.known import asks_for_all, asks_for_erasure, find_answer, sort_wishes_last
from memory.recall.facts.managing import find_replaced
from memory.text.citation_markers import strip_markers
from memory.text.plain import render_plain_text


@dataclass(frozen=True)
class ToldReply:
    """An immediate reply, and the outcome of its turn."""

    text: str
    outcome: str = Turn.Outcome.ABOUT_CONVERSATION
    # The facts and the turns of other sessions that it repeats.
    facts: Sequence[Fact] = ()
    earlier: Sequence[EarlierTurn] = ()
    # The turns of this conversation that it repeats, as runs with first and last position.
    here: Sequence[tuple[int, int]] = ()


def list_origins(
    personal: Personal, told: ToldReply | None, *, is_built_in: bool, recounts: bool = False
) -> tuple[Sequence[Fact], Sequence[EarlierTurn]]:
    """Return the facts and the turns of other sessions that an answer could use.

    None, if it only `recounts` this session.
    """
    if told:
        return told.facts, told.earlier
    if recounts:
        return [], []
    # The built-in answerer quotes documents only, in the wished format.
    wishes = [row for row in personal.known.wishes if not is_built_in or is_met_by_quoting(row)]
    return [*wishes, *personal.bearing], personal.earlier.turns


def reply_at_once(
    query: str, personal: Personal, recalled: Recalled, past: Past
) -> ToldReply | None:
    """Return a reply that needs no search: an acknowledgement, or known facts."""
    found = personal.earlier
    if personal.turn is None:
        return None
    if asks_for_erasure(query):
        return ToldReply(
            _(
                "Nothing is deleted yet. In your account, Memory shows what is kept about you "
                "and lets you delete it; under Your data you can have everything erased, with "
                "a certificate."
            )
        )
    if only_tells(query):
        return _write_note(personal)
    about = find_answer(query, personal.known)
    if about is not None:
        before = find_replaced(about)
        text = _write_facts(about, before, personal) if about else _write_unknown(query)
        return ToldReply(text, facts=[*about, *before.values()])
    if found.is_recount:
        return recount_conversations(personal, past)
    if found.subject and found.is_called:
        return list_earlier_questions(personal, past)
    if found.turns and asks_what_was_said(query):
        here = max(past.scores(recalled.typed).values(), default=0.0)
        return quote_earlier(personal) if here < found.turns[0].score else None
    return None


def quote_earlier(personal: Personal) -> ToldReply:
    """Quote the turns of other sessions with their days."""
    turns = personal.earlier.turns
    text = "\n\n".join(_exchange(each, personal) for each in turns)
    text = text or _("Nothing was asked then, or nothing that I may use here.")
    return ToldReply(text, earlier=turns)


def recount_conversations(personal: Personal, past: Past) -> ToldReply:
    """Return the conversations of a time; of a single one, its exchanges.

    If there is no other, this one is summarised.
    """
    found = personal.earlier
    if found.conversations:
        lead = ngettext(
            "At that time you asked in %(count)d other conversation:",
            "At that time you asked in %(count)d other conversations, the newest first:",
            found.conversations,
        )
        return ToldReply(_list_by_time(personal, lead, found.conversations), earlier=found.turns)
    here = summarise_turns(past)
    if found.is_called and not found.turns and here.told:
        return ToldReply(here.text, here=here.told)
    return quote_earlier(personal)


def list_earlier_questions(personal: Personal, past: Past) -> ToldReply:
    """List the questions about a subject, here and in other conversations."""
    found, subject = personal.earlier, shorten_text(personal.earlier.subject)
    here = list_questions(past, found.subject)
    parts = [here.text] if here.told else []
    if found.turns:
        lead = ngettext(
            "You asked about “%(subject)s” in %(count)d other conversation:",
            "You asked about “%(subject)s” in %(count)d other conversations, the newest first:",
            found.conversations,
        )
        parts.append(_list_by_time(personal, lead, found.conversations, subject=subject))
    nowhere = _(
        "You have asked nothing about “%(subject)s”, neither here nor in another conversation "
        "that I may use."
    )
    text = "\n\n".join(parts) or nowhere % {"subject": subject}
    return ToldReply(text, earlier=found.turns, here=here.told)


def _list_by_time(personal: Personal, lead: str, count: int, **named: str) -> str:
    """Return the question of each conversation with its time, as a list below the lead."""
    lines = []
    for each in personal.earlier.turns:
        at = personal.time(each.turn.asked_at)
        when = f"{date_format(at, 'DATE_FORMAT')}, {date_format(at, 'TIME_FORMAT')}"
        worded = _("%(when)s: “%(question)s”")
        lines.append(worded % {"when": when, "question": shorten_text(each.turn.query)})
    return f"{lead % {'count': count, **named}}\n\n{format_list(lines)}"


def _exchange(each: EarlierTurn, personal: Personal) -> str:
    return _(
        "In your conversation of %(day)s you asked: “%(question)s” The answer was: %(answer)s"
    ) % {
        "day": _format_day(personal, each.turn.asked_at),
        "question": shorten_text(each.turn.query),
        "answer": shorten_text(render_plain_text(strip_markers(each.turn.response))),
    }


def _write_note(personal: Personal) -> ToldReply:
    """Return an acknowledgement of the turn's facts, with their reach."""
    turn = personal.turn
    mine = [row for row in personal.known.facts if turn and row.said_in == turn.pk]
    if not mine:
        return ToldReply(_("Noted."), Turn.Outcome.NOTED)
    quoted = ", ".join(_("“%(text)s”") % {"text": shorten_text(row.text)} for row in mine)
    keeps = (
        _("I will remember, in other conversations too (see Memory): %(said)s")
        if mine[0].is_shared
        else _("I will remember, in this conversation: %(said)s")
    )
    text = f"{keeps % {'said': quoted}}. {_write_unmet(mine)}".strip()
    return ToldReply(text, Turn.Outcome.NOTED, facts=mine)


def _write_unmet(told: Sequence[Fact]) -> str:
    """Return a remark if a wish needs a language model and there is none."""
    wishes = [row for row in told if row.kind == FactKind.WISH]
    unmet = [row.subject for row in wishes if not is_met_by_quoting(row)]
    if not unmet or llm.is_configured():
        return ""
    if "language" in unmet:
        return _(
            "Without a language model I quote documents in their own language and can’t "
            "translate them: this applies once one is connected."
        )
    return _("Without a language model I can only quote: this applies once one is connected.")


def _write_unknown(query: str) -> str:
    if asks_for_all(query):
        return _("You have told me nothing about yourself that I may use here.")
    return _(
        "I don’t know that: you have not told me, or not where I may use it. To use what you "
        "said in another conversation here, keep it under Memory. To ask what a document says "
        "about somebody, use their name."
    )


def _write_facts(facts: Sequence[Fact], before: dict[UUID, Fact], personal: Personal) -> str:
    lines = [_write_fact(row, before.get(row.pk), personal) for row in sort_wishes_last(facts)]
    return lines[0] if len(lines) == 1 else format_list(lines)


def _write_fact(row: Fact, before: Fact | None, personal: Personal) -> str:
    # A fact that they wrote or corrected by hand has no conversation and no day.
    by_hand = row.origin == Fact.Origin.WRITTEN
    wording = _("You wrote: “%(text)s”") if by_hand else _("You told me on %(day)s: “%(text)s”")
    said = wording % {"day": _format_day(personal, row.valid_from), "text": shorten_text(row.text)}
    if before is None:
        return said
    past = _("Before that, on %(day)s: “%(text)s”")
    day = _format_day(personal, before.valid_from)
    return f"{said} {past % {'day': day, 'text': shorten_text(before.text)}}"


def _format_day(personal: Personal, moment: datetime) -> str:
    return date_format(personal.day(moment), "DATE_FORMAT")
