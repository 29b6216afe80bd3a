"""Questions to begin with and to go on with: about what the library holds, so they have answers."""

from itertools import islice

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from chat import transcript
from citations.models import Document
from memory.models import Turn, User

SHOWN, SHOWN_NEXT = 3, 2
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
# Follow-ups that say little by themselves: what was said before makes them questions.
SAMPLE_NEXT = {
    "Model Pooling and Servicing Agreement": gettext_noop(
        "And what happens if it falls on a weekend?"
    ),
    "Notes on PIK3CA: mutations and drugs": gettext_noop(
        "Which of them was given with palbociclib?"
    ),
    "Notes on BRCA1: ovarian cancer": gettext_noop("And of breast cancer?"),
    "Role descriptions: backend engineer and frontend engineer": gettext_noop(
        "And the frontend one?"
    ),
}


def suggestions(user: User) -> list[str]:
    """Return a few questions about the newest documents the person may read."""
    ready = Document.objects.readable_by(user).filter(status=Document.Status.READY)
    titles = [row.title for row in ready.order_by("-created_at", "-id")[:LOOKED_AT]]
    known = [_(SAMPLE[title]) for title in SAMPLE if title in titles]
    others = (_("What does “%(title)s” say?") % {"title": title} for title in titles if title)
    return known[:SHOWN] or list(islice(others, SHOWN))


def follow_ups(turn: Turn) -> list[str]:
    """Return questions to go on with after a conversation's first answer."""
    if turn.position != 1 or turn.status != Turn.Status.COMPLETE:
        return []
    sources = transcript.cited_sources(turn)
    document = sources[0].document if sources else None
    if document is None:
        return []
    if document.title in SAMPLE_NEXT:
        return [_(SAMPLE_NEXT[document.title])]
    passages = document.passages.exclude(citations__turn=turn).order_by("position")[:LOOKED_AT]
    headings = dict.fromkeys(passage.heading.rpartition("› ")[2] for passage in passages)
    asked = (
        _("What does it say about “%(heading)s”?") % {"heading": each} for each in headings if each
    )
    return list(islice(asked, SHOWN_NEXT))
