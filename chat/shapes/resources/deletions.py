"""The other rows that a deletion affects, counted beforehand for page and API."""

from typing import Annotated, TypedDict

from memory.forgetting.answers import count_derived_answers
from memory.models import Session, Summary, Turn
from memory.recall.summaries.editing import count_edited


class DeletionAnswer(TypedDict):
    answers: Annotated[
        int,
        "Other answers that tell what was said there: they go with it, and their questions stay.",
    ]
    edited_summaries: Annotated[int, "Summaries in your words that cover it."]


def preview_turn_deletion(turn: Turn) -> DeletionAnswer:
    """Count the answers and summaries that the turn's deletion would delete."""
    return {
        "answers": count_derived_answers(turn.session.turns.filter(pk=turn.pk)),
        "edited_summaries": count_edited(turn.session, turn.position),
    }


def preview_session_deletion(session: Session) -> DeletionAnswer:
    """Count the answers and summaries that the session's deletion would delete."""
    return {
        "answers": count_derived_answers(session.turns.all()),
        "edited_summaries": session.summaries.filter(state=Summary.State.EDITED).count(),
    }
