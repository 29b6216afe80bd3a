"""What the library's templates say with a word of their own."""

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from citations.models import Document
from citations.readers import failures, kinds
from memory.models import Job

KIND_CHOICES = {
    "pdf": "PDF",
    "word": "Word",
    "web": gettext_lazy("Web page"),
    "markdown": "Markdown",
    "text": gettext_lazy("Text"),
}
KIND_NAMES = {kind.media_type: KIND_CHOICES[kind.code] for kind in kinds.KINDS}
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
