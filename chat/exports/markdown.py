"""A conversation as Markdown, for people."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from chat.exports.conversation import ExportedConversation, ExportedTurn, Quotation, Wish
from chat.exports.wording import format_moment, list_memory, summarise_support
from chat.shapes.citation_styles import escape_markdown
from memory.models import Session
from memory.models.conversations import CitationStyle

# The mark of a quote's number in each citation style.
MARKS = {
    CitationStyle.INLINE: "[%d] ",
    CitationStyle.FOOTNOTE: "[^%d] ",
    CitationStyle.REFERENCE: "",
}


def write_markdown(session: Session, wish: Wish) -> Iterator[str]:
    """Write the conversation piece by piece."""
    conversation = ExportedConversation(session, wish)
    yield f"# {escape_markdown(conversation.title)}\n\n{format_moment(session.created_at)}\n"
    # In a Markdown file each footnote is defined once, however many answers refer to it.
    noted: set[int] = set()
    for turn in conversation.read_turns():
        if turn.style == CitationStyle.FOOTNOTE:
            noted |= {number for number, _title, _rows in turn.notes}
        yield "\n" + "\n\n".join(_write_blocks(turn)) + "\n"
    yield from _write_sources(conversation, noted)
    remembered = list_memory(conversation)
    if remembered:
        yield f"\n## {_('What this conversation remembers')}\n\n"
        yield from (f"- {escape_markdown(line)}\n" for line in remembered)


def _write_blocks(turn: ExportedTurn) -> Iterator[str]:
    # A question is one paragraph, even with blank lines: the answer follows it.
    asked = "\\\n".join(map(escape_markdown, turn.query.splitlines()))
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
        yield "\n".join(f"- {each.label}: {escape_markdown(each.text)}" for each in turn.doubts)


def _quote(each: Quotation, turn: ExportedTurn) -> str:
    """Return the line of a citation, with its words unless the answer has the same."""
    mark = MARKS[turn.style]
    page = ", " + _("p.\u00a0%d") % each.page if each.page else ""
    where = f"- {mark % each.number if mark else ''}{escape_markdown(each.title)}{page}"
    return where if each.is_said else f"{where}: “{escape_markdown(each.text)}”"


def _write_sources(conversation: ExportedConversation, noted: set[int]) -> Iterator[str]:
    """Yield the list of all sources, and the notes of the footnotes."""
    entries = {entry.number: escape_markdown(entry.text) for entry in conversation.sources}
    if entries:
        yield f"\n## {_('Sources')}\n\n"
    yield from (f"- [{number}] {text}\n" for number, text in entries.items())
    if notes := [f"[^{number}]: {entries[number]}\n" for number in sorted(noted & {*entries})]:
        yield "\n" + "".join(notes)
