"""The pages of a package: conversations to read offline, without scripts."""

from collections.abc import Iterator
from contextlib import suppress

from django.template.loader import render_to_string
from django.utils import timezone

from chat.exports.conversation import ExportedConversation, Wish
from chat.exports.pages import read_page_style, turn_html
from chat.packages import files
from chat.packages.progress import Progress
from memory.errors import NotFound
from memory.models import ApiToken, Session, User
from memory.personal_data import consent

Written = Iterator[tuple[str, Iterator[str]]]


def write_pages(person: User, progress: Progress) -> Written:
    """Yield the name and the text, in pieces, of every page."""
    sessions = list(Session.objects.visible(person).latest_first())
    index = {
        "style": read_page_style(),
        "person": person,
        "made_at": timezone.now(),
        "conversations": [(session, name_page(session)) for session in sessions],
        "documents": [
            (document, files.name_file(document)) for document in files.list_own_documents(person)
        ],
        "standings": consent.list_standings(person),
        "tokens": ApiToken.objects.owned(person).order_by("-id"),
    }
    yield "index.html", iter([render_to_string("packages/index.html", index)])
    for session in sessions:
        yield name_page(session), _write_conversation(session, progress)


def name_page(session: Session) -> str:
    """Return the path of the conversation's page in the package."""
    return f"conversations/{session.pk}.html"


def _write_conversation(session: Session, progress: Progress) -> Iterator[str]:
    """Yield the page of a conversation, as in exports, with the ratings of answers."""
    head = {"title": session.title, "session": session, "style": read_page_style()}
    yield render_to_string("packages/_head.html", head)
    conversation = ExportedConversation(session, Wish())
    with suppress(NotFound):  # deleted meanwhile, and the package with it
        for turn in progress.counted(conversation.read_turns()):
            yield turn_html(turn)
            yield render_to_string("packages/_rating.html", {"turn": turn.turn})
    yield render_to_string("exports/foot.html", {"sources": conversation.sources})
