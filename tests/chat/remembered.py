"""Conversations that are held at once, and what people say in them of themselves."""

from typing import Any

from chat.turns.pipeline import answer_now, take_turn
from memory.conversations.asking import Question
from memory.jobs.queue import run_due
from memory.models import Fact, Session, Turn
from memory.recall.facts import undoing
from memory.recall.facts.known import read_known_facts


def said(session: Session, text: str, **options: Any) -> Turn:
    """Have the text asked and answered."""
    attempt = take_turn(session, Question(text), **options).attempt
    assert attempt
    return answer_now(attempt)


def said_and_kept(session: Session, text: str) -> Turn:
    """Have the text asked and answered, and the jobs done that follow."""
    turn = said(session, text)
    run_due()
    return turn


def texts(session: Session) -> list[str]:
    return [row.text for row in read_known_facts(session).facts]


def deleted_for_good(fact: Fact) -> None:
    """Have its person delete a fact, and the time be over in which it may come back."""
    undoing.hide(fact)
    undoing.finish_later(fact.pk, None)
