"""Refusals of exports: too long, unavailable, busy."""

from django.utils.translation import gettext as _, gettext_lazy

from chat.exports.conversation import Wish
from chat.forms.turn_ranges import count_selected
from memory.errors import Refusal
from memory.models import Session


class ExportRefused(Refusal):
    """Base class of the refusals of exports."""


class ExportTooLong(ExportRefused):
    code = "export_too_long"
    says = gettext_lazy("This is too long for a file of this kind. Choose fewer questions.")


class ExportUnavailable(ExportRefused):
    code = "export_unavailable"
    says = gettext_lazy("PDF needs WeasyPrint, which isn't installed (pip install weasyprint).")


class ExportBusy(ExportRefused):
    code = "busy"
    says = gettext_lazy("Other files are being created. Try again in a minute.")


def check_length(session: Session, wish: Wish, most: int) -> None:
    """Raise ExportTooLong if more turns are chosen than the file may have."""
    if count_selected(wish.turns, session.last_position) > most:
        raise ExportTooLong(
            _("A file of this kind holds at most %d questions. Choose fewer, or another kind.")
            % most
        )
