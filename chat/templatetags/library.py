"""What the library's templates say with a word of their own."""

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from citations import failures
from citations.models import Document
from memory.models import Job

KIND_NAMES = {
    "application/pdf": "PDF",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "Word",
    "text/html": gettext_lazy("Web page"),
    "text/markdown": "Markdown",
    "text/plain": gettext_lazy("Text"),
}
KIND_CHOICES = {
    "pdf": "PDF",
    "word": "Word",
    "web": gettext_lazy("Web page"),
    "markdown": "Markdown",
    "text": gettext_lazy("Text"),
}
WHOSE_CHOICES = {
    "mine": gettext_lazy("Only mine"),
    "library": gettext_lazy("Shared library"),
}

register = template.Library()
register.filter("unreadable", failures.message)


@register.filter
def kind(document: Document) -> str:
    return str(KIND_NAMES.get(document.media_type, document.media_type))


@register.filter
def kind_name(code: str) -> str:
    return str(KIND_CHOICES.get(code, code))


@register.simple_tag
def whose_choices() -> list[tuple[str, str]]:
    return [(code, str(name)) for code, name in WHOSE_CHOICES.items()]


@register.filter
def percent(job: Job | None) -> int | None:
    """Return how far the reading is, if it says so."""
    if job is None or not job.total:
        return None
    return min(round(100 * job.progress / job.total), 100)


@register.filter
def reading_status(job: Job | None) -> str:
    done = percent(job)
    if job is None or job.status == Job.Status.WAITING:
        return _("Waiting to be read")
    return _("Being read") if done is None else _("Being read: %d%%") % done
