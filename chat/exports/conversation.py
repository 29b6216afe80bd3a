"""The intermediate form of an exported conversation: its turns with everything a reader sees."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from chat.forms.turn_ranges import Ranges, find_bounds, is_selected
from chat.rendering.html import render_answer
from chat.rendering.inert import neutralise_markdown
from chat.shapes import answer_failures, outcomes, transcript
from chat.shapes.citation_styles import restyle_text
from chat.shapes.resources.memory import MemoryAnswer, memory_shape
from chat.shapes.resources.turns import draw_text, load_citations
from citations.bibliography.cited import (
    CitedDocument,
    choose_format,
    choose_language,
    list_cited,
)
from citations.bibliography.formatting import Entry
from citations.models import Citation, Claim, Source
from memory.errors import NotFound
from memory.models import Session, Turn
from memory.models.conversations import CitationStyle
from memory.text.citation_markers import strip_markers
from memory.text.plain import render_plain_text
from memory.text.words import split_words

PAGE = 100


@dataclass(frozen=True)
class Wish:
    """Options of an export: turns and citation style; empty values mean all turns as written."""

    style: str = ""
    citation_format: str = ""
    turns: Ranges = field(default_factory=list)


@dataclass(frozen=True)
class Quotation:
    """The words of a source behind a citation."""

    number: int
    title: str
    page: int | None
    text: str
    is_said: bool  # whether the answer has the same words
    source: Source


@dataclass(frozen=True)
class Doubt:
    """An unsupported statement of an answer, and its state."""

    label: str
    text: str


class ExportedTurn:
    """A question and its answer, in the style in which they are exported."""

    def __init__(self, turn: Turn, wish: Wish) -> None:
        self.turn = turn
        self.style = CitationStyle(wish.style or turn.style)
        self.position, self.query, self.asked_at = turn.position, turn.query, turn.asked_at

    @property
    def notice(self) -> tuple[str, str] | None:
        """The answer's outcome in a word, and its explanation."""
        return outcomes.notice(self.turn.outcome, self.turn.model)

    @property
    def failure(self) -> str:
        code = self.turn.failure
        return answer_failures.describe_failure(code) if code else ""

    @cached_property
    def markdown(self) -> str:
        """The answer as inert Markdown."""
        return neutralise_markdown(restyle_text(draw_text(self.turn), self.style))

    @cached_property
    def html(self) -> SafeString:
        """The answer as HTML whose numbers link to the notes below it."""
        turn = self.turn
        is_bare = self.style == CitationStyle.REFERENCE
        style = CitationStyle.REFERENCE if is_bare else CitationStyle.FOOTNOTE
        rows = turn.citations.all(), turn.claims.all()
        return render_answer(turn.response, *rows, style=style, turn=turn.position)

    @cached_property
    def quotations(self) -> dict[str, Quotation]:
        """The quoted words of each citation, by the id of its number in the HTML."""
        said = _strip_words(render_plain_text(self.turn.response))
        return {f"mark-{row.pk}": _make_quotation(row, said) for row in self.turn.citations.all()}

    @property
    def notes(self) -> list[tuple[int, str, list[Quotation]]]:
        """The cited sources, each once, by number, with their quotations."""
        notes: dict[int, list[Quotation]] = {}
        for each in dict.fromkeys(self.quotations.values()):
            notes.setdefault(each.number, []).append(each)
        return [(number, rows[0].title, rows) for number, rows in sorted(notes.items())]

    @property
    def support(self) -> transcript.AnswerSupport | None:
        return transcript.summarise_support(self.turn)

    @property
    def doubts(self) -> list[Doubt]:
        turn = self.turn
        return [
            Doubt(
                str(Claim.State(claim.state).label),
                render_plain_text(strip_markers(turn.response[claim.start : claim.end])).strip(),
            )
            for claim in turn.claims.all()
            if claim.state != Claim.State.SUPPORTED
        ]


class ExportedConversation:
    """A conversation to export. Read its turns before its sources."""

    def __init__(self, session: Session, wish: Wish) -> None:
        self.session, self.wish = session, wish
        self.title = session.title or _("Untitled conversation")
        self._cited: set[int] = set()
        self._format = choose_format(session.owner, session, wish.citation_format)
        self._language = choose_language()

    def read_turns(self) -> Iterator[ExportedTurn]:
        """Yield the chosen turns as they are now; raises NotFound if they may not be read."""
        for turn in read_selected_turns(self.session, self.wish.turns):
            self._cited.update(row.source.number for row in turn.citations.all())
            yield ExportedTurn(turn, self.wish)

    @property
    def sources(self) -> list[Entry]:
        """The bibliography by number: all sources, or those that the chosen turns cite."""
        is_whole = not self.wish.turns
        return [
            row.format(self._format, self._language)
            for row in self._documents.values()
            if is_whole or row.number in self._cited
        ]

    def cite(self, row: Source) -> Entry:
        """Return the source's line of the bibliography."""
        cited = self._documents.get(row.number) or CitedDocument(row.number, row.document)
        return cited.format(self._format, self._language)

    @cached_property
    def _documents(self) -> dict[int, CitedDocument]:
        return {cited.number: cited for cited in list_cited(self.session)}

    @property
    def memory(self) -> MemoryAnswer:
        """The conversation's memory; empty in an export of chosen turns."""
        return memory_shape(self.session)


def read_selected_turns(session: Session, ranges: Ranges) -> Iterator[Turn]:
    """Yield the existing turns; raises NotFound once they may not be read any more."""
    first, last = find_bounds(ranges, session.last_position)
    after = first - 1
    while after < last:
        check_visible(session)
        rows = Turn.objects.filter(session=session, position__gt=after, position__lte=last)
        page = list(load_citations(rows.order_by("position"))[:PAGE])
        yield from (turn for turn in page if is_selected(turn.position, ranges))
        after = page[-1].position if page else last


def check_visible(session: Session) -> None:
    """Raise NotFound if the person may not read the session any more."""
    if not Session.objects.visible(session.owner).filter(pk=session.pk).exists():
        raise NotFound


def _make_quotation(row: Citation, said: str) -> Quotation:
    document = row.source.document
    title = document.title if document else _("A document that was removed")
    page = row.passage.page if row.passage else None
    is_said = _strip_words(row.quote) in said
    return Quotation(row.source.number, title, page, row.quote, is_said, row.source)


def _strip_words(text: str) -> str:
    """Return the words of a text without signs and the borders of cells."""
    return f" {' '.join(split_words(text))} "
