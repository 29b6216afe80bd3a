"""Replies that list the questions of a conversation, with the numbers of their turns."""

from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from chat.turns.replies.plain import MOST_LISTED, PlainReply, format_list, make_runs, shorten_text
from memory.recall import Past
from memory.text.embedding import Embedded
from memory.text.words import extract_terms


def repeat_first_question(past: Past) -> PlainReply:
    """Return the first question, and mention statements before it."""
    told = _write_reply(
        _read_questions(past, range(1, min(past.last_position, MOST_LISTED) + 1))[:1]
    )
    if not told.told or told.told[0][0] == 1:
        return told
    return replace(told, text=f"{told.text} {_('Your message before it was not a question.')}")


def repeat_last_question(past: Past) -> PlainReply:
    """Return the last question."""
    return _write_reply(_read_newest(past)[-1:])


def list_newest_questions(past: Past) -> PlainReply:
    """Return the newest questions, in order."""
    return _write_reply(_read_newest(past))


def _read_newest(past: Past) -> list[tuple[int, str]]:
    last = past.last_position
    return _read_questions(past, range(max(1, last - MOST_LISTED + 1), last + 1))


def _read_questions(past: Past, positions: Sequence[int]) -> list[tuple[int, str]]:
    return [(turn.position, turn.query) for turn in past.read(positions)]


def _write_reply(asked: Sequence[tuple[int, str]]) -> PlainReply:
    """Return the questions with the numbers of their turns, in words."""
    if not asked:
        return PlainReply(_("You have asked nothing in this conversation yet."))
    lines = [
        _("In turn %(number)d you asked: “%(question)s”")
        % {"number": number, "question": shorten_text(question)}
        for number, question in asked
    ]
    text = lines[0] if len(lines) == 1 else format_list(lines)
    return PlainReply(text, make_runs(number for number, _question in asked))


def list_questions(past: Past, subject: str) -> PlainReply:
    """Return the most relevant questions with a word of the subject, in order."""
    wanted = set(extract_terms(subject))
    asked = [
        (position, question)
        for position, question in _read_questions(past, find_near(past, subject))
        if wanted & set(extract_terms(question))
    ]
    if asked:
        return _write_reply(asked)
    nothing = _("You have asked nothing about “%(subject)s” in this conversation.")
    return PlainReply(nothing % {"subject": shorten_text(subject)})


def find_near(past: Past, subject: str) -> list[int]:
    """Return the positions of the most relevant turns and of the newest."""
    scores = past.scores(Embedded(subject))
    best = sorted(scores, key=lambda position: scores[position], reverse=True)[:MOST_LISTED]
    last = past.last_position
    return sorted({*best, *range(max(1, last - MOST_LISTED + 1), last + 1)})
