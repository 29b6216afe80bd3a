"""Messages for the stored codes of failed or stopped answers."""

from django.utils.translation import gettext_lazy as _

MESSAGES = {
    "stopped": _("You stopped this answer."),
    "server_restarted": _("The server was interrupted while this was being answered."),
    "document_deleted": _(
        "This answer was built on a document that you deleted, so it was deleted too."
    ),
    "memory_deleted": _(
        "This answer used an earlier message that was deleted or has expired, so it was "
        "deleted too."
    ),
    "held": _(
        "A legal hold was placed while this was being answered again. It keeps the earlier answer."
    ),
    "context_erased": _(
        "An earlier message that this answer used was deleted, or you withdrew your consent to "
        "using it. Try again without it."
    ),
    "internal_error": _("Something went wrong on our side. The question is kept; try again."),
    "context_overflow": _("The conversation is longer than the language model's window."),
    "model_key_refused": _(
        "The language model refused its key. An administrator has to set LLM_API_KEY."
    ),
    "model_unknown": _(
        "The language model server doesn't know the model. An administrator has to set LLM_MODEL."
    ),
    "model_request_refused": _("The language model server refused the request."),
    "model_rate_limited": _(
        "The language model is handling too many requests. Try again in a moment."
    ),
    "model_server_error": _("The language model server reported an error. Try again in a moment."),
    "model_unreachable": _("The language model can't be reached. Try again in a moment."),
    "model_silent": _("The language model did not begin to answer in time."),
    "model_stalled": _("The language model stopped before it finished."),
    "model_stream_broken": _("The connection to the language model was lost."),
    "model_timeout": _("The language model took too long to finish its answer."),
    "model_empty": _("The language model gave an empty answer, twice."),
    "model_looped": _("The language model only repeated itself."),
    "unstructured": _("The answer could not be put into the form asked for, so it is in prose."),
    "model_filtered": _("A filter of the language model's server held the answer back."),
}


def describe_failure(code: str) -> str:
    """Return the failure's message for people."""
    return str(MESSAGES.get(code, MESSAGES["internal_error"]))
