"""The pages of a package: conversations to read without Throughline, without scripts or network."""

from collections.abc import Iterator
from typing import Any

from django.template.loader import render_to_string
from django.utils import timezone

from chat.exports.pages import page_style
from chat.packages import files
from chat.packages.progress import Progress
from chat.shapes.resources.turns import load_citations
from memory.models import ApiToken, Session, Turn, User
from memory.personal_data import consent

PAGE = 100
Written = Iterator[tuple[str, Iterator[str]]]


def written_pages(person: User, progress: Progress) -> Written:
    """Yield name and text, in pieces, of every page."""
    sessions = list(Session.objects.visible(person).latest_first())
    index = {
        "style": page_style(),
        "person": person,
        "made_at": timezone.now(),
        "conversations": [(session, page_name(session)) for session in sessions],
        "documents": [
            (document, files.file_name(document)) for document in files.own_documents(person)
        ],
        "standings": consent.standings(person),
        "tokens": ApiToken.objects.owned(person).order_by("-id"),
    }
    yield "index.html", iter([render_to_string("packages/index.html", index)])
    for session in sessions:
        yield page_name(session), _conversation(session, progress)


def page_name(session: Session) -> str:
    """Return where in the package the conversation can be read."""
    return f"conversations/{session.pk}.html"


def _conversation(session: Session, progress: Progress) -> Iterator[str]:
    head = {"title": session.title, "session": session, "style": page_style()}
    yield render_to_string("packages/_head.html", head)
    for turn in progress.counted(_turns(session)):
        yield render_to_string("packages/_turn.html", {"turn": turn, "notes": _notes(turn)})
    yield render_to_string("packages/_foot.html")


def _turns(session: Session) -> Iterator[Turn]:
    after = 0
    while page := list(
        load_citations(session.turns.filter(position__gt=after)).order_by("position")[:PAGE]
    ):
        yield from page
        after = page[-1].position


def _notes(turn: Turn) -> list[dict[str, Any]]:
    """Return the sources that the answer cites, each once, with its quotes."""
    notes: dict[int, dict[str, Any]] = {}
    for citation in turn.citations.all():
        number = citation.source.number
        document = citation.source.document
        note = notes.setdefault(number, {"number": number, "document": document, "quotes": []})
        if citation.quote and citation.quote not in note["quotes"]:
            note["quotes"].append(citation.quote)
    return [notes[number] for number in sorted(notes)]
