"""What is said at once from what a person said before: a note of it, or an answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat import llm
from chat.turns.personal.person import Personal, is_met_by_quoting
from chat.turns.replies.of_answers import summary
from chat.turns.replies.of_questions import asked_about
from chat.turns.replies.plain import PlainReply, as_list
from memory.models import Fact, FactKind, Turn
from memory.models.conversations import TitleBy
from memory.recall import Past, Recalled
from memory.recall.earlier.calling import asks_what_was_said
from memory.recall.earlier.recalling import EarlierTurn, Recollection
from memory.recall.facts.asking import (
    answered_by,
    as_told,
    asks_for_all,
    asks_for_erasure,
)
from memory.recall.facts.extraction import only_tells
from memory.recall.facts.replaced import last_before
from memory.text.citation_markers import without_markers
from memory.text.plain import on_one_line, plain_text

ABOUT = Turn.Outcome.ABOUT_CONVERSATION
# Of a turn of another session so much is shown in an answer.
LONGEST_SHOWN = 400


@dataclass(frozen=True)
class ToldReply:
    """What is said at once, and what that answer comes to: an outcome of its turn."""

    text: str
    outcome: str
    # What it was said from.
    facts: Sequence[Fact] = ()
    earlier: Sequence[EarlierTurn] = ()
    # And the turns of this conversation, by the first and the last position of each run of them.
    here: Sequence[tuple[int, int]] = ()


def drawn_on(
    personal: Personal, told: ToldReply | None, *, is_built_in: bool, recounts: bool = False
) -> tuple[Sequence[Fact], Sequence[EarlierTurn]]:
    """Return the facts and the turns of other sessions that an answer could draw on: none, if it
    only `recounts` this one.
    """
    if told:
        return told.facts, told.earlier
    if recounts:
        return [], []
    if is_built_in:  # it quotes documents alone, in the manner that is wished; the rest is shown
        met = [row for row in personal.known.wishes if is_met_by_quoting(row)]
        return [*met, *personal.bearing], personal.earlier.turns
    return [*personal.known.wishes, *personal.bearing], personal.earlier.turns


def said_at_once(
    query: str, personal: Personal, recalled: Recalled, past: Past
) -> ToldReply | None:
    """Return what needs no search: a note of what was told, or what is known of the person."""
    if personal.turn is None:
        return None
    if asks_for_erasure(query):
        return ToldReply(_where_to_erase(), Turn.Outcome.ABOUT_CONVERSATION)
    if only_tells(query):
        return _noted(personal)
    about = answered_by(query, personal.known)
    if about is not None:
        before = last_before(about)
        text = _known(about, before, personal) if about else _nothing_known(query)
        told = [*about, *before.values()]
        return ToldReply(text, Turn.Outcome.ABOUT_CONVERSATION, facts=told)
    if personal.earlier.is_recount:
        return recounted_then(personal, past)
    if personal.earlier.subject and personal.earlier.is_called:
        return asked_then(personal, past)
    if personal.earlier.turns and asks_what_was_said(query):
        here = max(past.scores(recalled.typed).values(), default=0.0)
        if here < personal.earlier.turns[0].score:
            return said_before(personal)
    return None


def said_before(personal: Personal) -> ToldReply:
    """Return what was said in other sessions, quoted with its day."""
    turns = personal.earlier.turns
    text = "\n\n".join(_exchange(each, personal) for each in turns)
    text = text or _("Nothing was asked then, or nothing that I may draw on here.")
    return ToldReply(text, Turn.Outcome.ABOUT_CONVERSATION, earlier=turns)


def recounted_then(personal: Personal, past: Past) -> ToldReply:
    """Return the conversations of then by their time; of one its exchanges. If there is no other,
    this one is summed up.
    """
    found = personal.earlier
    if found.conversations:
        return ToldReply(_by_time(personal, _then(found)), ABOUT, earlier=found.turns)
    here = summary(past)
    if found.is_called and not found.turns and here.told:
        return ToldReply(here.text, ABOUT, here=here.told)
    return said_before(personal)


def _then(found: Recollection) -> str:
    said = {"count": found.conversations, "shown": len(found.turns)}
    if found.conversations > len(found.turns):
        return (
            _(
                "You asked then in %(count)d other conversations; these are the newest %(shown)d, "
                "the newest first:"
            )
            % said
        )
    return (
        ngettext(
            "You asked then in %(count)d other conversation:",
            "You asked then in %(count)d other conversations, the newest first:",
            found.conversations,
        )
        % said
    )


def asked_then(personal: Personal, past: Past) -> ToldReply:
    """Return what was asked about something, here and in other conversations."""
    found, subject = personal.earlier, _shown(personal.earlier.subject)
    here = asked_about(past, found.subject) if found.is_here else PlainReply()
    elsewhere = ngettext(
        "You asked about “%(subject)s” in %(count)d other conversation:",
        "You asked about “%(subject)s” in %(count)d other conversations, the newest first:",
        found.conversations,
    ) % {"subject": subject, "count": found.conversations}
    nowhere = _(
        "You have asked nothing about “%(subject)s”, neither here nor in another conversation that "
        "I may draw on."
    ) % {"subject": subject}
    parts = [here.text] if here.told else []
    parts += [_by_time(personal, elsewhere)] if found.turns else []
    text = "\n\n".join(parts) or nowhere
    return ToldReply(text, ABOUT, earlier=found.turns, here=here.told)


def _by_time(personal: Personal, lead: str) -> str:
    """Return the question of each conversation with its time, as a list below the lead."""
    lines = [_with_time(each, personal) for each in personal.earlier.turns]
    return f"{lead}\n\n{as_list(lines)}"


def _with_time(each: EarlierTurn, personal: Personal) -> str:
    """Return when a conversation's question was asked, and how many more it has of then."""
    at, session = personal.time(each.turn.asked_at), each.turn.session
    when = f"{date_format(at, 'DATE_FORMAT')}, {date_format(at, 'TIME_FORMAT')}"
    said = {"when": when, "question": _shown(each.turn.query), "title": _shown(session.title)}
    is_named = session.title and session.title_by != TitleBy.QUESTION
    worded = (
        _("%(when)s, *%(title)s*: “%(question)s”") if is_named else _("%(when)s: “%(question)s”")
    )
    more = personal.earlier.questions.get(session.pk, 1) - 1
    if not more:
        return worded % said
    beside = ngettext(
        "%(said)s, and %(count)d more question", "%(said)s, and %(count)d more questions", more
    )
    return beside % {"said": worded % said, "count": more}


