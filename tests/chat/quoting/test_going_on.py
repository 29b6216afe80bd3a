"""A list, a table or code that goes on in the passage behind is quoted with what leads to it."""

import pytest

from chat.quoting.choosing import chosen_quotes
from chat.quoting.spans.going_on import goes_on_in, may_go_on
from chat.quoting.spans.lists import MOST_OF_LIST
from chat.turns.grounding.going_on import with_what_goes_on
from citations.formats.blocks import BlockKind
from citations.models import Document, Passage
from citations.retrieval import Scope, find_passages
from memory.models import User
from tests.chat.quoting.material import add
from tests.chat.quoting.passages import candidates, passage_of, texts

P, ITEM, CODE = BlockKind.PARAGRAPH, BlockKind.ITEM, BlockKind.CODE
HEADER, ROW = BlockKind.HEADER, BlockKind.ROW

Blocks = list[tuple[BlockKind, str]]


def two(first: Blocks, second: Blocks, heading: str = "Rules") -> tuple[Passage, Passage]:
    """Return two passages of one document, one behind the other."""
    document = Document(title="Guide")
    return (
        passage_of(*first, of=document, heading="Rules", position=1),
        passage_of(*second, of=document, heading=heading, position=2),
    )


def quoted(passages: tuple[Passage, Passage], best: str, *, lists: bool = False) -> list[list[str]]:
    units = [unit for each in passages for unit in candidates(each, {best: 0.9})]
    return [texts(quote) for quote in chosen_quotes(units, lists=lists)]


@pytest.mark.once
@pytest.mark.parametrize(
    ("first", "second", "rest"),
    [
        ([(P, "It has these rooms:")], [(ITEM, "- a hall"), (ITEM, "- a bath"), (P, "Bye.")], 2),
        ([(P, "It has these rooms:")], [(P, "It has these rooms:"), (ITEM, "- a hall")], -1),
        ([(P, "Type this to begin:")], [(CODE, "begin --now"), (P, "It begins.")], 1),
        ([(P, "Not if:"), (P, "(a) it rains; or")], [(P, "(b) it snows."), (P, "Bye.")], 1),
    ],
)
def test_what_was_led_to_or_is_one_sentence_goes_on(
    first: Blocks, second: Blocks, rest: int
) -> None:
    one, other = quoted(two(first, second), first[0][1])
    assert one == [text for _, text in first]
    assert other == [text for _, text in (second[rest:] if rest < 0 else second[:rest])]


@pytest.mark.once
def test_a_list_and_a_table_that_are_asked_for_go_on() -> None:
    items = two([(ITEM, "- a hall"), (ITEM, "- a bath")], [(ITEM, "- a barn"), (P, "Bye.")])
    assert quoted(items, "- a hall", lists=True) == [["- a hall", "- a bath"], ["- a barn"]]
    assert quoted(items, "- a hall") == [["- a hall", "- a bath"]]
    head = (HEADER, "Length | Fee")
    rows = two([head, (ROW, "8 m | 22")], [head, (ROW, "9 m | 23")])
    assert quoted(rows, "8 m", lists=True)[1] == ["Length | Fee", "9 m | 23"]


@pytest.mark.once
@pytest.mark.parametrize(
    "passages",
    [
        two([(P, "It has these rooms:")], [(P, "The hall is large.")]),
        two([(P, "It has these rooms:")], [(ITEM, "- a hall")], heading="Fees"),
        two([(P, "It has rooms.")], [(ITEM, "- a hall")]),
        two([(ITEM, "- a hall")], [(ROW, "8 m | 22")]),
    ],
)
def test_what_is_not_led_to_or_of_another_section_does_not_go_on(
    passages: tuple[Passage, Passage],
) -> None:
    first, second = passages
    assert not may_go_on(first) or not goes_on_in(first, second)
    assert len(quoted(passages, first.text[:6], lists=True)) == 1


@pytest.mark.once
def test_what_goes_on_has_an_end() -> None:
    items = [(ITEM, f"- {'rope ' * 20}{at}") for at in range(40)]
    (_, rest) = quoted(two([(P, "It has these ropes:")], items), "It has")
    assert 0 < sum(len(each.split()) for each in rest) <= MOST_OF_LIST


FILLING = "The keeper writes down what comes and goes in a book that lies open in the hall. " * 30
LONG = "\n\n".join(
    [
        "# Harbour rules",
        "## Mooring",
        FILLING,
        "A boat may not be moored overnight in any of these cases:",
        *(f"({mark}) {'the wind or the tide is against it and ' * 9}{mark};" for mark in "abcdef"),
    ]
)


@pytest.mark.django_db
def test_a_passage_in_which_a_list_goes_on_is_wanted_if_it_is_in_scope(owner: User) -> None:
    document = add(LONG)
    lead = next(row for row in document.passages.all() if "(a)" in row.text)
    there = find_passages("moored overnight", scope=Scope(owner.pk))
    found = [each for each in there if each.passage.pk == lead.pk]
    more = with_what_goes_on(found, Scope(owner.pk))
    assert [each.passage.position for each in more] == [lead.position, lead.position + 1]
    assert [each.is_wanted for each in more] == [False, True]
    assert with_what_goes_on(found, Scope(owner.pk, frozenset())) == found
