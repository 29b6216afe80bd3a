"""Confirmed acts: a page describes the act and asks; then the act is done, or refused."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from unfold.admin import ModelAdmin

from memory.admin.pages import Facts, render_page
from memory.errors import AwaitingApproval, Refusal


@dataclass(frozen=True)
class ConfirmedAct:
    """An act of the admin: its title, explanation and success message."""

    title: Any
    says: Any
    # The button's text; if empty, the title.
    button: Any = ""
    done: Any = ""
    danger: bool = False

    def answer(
        self,
        model_admin: ModelAdmin,
        request: HttpRequest,
        do: Callable[[], HttpResponse | None],
        *,
        back: str,
        then: str = "",
        form: Form | None = None,
        facts: Facts = (),
    ) -> HttpResponse:
        """Ask; or `do` it if it is confirmed and the form is right, and go on to `then` or back.

        A refusal is shown beside a form that has fields, else on the next page.
        """
        is_ready = request.method == "POST" if form is None else form.is_valid()
        try:
            if is_ready:
                answer = do()
                if self.done:
                    messages.success(request, self.done)
                return answer or redirect(then or back)
        except AwaitingApproval as stored:
            messages.info(request, stored.message)
            return redirect(back)
        except Refusal as refusal:
            if form is None:
                messages.error(request, refusal.message)
                return redirect(then or back)
            form.add_error(None, refusal.message)
        return self.asked(model_admin, request, back=back, form=form, facts=facts)

    def asked(
        self,
        model_admin: ModelAdmin,
        request: HttpRequest,
        *,
        back: str,
        form: Form | None = None,
        facts: Facts = (),
        hidden: Sequence[tuple[str, object]] = (),
    ) -> HttpResponse:
        """Return the page that describes the act and asks for confirmation."""
        return render_page(
            model_admin,
            request,
            "confirm.html",
            title=self.title,
            status=400 if form is not None and form.is_bound else 200,
            form=form or Form(),
            says=self.says,
            button=self.button or self.title,
            back=back,
            facts=facts,
            hidden=hidden,
            danger=self.danger,
        )