def _exchange(each: EarlierTurn, personal: Personal) -> str:
    answer = _shown(plain_text(without_markers(each.turn.response)))
    return _(
        "In your conversation of %(day)s you asked: “%(question)s” The answer was: %(answer)s"
    ) % {
        "day": _in_words(personal, each.turn.asked_at),
        "question": _shown(each.turn.query),
        "answer": answer,
    }


def _noted(personal: Personal) -> ToldReply:
    """Say what was learned of the turn, and how far it reaches."""
    mine = [
        row for row in personal.known.facts if personal.turn and row.said_in == personal.turn.pk
    ]
    if not mine:
        return ToldReply(_("Noted."), Turn.Outcome.NOTED)
    quoted = ", ".join(_("“%(text)s”") % {"text": _shown(row.text)} for row in mine)
    keeps = (
        _("I keep in mind what you said, in other conversations too (see Memory): %(said)s")
        if mine[0].is_shared
        else _("I keep in mind what you said, in this conversation: %(said)s")
    )
    noted = f"{keeps % {'said': quoted}}."
    text = " ".join(part for part in (noted, _unmet(mine)) if part)
    return ToldReply(text, Turn.Outcome.NOTED, facts=mine)


def _unmet(told: Sequence[Fact]) -> str:
    """Say so if something is wished for that only a language model could do, and there is none."""
    wishes = [row for row in told if row.kind == FactKind.WISH]
    unmet = [row.subject for row in wishes if not is_met_by_quoting(row)]
    if not unmet or llm.is_configured():
        return ""
    if "language" in unmet:
        return _(
            "Without a language model I quote documents in their own language and can’t translate "
            "them: this counts once one is connected."
        )
    return _("Without a language model I can only quote: this counts once one is connected.")


def _where_to_erase() -> str:
    """Say where all is forgotten: too much to be done at a word that may be misread."""
    return _(
        "Nothing is deleted yet. Memory, in your account, shows what is kept of you and deletes "
        "it; under Your data you can have all of it erased, with a certificate."
    )


def _nothing_known(query: str) -> str:
    if asks_for_all(query):
        return _("You have told me nothing of yourself that I may use here.")
    return _(
        "I don’t know that: you have not told me, or not where I may use it. What you said in "
        "another conversation counts here once you keep it, under Memory. What a document says of "
        "somebody is found by their name."
    )


def _known(facts: Sequence[Fact], before: dict[UUID, Fact], personal: Personal) -> str:
    lines = [_told(row, before.get(row.pk), personal) for row in as_told(facts)]
    return lines[0] if len(lines) == 1 else "\n".join(f"- {line}" for line in lines)


def _told(row: Fact, before: Fact | None, personal: Personal) -> str:
    # What they wrote or corrected by hand was said in no conversation, on no day.
    by_hand = row.origin == Fact.Origin.WRITTEN
    wording = _("You wrote: “%(text)s”") if by_hand else _("You told me on %(day)s: “%(text)s”")
    said = wording % {"day": _in_words(personal, row.valid_from), "text": _shown(row.text)}
    if before is None:
        return said
    past = _("Before that, on %(day)s: “%(text)s”") % {
        "day": _in_words(personal, before.valid_from),
        "text": _shown(before.text),
    }
    return f"{said} {past}"


def _in_words(personal: Personal, moment: datetime) -> str:
    return date_format(personal.day(moment), "DATE_FORMAT")


def _shown(text: str) -> str:
    return on_one_line(text, LONGEST_SHOWN)
