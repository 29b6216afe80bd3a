"""Settings of one conversation: its citation style and its language model."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect

from chat import llm
from chat.forms.conversations import StyleForm
from chat.views.requests import PersonRequest, form_view, get_own_session, render_dialog
from memory.conversations.editing import change


@form_view
def style(request: PersonRequest, session_id: UUID) -> HttpResponse:
    """Choose style, model and length of later answers: a dialog with htmx, else a page."""
    session = get_own_session(request, session_id)
    now = {name: getattr(session, name) for name in StyleForm.base_fields}
    models = [model.name for model in llm.list_models(request.user.tier)]
    form = StyleForm(request.POST or None, initial=now, models=models)
    if form.is_valid():
        change(session, **form.cleaned_data)
        return redirect("chat:conversation", session.pk)
    context = {"session": session, "form": form}
    return render_dialog(request, "chat/style", context, status=400 if form.is_bound else 200)
