"""Quotes as Markdown: quotations as blocks, tables as tables, code as code, one number for each."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest

from django.utils.translation import gettext as _

from chat.prompting.prompts import BRACKETED_NUMBER
from chat.quoting.columns import narrowed
from chat.quoting.kinds import QuestionKind
from chat.quoting.kinds.wordings import DATE
from chat.quoting.reading import nearest_heading
from chat.quoting.spans import Quote
from citations.formats.blocks import CELLS
from citations.ingestion.chunking import SEPARATOR
from citations.languages import common_words, language_of
from citations.models import Passage
from citations.retrieval.code import joined_parts
from citations.retrieval.units import PassageUnit, UnitForm
from memory.text.words import stem, terms, words

MOST_LINES = 16  # of code
MOST_SET_OFF = 3
# Of so many those are chosen that stand nearest to the question's words.
MOST_WEIGHED = 40
MOST_SEARCHED = 20_000  # characters: far more than a passage of words has
# Characters before what is set off that tell what it is of.
NEAR_BEFORE = 40
PAIR = 2  # cells: a term, and what it means
WORD = re.compile(r"[^\W_]+(?:[-'’.][^\W_]+)*")
# What Markdown would take for more than it is, where it stands at the beginning of a line.
AT_LINE_START = re.compile(r"^(\d{1,9})?([-+](?=[\s-])|#(?=#{0,5}(?:\s|$))|>|~(?=~~)|[.)](?=\s))")
MARKS = re.compile(r"[\\`*]|(?<![^\W_])_|_(?![^\W_])")
# What a list draws; "(5)" is what a paragraph of a law is called.
ITEM_MARK = re.compile(r"^\s*(?:[-*•–▪◦‣]|[\da-zA-Z]{1,4}[.)])\s+")
# What is copied as it is: an address, a link, a path.
ADDRESS = re.compile(r"[@<>]|://|/[^/\s]{0,200}/")
LONGEST_ADDRESS = 200
# Of "clock_gettime", what stands around a part of it.
PARTS_BEFORE = re.compile(r"(?:[^\W_]{1,40}\\?_)+\Z")
PARTS_AFTER = re.compile(r"(?:\\?_[^\W_]{1,40})+")
LONGEST_IDENTIFIER = 120
FENCE = "```"
LONGEST_NAME = 90


def written_quotes(
    quotes: Sequence[Quote],
    labels: Mapping[int, int],
    kinds: Iterable[QuestionKind],
    asked: str,
    *,
    has_bullets: bool = False,
) -> str:
    """Return the quotes as the text of an answer, behind each its marker and where it stands.

    `labels` are those of the offered passages, by their keys; with bullets each sentence has one.
    """
    sought = Sought(kinds, asked)
    shown = []
    for at, quote in enumerate(quotes):
        label = labels[quote.passage.pk]
        shown.append(block(quote, label, sought, is_first=at == 0, has_bullets=has_bullets))
        following = quotes[at + 1].passage if at + 1 < len(quotes) else None
        if following is None or place_line(following) != place_line(quote.passage):
            shown.append(place_line(quote.passage))
    return "\n\n".join(shown)


def place_line(passage: Passage) -> str:
    """Return the line behind a quotation that says where it stands: document, section, page."""
    sections = nearest_heading(passage.heading).split("\n")
    path = [clipped_words(part) for part in (passage.document.title, *sections) if part]
    names = SEPARATOR.join(dict.fromkeys(path))
    page = _("p. %(page)d") % {"page": passage.page} if passage.page else ""
    return f"*{' · '.join(part for part in (names, page) if part)}*"


def clipped_words(name: str) -> str:
    line = quotable(name)
    return line if len(line) <= LONGEST_NAME else f"{line[:LONGEST_NAME].rstrip()}…"


class Sought:
    """What is set off in a quotation: what the question looks for, else its own words."""

    def __init__(self, kinds: Iterable[QuestionKind], asked: str) -> None:
        self._answers = [kind.says for kind in kinds if kind.is_answer and kind.says]
        common = {stem(word) for word in common_words(language_of(asked))}
        self._stems = frozenset(terms(asked)) - common

    def narrowed(self, head: list[str], rows: list[list[str]]) -> tuple[list[str], list[list[str]]]:
        """Return what of a wide table the question asks for."""
        return narrowed(head, rows, self._stems, self._answers)

    def in_bold(self, text: str) -> str:
        """Return the text, which is Markdown by now, with some stretches of it in bold."""
        cut = len(text) if len(text) <= MOST_SEARCHED else text.rfind(" ", 0, MOST_SEARCHED) + 1
        text, behind = text[:cut], text[cut:]
        found = [match.span() for says in self._answers for match in says.finditer(text)]
        found = [
            span
            for span in found
            if not all(stem(word) in self._stems for word in words(text[slice(*span)]))
        ]
        found = found or self._own(text)
        apart: list[tuple[int, int]] = []
        for start, end in sorted(found):
            if ADDRESS.search(word_around(text, start)):
                continue
            start, end = identifier(text, start, end)
            end -= len(text[start:end]) - len(text[start:end].rstrip(" .,"))
            if not apart or start > apart[-1][1]:
                apart.append((start, end))
            if len(apart) == MOST_WEIGHED:
                break
        if len(apart) > MOST_SET_OFF:
            apart = self._nearest(text, apart)
        for start, end in reversed(apart[:MOST_SET_OFF]):
            text = f"{text[:start]}**{text[start:end]}**{text[end:]}"
        return text + behind

    def _nearest(self, text: str, found: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        """Return those of many that stand right behind the most of the question's words: of all
        dates that of "Version 1.5 ratified on".
        """
        held = [
            len(self._stems.intersection(terms(text[max(start - NEAR_BEFORE, 0) : start])))
            for start, _ in found
        ]
        most = max(held)
        return [span for span, count in zip(found, held, strict=True) if count == most]

    def _own(self, text: str) -> list[tuple[int, int]]:
        """Return where the question's words stand, those in a row as one: a name without its verb,
        and a date whole.
        """
        found: list[tuple[int, int]] = []
        for match in WORD.finditer(text):
            if not self._stems.intersection(map(stem, words(match.group()))):
                continue
            if not found or text[found[-1][1] : match.start()].strip(" -"):
                found.append(match.span())
            elif not is_name(text[slice(*found[-1])]) or not match.group().islower():
                found[-1] = (found[-1][0], match.end())
        dates = [date.span() for date in DATE.finditer(text)]
        return [whole(span, dates) for span in found]


def is_name(run: str) -> bool:
    """Return whether each word has a capital, and there are several."""
    said = run.split()
    return len(said) > 1 and all(word[:1].isupper() for word in said)


def whole(span: tuple[int, int], dates: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Return the date that the stretch is a part of, or the stretch."""
    return next((date for date in dates if date[0] <= span[0] and span[1] <= date[1]), span)


