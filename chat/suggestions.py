"""Questions for a first page: about what the library holds, so that each has an answer."""

from itertools import islice

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from citations.models import Document
from memory.models import User

SHOWN = 4
LOOKED_AT = 50
# Questions for the sample library, by the title of the document that answers them.
SAMPLE = {
    "Model Pooling and Servicing Agreement": gettext_noop("What is the Determination Date?"),
    "Notes on PIK3CA: mutations and drugs": gettext_noop("Which drugs target PIK3CA?"),
    "Notes on BRCA1: ovarian cancer": gettext_noop(
        "How high is the risk of ovarian cancer for BRCA1 carriers?"
    ),
    "Role descriptions: backend engineer and frontend engineer": gettext_noop(
        "What does the backend role require?"
    ),
}


def suggestions(user: User) -> list[str]:
    """Return a few questions about the newest documents the person may read."""
    ready = Document.objects.readable_by(user).filter(status=Document.Status.READY)
    titles = [row.title for row in ready.order_by("-created_at", "-id")[:LOOKED_AT]]
    known = [_(SAMPLE[title]) for title in SAMPLE if title in titles]
    others = (_("What does “%(title)s” say?") % {"title": title} for title in titles if title)
    return known[:SHOWN] or list(islice(others, SHOWN))
