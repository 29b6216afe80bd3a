"""Notices of outcomes that are less than a complete answer.

The page shows them above the answer; copies, exports and packages include them.
"""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from memory.models import Turn

Outcome = Turn.Outcome
# The model names of answers without a model, which are quotations.
WITHOUT_MODEL = ("", "quoting")
QUOTED = (_("Not sure."), _("These come closest:"))
NOTICES: dict[str, tuple[str | Promise, str | Promise]] = {
    Outcome.UNSURE: (_("Not sure."), _("No passage says this:")),
    Outcome.CUT: (_("Cut off."), _("The language model stopped before its answer was complete.")),
    Outcome.FILTERED: (
        _("Held back."),
        _("A filter of the language model's server ended the answer."),
    ),
    Outcome.EMPTY: (_("Empty."), _("The language model was asked twice, and gave no answer.")),
    Outcome.LOOPED: (
        _("Going in circles."),
        _("The language model began to repeat itself; the text ends there."),
    ),
    Outcome.OTHER_LANGUAGE: (
        _("In another language."),
        _("The language model did not answer in the language of the question."),
    ),
    Outcome.REFUSED: (
        _("Refused."),
        _("This is the language model's own refusal, not what the library says."),
    ),
}


def notice(outcome: str | None, model: str) -> tuple[str, str] | None:
    """Return the outcome of an answer by the model in a word, and its explanation.

    None if the answer itself says it.
    """
    is_quoted = outcome == Outcome.UNSURE and model in WITHOUT_MODEL
    found = QUOTED if is_quoted else NOTICES.get(outcome or "")
    return (str(found[0]), str(found[1])) if found else None