def identifier(text: str, start: int, end: int) -> tuple[int, int]:
    """Return where the identifier begins and ends that the stretch is a part of, in Markdown."""
    first = max(start - LONGEST_IDENTIFIER, 0)
    before = PARTS_BEFORE.search(text[first:start])
    after = PARTS_AFTER.match(text, end, end + LONGEST_IDENTIFIER)
    return first + before.start() if before else start, after.end() if after else end


def word_around(text: str, at: int) -> str:
    """Return what stands there between white space, as far as an address may reach."""
    before, after = text[max(at - LONGEST_ADDRESS, 0) : at], text[at : at + LONGEST_ADDRESS]
    return "".join([*before.split(" ")[-1:], *after.split(" ")[:1]])


def block(
    quote: Quote, label: int, sought: Sought, *, is_first: bool, has_bullets: bool = False
) -> str:
    """Return one quotation with its marker; in the first what answers is set off."""
    text = quote.passage.text
    marker = f"[{label}]"
    shown = [
        quoted_lines(group, text, sought, is_set_off=is_first, has_bullets=has_bullets)
        for group in in_groups([*quote.above, *quote.units])
    ]
    last = shown[-1]
    if last.endswith((FENCE, "|")):
        shown.append(marker)
    else:
        shown[-1] = f"{last} {marker}"
    whole = "\n\n".join(shown)
    return "\n".join(f"> {line}".rstrip() for line in whole.split("\n"))


