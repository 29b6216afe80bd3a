"""A session in the API and exports."""

from typing import Annotated, Any, TypedDict

from chat.shapes.resources.vocabulary import Id, Time, shape
from memory.models import Session
from memory.models.conversations import AnswerLength, CitationStyle, Reach, Strategy, TitleBy
from memory.models.people import CitationFormat


class SessionAnswer(TypedDict):
    session_id: Id
    user_id: Id
    title: Annotated[
        str, "Empty until the first question, which becomes the title until there is a summary."
    ]
    title_by: Annotated[
        str | None,
        TitleBy,
        "Who gave the title; yours stays, another is renewed with the summary. Null: nobody yet, "
        "or not known.",
    ]
    metadata: dict[str, Any]
    created_at: Time
    last_activity: Annotated[Time, "The last question or answer; reading doesn't count."]
    expires_at: Annotated[Time, "From this moment on the session is gone."]
    own_lifetime: Annotated[
        int | None, "Seconds that it is kept, if less than your tier's were chosen."
    ]
    turn_count: int
    max_turns: Annotated[int | None, "Turns that it may have, if fewer than your tier's."]
    context_tokens: Annotated[int, "Tokens of all questions and answers."]
    context_window: Annotated[int, "In tokens."]
    strategy: Annotated[str, Strategy]
    reach: Annotated[str, Reach, "How far it goes for what was said before."]
    style: Annotated[str | None, CitationStyle, "Null: as CITATION_STYLE says."]
    citation_format: Annotated[
        str | None, CitationFormat, "Of its bibliography. Null: as you or the instance say."
    ]
    length: Annotated[str | None, AnswerLength, "Null: normal."]
    model: Annotated[str | None, "By name; null: the usual one of your tier."]
    temporary: bool
    pinned: bool
    archived: bool
    document_context: Annotated[
        list[Id] | None,
        "The documents that are searched; null: all. One that was deleted is missing; if all are, "
        "nothing is found.",
    ]


def session_shape(session: Session) -> SessionAnswer:
    """Return a session for the API and exports."""
    return shape(
        SessionAnswer,
        session,
        session_id=str(session.pk),
        user_id=str(session.owner_id),
        document_context=limit_shape(session),
    )


def limit_shape(session: Session) -> list[str] | None:
    """Return the session's document scope without deleted documents, or None."""
    limits = list(session.limited_to.all())
    return sorted(str(row.document_id) for row in limits if row.document_id) if limits else None
