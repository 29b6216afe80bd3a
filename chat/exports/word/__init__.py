"""A conversation as a Word file: headings, tables, code, footnotes and a bibliography."""

from collections.abc import Iterator
from io import BytesIO

from django.utils.translation import gettext as _
from docx import Document

from chat.exports.conversation import ExportedConversation, ExportedTurn, Quotation, Wish
from chat.exports.refusals import check_length
from chat.exports.word.blocks import WordBody
from chat.exports.word.runs import ILLEGAL
from chat.exports.wording import format_moment, list_memory, summarise_support
from memory.models import Session
from memory.models.conversations import CitationStyle

# The whole file is made in memory.
MOST_TURNS = 1000
MAX_TITLE = 255


def write_docx(session: Session, wish: Wish) -> Iterator[bytes]:
    """Write the conversation; it is sent once it is complete."""
    check_length(session, wish, MOST_TURNS)
    conversation = ExportedConversation(session, wish)
    document = Document()
    document.core_properties.title = ILLEGAL.sub("", conversation.title)[:MAX_TITLE]
    document.core_properties.author = ""
    body = WordBody(document)
    body.add_paragraph(conversation.title, style="Title")
    body.add_paragraph(format_moment(session.created_at), marks={"muted"})
    for turn in conversation.read_turns():
        _add_turn(body, turn, conversation)
    if entries := conversation.sources:
        body.add_paragraph(_("Sources"), style="Heading1")
        for entry in entries:
            body.add_paragraph(f"[{entry.number}] ", html=entry.html)
    if remembered := list_memory(conversation):
        body.add_paragraph(_("What this conversation remembers"), style="Heading1")
        for line in remembered:
            body.add_paragraph(line, style="ListBullet")
    body.finish()
    file = BytesIO()
    document.save(file)
    yield file.getvalue()


def _add_turn(body: WordBody, turn: ExportedTurn, conversation: ExportedConversation) -> None:
    heading = f"{turn.position}. {format_moment(turn.asked_at)}"
    body.add_paragraph(heading, style="Heading1")
    body.add_paragraph(turn.query, marks={"bold"})
    if turn.notice:
        body.add_paragraph(" ".join(turn.notice), marks={"italic"})
    marks = {
        mark: (each.number, _write_footnote(each, conversation))
        for mark, each in turn.quotations.items()
    }
    body.add_html(turn.html, marks, is_raised=turn.style == CitationStyle.FOOTNOTE)
    if turn.failure:
        body.add_paragraph(turn.failure, marks={"italic"})
    if turn.style == CitationStyle.REFERENCE:  # the answer has no numbers for footnotes
        for line in dict.fromkeys(note for _number, note in marks.values()):
            body.add_paragraph(line, style="ListBullet")
    if support := summarise_support(turn):
        body.add_paragraph(support, marks={"muted", "small"})
    for doubt in turn.doubts:
        body.add_paragraph(f"{doubt.label}: {doubt.text}", style="ListBullet")


def _write_footnote(each: Quotation, conversation: ExportedConversation) -> str:
    page = " " + _("p.\u00a0%d") % each.page if each.page else ""
    return f"{conversation.cite(each.source).text}{page} “{each.text}”"