def in_groups(units: Sequence[PassageUnit]) -> list[list[PassageUnit]]:
    """Return the units so that those that make one paragraph, list or table are together."""
    groups: list[list[PassageUnit]] = []
    for unit in units:
        if groups and are_one(groups[-1][-1], unit):
            groups[-1].append(unit)
        else:
            groups.append([unit])
    return groups


def are_one(last: PassageUnit, unit: PassageUnit) -> bool:
    of_table = (UnitForm.ROW, UnitForm.ABOVE)
    if unit.form in of_table:
        return last.form in of_table
    if unit.form is UnitForm.SENTENCE:
        return last.form is UnitForm.SENTENCE and last.block == unit.block
    if unit.form is UnitForm.CODE:
        return last.form is UnitForm.CODE and last.block == unit.block
    return unit.form is UnitForm.ITEM and last.form is UnitForm.ITEM


def quoted_lines(
    group: Sequence[PassageUnit],
    text: str,
    sought: Sought,
    *,
    is_set_off: bool,
    has_bullets: bool,
) -> str:
    form = group[-1].form
    if form is UnitForm.CODE:
        return code(joined_parts(((unit.start, unit.end) for unit in group), text))
    if form is UnitForm.ROW:
        return table(group, text, sought)
    shown = [shown_as(unit, text) for unit in group]
    if is_set_off:
        shown = [sought.in_bold(each) for each in shown]
    is_list = has_bullets or (form is UnitForm.ITEM and len(shown) > 1)
    return "\n".join(f"- {each}" for each in shown) if is_list else " ".join(shown)


def code(text: str) -> str:
    lines = text.strip("\n").replace(FENCE, "'''").split("\n")
    kept = lines[:MOST_LINES] + ["…"] * (len(lines) > MOST_LINES)
    return "\n".join([FENCE, *kept, FENCE])


def table(group: Sequence[PassageUnit], text: str, sought: Sought) -> str:
    """Return rows as a table under their header; a caption stands above it."""
    rows = [unit.of(text) for unit in group]
    captions = [row for unit, row in zip(group, rows, strict=True) if not is_cells(unit, row)]
    cells = [
        [quotable(cell).replace("|", r"\|") for cell in row.split(CELLS)]
        for unit, row in zip(group, rows, strict=True)
        if is_cells(unit, row)
    ]
    cells = without_blank_columns(cells)
    width = max(map(len, cells))
    heads = sum(unit.form is UnitForm.ABOVE for unit in group) - len(captions)
    above = "".join(f"{quotable(caption)}\n\n" for caption in captions)
    if not heads and width <= PAIR:
        return above + pairs(cells)
    head, body = (cells[heads - 1], cells[heads:]) if heads else ([], cells)
    if heads:
        head, body = sought.narrowed(head, body)
        width = max(map(len, [head, *body]))
    filled = [[*row, *([""] * (width - len(row)))] for row in [head, ["---"] * width, *body]]
    return above + "\n".join("| " + " | ".join(row) + " |" for row in filled)


def without_blank_columns(rows: list[list[str]]) -> list[list[str]]:
    """Return the rows without columns in which none of them says anything."""
    columns = list(zip_longest(*rows, fillvalue=""))
    said = [at for at, column in enumerate(columns) if any(column)]
    return [[row[at] for at in said if at < len(row)] for row in rows] if said else rows


def pairs(rows: Sequence[Sequence[str]]) -> str:
    """Return rows of a term and what is said of it as lines, since nothing heads their columns."""
    shown = [": ".join(cell for cell in row if cell) for row in rows]
    return "\n".join(f"- {row}" for row in shown) if len(shown) > 1 else shown[0]


def is_cells(unit: PassageUnit, row: str) -> bool:
    return unit.form is UnitForm.ROW or CELLS in row


def shown_as(unit: PassageUnit, text: str) -> str:
    """Return a unit of the text as Markdown, an item without its mark."""
    return quotable(
        ITEM_MARK.sub("", unit.of(text)) if unit.form is UnitForm.ITEM else unit.of(text)
    )


def quotable(text: str) -> str:
    """Return a stretch of a document as Markdown that reads as the stretch does, on one line."""
    line = " ".join(text.split())
    line = MARKS.sub(lambda found: "\\" + found.group(), line)
    line = BRACKETED_NUMBER.sub(r"\[\1\]", line)  # a number of the document's, no marker
    return AT_LINE_START.sub(r"\1\\\2", line)
