"""A conversation as Markdown, for people."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from chat.exports.conversation import ExportedConversation, ExportedTurn, Quotation, Wish
from chat.exports.wording import format_moment, list_memory, summarise_support
from chat.shapes.citation_styles import plain_markdown
from memory.models import Session
from memory.models.conversations import CitationStyle

# How a quote's number is written in each style.
MARKS = {
    CitationStyle.INLINE: "[%d] ",
    CitationStyle.FOOTNOTE: "[^%d] ",
    CitationStyle.REFERENCE: "",
}


def write_markdown(session: Session, wish: Wish) -> Iterator[str]:
    """Write the conversation piece by piece."""
    conversation = ExportedConversation(session, wish)
    yield f"# {plain_markdown(conversation.title)}\n\n{format_moment(session.created_at)}\n"
    # In a Markdown file a footnote has one note, however many answers refer to it.
    noted: set[int] = set()
    for turn in conversation.read_turns():
        if turn.style == CitationStyle.FOOTNOTE:
            noted |= {number for number, _title, _rows in turn.notes}
        yield "\n" + "\n\n".join(_blocks(turn)) + "\n"
    yield from _sources(conversation, noted)
    remembered = list_memory(conversation)
    if remembered:
        yield f"\n## {_('What this conversation remembers')}\n\n"
        yield from (f"- {plain_markdown(line)}\n" for line in remembered)


def _blocks(turn: ExportedTurn) -> Iterator[str]:
    # A question is one paragraph, whatever blank lines it has: what follows it is the answer.
    asked = "\\\n".join(map(plain_markdown, turn.query.splitlines()))
    yield f"## {turn.position}. {format_moment(turn.asked_at)}"
    yield f"**{_('Question')}:** {asked}"
    if turn.notice:
        yield f"**{turn.notice[0]}** {turn.notice[1]}"
    if turn.markdown:
        yield turn.markdown
    if turn.failure:
        yield f"*{turn.failure}*"
    if lines := list(dict.fromkeys(_quote(each, turn) for each in turn.quotations.values())):
        yield "\n".join(lines)
    if support := summarise_support(turn):
        yield f"*{support}*"
    if turn.doubts:
        yield "\n".join(f"- {each.label}: {plain_markdown(each.text)}" for each in turn.doubts)


def _quote(each: Quotation, turn: ExportedTurn) -> str:
    """Return the line of a citation; with the words only if the answer hasn't the same."""
    mark = MARKS[turn.style]
    page = ", " + _("p.\u00a0%d") % each.page if each.page else ""
    where = f"- {mark % each.number if mark else ''}{plain_markdown(each.title)}{page}"
    return where if each.is_said else f"{where}: “{plain_markdown(each.text)}”"


def _sources(conversation: ExportedConversation, noted: set[int]) -> Iterator[str]:
    """Yield the list of all sources, and the notes of the footnotes."""
    entries = {entry.number: plain_markdown(entry.text) for entry in conversation.sources}
    if entries:
        yield f"\n## {_('Sources')}\n\n"
    yield from (f"- [{number}] {text}\n" for number, text in entries.items())
    if notes := [f"[^{number}]: {entries[number]}\n" for number in sorted(noted & {*entries})]:
        yield "\n" + "".join(notes)
