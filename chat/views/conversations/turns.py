"""Views of turns: ask, read, stop, retry, continue, rate, and show the context record."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render

from chat.forms.conversations import FeedbackForm, FirstQuestionForm, QuestionForm
from chat.protocol.errors import refusal_response
from chat.shapes.statuses import find_status, write_headers
from chat.shapes.tables import download_table
from chat.shapes.transcript import load_newest_context
from chat.streams.following import follow
from chat.structures import PROSE, find_structure
from chat.turns.pipeline import begin_attempt, load_owner_key, take_turn
from chat.views.conversations.sessions import conversation_page, new_conversation
from chat.views.conversations.temporary import note_begun
from chat.views.library.scope import limit_session
from chat.views.requests import (
    PersonRequest,
    action_view,
    get_own_session,
    get_own_turn,
    page_view,
    read_chosen_documents,
    render_page,
    wants_events,
)
from memory.conversations import asking
from memory.conversations.asking import AskedTurn, Question
from memory.conversations.attempts import request_stop
from memory.conversations.editing import rate_answer
from memory.errors import Held, NotFound, Refusal
from memory.forgetting.deletion import erase_if_without_turns
from memory.models import Attempt, Consent, Purpose, Turn
from memory.personal_data import consent
from memory.personal_data.consent import ConsentNeeded


class Invalid(Refusal):
    """The form is invalid."""

    code = "invalid"


# Shows the page of an invalid form again, with its input and errors.
Again = Callable[..., HttpResponse]


@action_view
def start(request: PersonRequest) -> HttpResponse:
    """Begin a conversation with its first question; it is temporary without consent to store."""
    form = FirstQuestionForm(request.POST)
    again = partial(new_conversation, request, form)
    if not form.is_valid():
        return _show_refusal(request, form, again)
    chosen = read_chosen_documents(request)
    is_kept = not form.cleaned_data["temporary"] and consent.allows(request.user.pk, Purpose.STORE)
    load_owner_key(request.user.pk)
    session = asking.create_session(request.user, temporary=not is_kept)
    try:
        if chosen:
            limit_session(session, chosen)
        asked = take_turn(session, drop_unknown_form(form.question(form.place(chosen))))
    except Refusal as refusal:
        erase_if_without_turns(session, actor=request.user)
        return _show_refusal(request, form, again, refusal)
    if asked.turn.session_id != session.pk:  # the form was sent twice
        erase_if_without_turns(session, actor=request.user)
    elif session.temporary:
        note_begun(request, session)
    return _follow_answer(request, asked)


@action_view
def ask_next(request: PersonRequest, session_id: UUID) -> HttpResponse:
    """Ask the next question of a conversation."""
    session = get_own_session(request, session_id)
    form = QuestionForm(request.POST)
    again = partial(conversation_page, request, session, form)
    if not form.is_valid():
        return _show_refusal(request, form, again)
    try:
        asked = take_turn(session, drop_unknown_form(form.question(str(session_id))))
    except Refusal as refusal:
        return _show_refusal(request, form, again, refusal)
    return _follow_answer(request, asked)


def drop_unknown_form(question: Question) -> Question:
    """Return the question without an unknown structure."""
    is_known = question.structure == PROSE or find_structure(question.structure)
    return question if is_known else replace(question, structure="")


@page_view
def show_table(request: PersonRequest, session_id: UUID, turn_id: UUID) -> HttpResponse:
    """Download the table of a structured answer as CSV."""
    return download_table(get_own_turn(request, session_id, turn_id))


@page_view
def read_turn(request: PersonRequest, session_id: UUID, turn_id: UUID) -> HttpResponse:
    """Show a turn: its events to a script, its fragment with htmx, else its place on the page."""
    turn = get_own_turn(request, session_id, turn_id)
    if wants_events(request):
        return follow(request, turn, respond=_redirect_to_turn)
    if not request.htmx:
        return _redirect_to_turn(turn)
    return render(request, "chat/_answered.html", {"session": turn.session, "turn": turn})


@action_view
def stop_answer(request: PersonRequest, session_id: UUID, turn_id: UUID) -> HttpResponse:
    """Request that the answer be stopped."""
    turn = get_own_turn(request, session_id, turn_id)
    request_stop(turn)
    return HttpResponse(status=204) if request.htmx else _redirect_to_turn(turn)


@action_view
def answer_again(request: PersonRequest, session_id: UUID, turn_id: UUID) -> HttpResponse:
    """Answer again a turn that has no answer, or a poor one."""
    return _answer_again(request, get_own_turn(request, session_id, turn_id), asking.retry)


@action_view
def continue_answer(request: PersonRequest, session_id: UUID, turn_id: UUID) -> HttpResponse:
    """Continue an answer that was cut."""
    return _answer_again(request, get_own_turn(request, session_id, turn_id), asking.go_on)


def _answer_again(
    request: PersonRequest, turn: Turn, begin: Callable[[Turn], Attempt | None]
) -> HttpResponse:
    try:
        attempt = begin_attempt(turn, begin)
    except Refusal as refusal:
        if wants_events(request):
            return refusal_response(refusal)
        messages.error(request, refusal.message)
        return _redirect_to_turn(turn)
    return _follow_answer(request, AskedTurn(turn, attempt))


@action_view
def feedback(request: PersonRequest, session_id: UUID, turn_id: UUID) -> HttpResponse:
    """Store a rating and a comment; without consent, ask for it first."""
    turn = get_own_turn(request, session_id, turn_id)
    form = FeedbackForm(request.POST)
    shown = {"session": turn.session, "turn": turn, "form": form}
    try:
        if form.is_valid():
            given = form.cleaned_data
            if given["allow"]:
                consent.decide(turn.owner, {Purpose.IMPROVE: True}, source=Consent.Source.PAGE)
            rate_answer(turn, rating=given["allow"] or given["rating"], feedback=given["feedback"])
    except ConsentNeeded as refusal:
        shown["asked"] = consent.get_text(refusal.purpose, consent.get_version(refusal.purpose))
        if not request.htmx:
            return render_page(request, "chat/feedback.html", shown)
    except Held as refusal:
        form.add_error("feedback", refusal.message)
    if request.htmx:
        return render(request, "chat/_feedback.html", shown)
    for error in form.errors.values():
        messages.error(request, str(error[0]))
    return _redirect_to_turn(turn)


@page_view
def context(request: PersonRequest, session_id: UUID, turn_id: UUID) -> HttpResponse:
    """Show the context record of the turn's answer."""
    turn = get_own_turn(request, session_id, turn_id)
    shown = {"session": turn.session, "turn": turn, "record": load_newest_context(turn)}
    if request.htmx:
        return render(request, "chat/_made.html", shown)
    return render_page(request, "chat/context.html", shown)


# --- Answers to forms ----------------------------------------------------------------------------


def _follow_answer(request: PersonRequest, asked: AskedTurn) -> HttpResponse:
    """Stream the answer to a script; redirect a browser once it is complete."""
    return follow(request, asked.turn, asked.attempt, respond=_redirect_to_turn)


def _redirect_to_turn(turn: Turn) -> HttpResponse:
    response = redirect("chat:conversation", turn.session_id)
    response["Location"] += f"#turn-{turn.position}"
    response.status_code = 303
    return response


def _show_refusal(
    request: PersonRequest, form: QuestionForm, again: Again, refusal: Refusal | None = None
) -> HttpResponse:
    if isinstance(refusal, NotFound):
        raise refusal
    if refusal is not None:
        form.add_error("query", refusal.message)
    if wants_events(request):
        return refusal_response(refusal or Invalid(str(form.errors["query"][0])))
    response = again(status=find_status(refusal) if refusal else 400)
    for name, value in write_headers(refusal).items() if refusal else ():
        response[name] = value
    return response
