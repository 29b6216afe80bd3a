"""Structures made of quotations, without a model."""

import re
from collections.abc import Mapping, Sequence

from django.utils.translation import gettext_noop

from chat.extractive.markdown import embolden
from chat.structures.definition import Evidence, Question
from memory.text.embedding import compute_likeness
from memory.text.words import extract_terms

NOT_STATED = gettext_noop("not stated")
MOST_ITEMS, MOST_HEADINGS, MOST_CRITERIA = 5, 8, 4
# Least share of a criterion's terms in a quotation.
COVERED = 0.5
# Least similarity of a heading to a criterion. Of 21 words in four languages, compared with the
# headings of CVs, 8 of the 10 that mean a heading reach it, and none of the other 11.
LIKE = 0.8
# Words for the lowest and the highest values, in English and Spanish.
LOWEST = re.compile(
    r"\b(?:cheapest|lowest|least|fewest|smallest|shortest|youngest|menos|menor|barat\w+)\b",
    re.IGNORECASE,
)
HIGHEST = re.compile(
    r"\b(?:most|highest|largest|longest|oldest|biggest|más|mayor|top)\b", re.IGNORECASE
)
FIGURE = re.compile(r"\d[\d.,]*")
# The beginning before the statement: "Is it true that …", "Verify: …".
STATED = re.compile(r"^.{0,60}?(?:\b(?:that|whether|if|que|si)\b|:)\s+", re.IGNORECASE | re.DOTALL)
BETWEEN_STATEMENTS = re.compile(r"[\n;]+")
CELLS = " | "


def select_best_document(passages: Sequence[Evidence]) -> list[Evidence]:
    """Return the units of the document with the best unit."""
    if not passages:
        return []
    best = max(passages, key=lambda each: each.score)
    return [each for each in passages if each.document == best.document]


def select_by_heading(units: Sequence[Evidence], *, first: bool = False) -> dict[str, Evidence]:
    """Return the best unit under each heading, or the first one."""
    found: dict[str, Evidence] = {}
    for each in units:
        known = found.get(each.heading)
        if known is None or (not first and known.score < each.score):
            found[each.heading] = each
    return dict(list(found.items())[:MOST_HEADINGS])


def select_by_passage(passages: Sequence[Evidence]) -> list[Evidence]:
    """Return the best unit of each passage, the best first."""
    best: dict[int, Evidence] = {}
    for each in passages:
        if each.label not in best or best[each.label].score < each.score:
            best[each.label] = each
    return sorted(best.values(), key=lambda each: -each.score)


def embolden_question(evidence: Evidence, question: str) -> str:
    """Return the quotation with the question's words in bold."""
    return f"{embolden(evidence.text, frozenset(extract_terms(question)))} [{evidence.label}]"


def gather_items(question: Question, passages: Sequence[Evidence]) -> Mapping[str, list[Evidence]]:
    """Return the items to compare, with the units about each.

    These are documents by name: those that the question names, if at least two; else those of the
    best units that have similar titles, such as CVs.
    """
    ranked = sorted(passages, key=lambda each: -each.score)
    titles = list(dict.fromkeys(each.document for each in ranked))
    names = dict(zip(titles, shorten_titles(titles), strict=True))
    asked = set(extract_terms(" ".join(question.items) or question.text))
    named = [title for title in titles if asked.intersection(extract_terms(names[title]))]
    alike = [title for title in titles if names[title] != title]
    chosen = next((some for some in (named, alike) if len(some) > 1), titles)[:MOST_ITEMS]
    return {names[title]: [each for each in passages if each.document == title] for title in chosen}


def shorten_titles(titles: Sequence[str]) -> list[str]:
    """Return the titles without their common first words."""
    parted = [title.split() for title in titles]
    return [" ".join(part[_count_shared_words(part, parted) :]) for part in parted]


def _count_shared_words(part: Sequence[str], parted: Sequence[Sequence[str]]) -> int:
    shared = [
        next((at for at, (one, two) in enumerate(zip(part, other, strict=False)) if one != two), 0)
        for other in parted
        if other is not part
    ]
    return max(shared, default=0)


def find_shared_headings(items: Mapping[str, Sequence[Evidence]]) -> list[str]:
    """Return the headings that several items have."""
    headings = [each.heading for own in items.values() for each in select_by_heading(own).values()]
    shared = [each for each in dict.fromkeys(headings) if each and headings.count(each) > 1]
    return shared[:MOST_CRITERIA]


def quote_each(criterion: str, items: Mapping[str, Sequence[Evidence]]) -> list[str]:
    """Return for each item the quotation on the criterion; empty if it has none.

    If no item has its words, a heading of the same meaning is used: "idiomas", "Languages".
    """
    quoted = [quote_criterion(criterion, own) for own in items.values()]
    if any(quoted):
        return quoted
    headings = list({each.heading: None for own in items.values() for each in own if each.heading})
    likeness = compute_likeness(criterion, headings)
    near = max(zip(likeness, headings, strict=True), default=(0.0, ""))
    if near[0] < LIKE:
        return quoted
    under = [[each for each in own if each.heading == near[1]] for own in items.values()]
    return [max(own, key=lambda each: each.score).quote if own else "" for own in under]


def quote_criterion(criterion: str, units: Sequence[Evidence]) -> str:
    """Return the best quotation about the criterion; empty if none has enough of its terms."""
    wanted = set(extract_terms(criterion))
    covered = {
        each: len(wanted.intersection(extract_terms(f"{each.heading} {each.header} {each.text}")))
        for each in units
    }
    best = max(units, key=lambda each: (covered[each], each.score), default=None)
    return best.quote if best and covered[best] >= COVERED * max(1, len(wanted)) else ""


def split_statements(question: str) -> list[str]:
    """Return the statements that the question wants verified."""
    said = STATED.sub("", question, count=1)
    return [each.strip(" ¿?.") for each in BETWEEN_STATEMENTS.split(said) if extract_terms(each)]


def rank_rows(question: str, passages: Sequence[Evidence]) -> list[tuple[str, str]]:
    """Return names and cited figures of a table's rows, ranked by the column asked for.

    Empty unless the question names exactly one column and a direction, and each row has a figure
    there.
    """
    is_lowest, is_highest = bool(LOWEST.search(question)), bool(HIGHEST.search(question))
    rows = [each for each in passages if each.header]
    headers = {each.header for each in rows}
    if is_lowest == is_highest or len(headers) != 1:
        return []
    asked = set(extract_terms(question))
    _first, *columns = headers.pop().split(CELLS)
    named = [at for at, head in enumerate(columns, 1) if asked.intersection(extract_terms(head))]
    if len(named) != 1:
        return []
    cells = [(each, each.text.split(CELLS)[named[0] :][:1]) for each in rows]
    figures = [(read_figure("".join(cell)), each, "".join(cell)) for each, cell in cells]
    if any(figure is None for figure, *_ in figures):
        return []
    figures.sort(key=lambda each: each[0] or 0.0, reverse=is_highest)
    return [(each.text.split(CELLS)[0], f"{cell} [{each.label}]") for _, each, cell in figures]


def read_figure(cell: str) -> float | None:
    """Parse the only figure of a cell."""
    found = FIGURE.findall(cell)
    try:
        return float(found[0].replace(",", "")) if len(found) == 1 else None
    except ValueError:
        return None
