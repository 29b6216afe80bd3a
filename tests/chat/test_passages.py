"""A passage on the page: its parts as they were, escaped, with the quote marked."""

import pytest
from hypothesis import given, strategies as st

from chat.rendering.passages import SOUGHT, TABLE, list_quoted_lines, render_text
from citations.formats.blocks import Block, BlockKind, join_blocks, load_spans
from citations.models import Citation
from memory.models import Turn


def shown(*blocks: tuple[BlockKind, str], quote: str = "") -> str:
    text = join_blocks(Block(*block) for block in blocks)
    return render_text(text.text, text.layout, quote)


def test_a_quote_is_marked_in_its_passage():
    html = render_text("One. Two\n  three. Four <b>.", [], "Two three.")
    assert html == "<p>One. <mark>Two\n  three.</mark> Four &lt;b&gt;.</p>"


def test_a_quote_that_is_not_in_the_passage_leaves_it_whole():
    assert render_text("One & two.", [], "Three.") == "<p>One &amp; two.</p>"
    assert render_text("One.", []) == "<p>One.</p>"


def test_lists_code_and_notes_are_shown_as_what_they_are():
    html = shown(
        (BlockKind.PARAGRAPH, "Do:"),
        (BlockKind.ITEM, "- a"),
        (BlockKind.ITEM, "  2. b"),
        (BlockKind.CODE, "if x < 1:\n    y"),
        (BlockKind.FOOTNOTE, "[1] Where."),
    )
    assert html == (
        '<p>Do:</p><ul class="passage-list"><li class="level-0">a</li>'
        '<li class="level-1 is-numbered">2. b</li></ul>'
        '<pre tabindex="0"><code>if x &lt; 1:\n    y</code></pre>'
        '<p class="passage-footnote">[1] Where.</p>'
    )


def test_tables_have_header_cells_and_as_many_columns_in_each_row():
    first = [(BlockKind.HEADER, " | 2020"), (BlockKind.ROW, "a |  | 1")]
    begin = f'{TABLE % "Table"}<table><thead><tr><th scope="col">'
    assert shown(*first, (BlockKind.HEADER, "k"), (BlockKind.ROW, "v")) == (
        f'{begin}</th><th scope="col">2020</th><td></td></tr></thead>'
        "<tbody><tr><td>a</td><td></td><td>1</td></tr></tbody></table></div>"
        f"{begin}k</th></tr></thead><tbody><tr><td>v</td></tr></tbody></table></div>"
    )


def test_a_quote_over_several_parts_is_marked_in_each():
    html = shown(
        (BlockKind.PARAGRAPH, "Bring these:"), (BlockKind.ITEM, "- ink"), quote="these: - ink"
    )
    assert html == (
        "<p>Bring <mark>these:</mark></p>"
        '<ul class="passage-list"><li class="level-0"><mark>ink</mark></li></ul>'
    )


def test_an_item_quoted_under_what_introduces_its_list_is_marked_without_those_between():
    blocks = [(BlockKind.PARAGRAPH, "Uses are:")]
    blocks += [(BlockKind.ITEM, f"- {word} it.") for word in ("Build", "Remove", "List")]
    text = join_blocks(Block(*block) for block in blocks)
    cut = "Uses are:\n\n- Build it."  # as many words as a quote may have
    html = render_text(text.text, text.layout, cut, ["Uses are:", "Remove it."])
    assert html == (
        '<p><mark>Uses are:</mark></p><ul class="passage-list"><li class="level-0">Build it.</li>'
        '<li class="level-0"><mark data-sought>Remove it.</mark></li>'
        '<li class="level-0">List it.</li></ul>'
    )


@pytest.mark.parametrize("quote", ["Uses are:\n\n- Build it.", "Remove it."])
def test_what_leads_to_an_item_is_marked_whether_the_quote_begins_with_it_or_not(quote):
    blocks = [(BlockKind.PARAGRAPH, "Uses are:")]
    blocks += [(BlockKind.ITEM, f"- {word} it.") for word in ("Build", "Remove", "List")]
    text = join_blocks(Block(*block) for block in blocks)
    html = render_text(text.text, text.layout, quote, ["Uses are:", "Remove it."])
    assert html.startswith("<p><mark>Uses are:</mark></p>")
    assert "<mark data-sought>Remove it.</mark>" in html


def test_lines_that_follow_each_other_are_marked_as_one_and_those_of_another_wording_as_quoted():
    text = "One. Two. Three."
    assert render_text(text, [], "Two.", ["One.", "Two."]) == "<p>One. <mark>Two.</mark> Three.</p>"
    follow = render_text(text, [], "One. Two.", ["One.", "Two."])
    assert follow == "<p><mark>One. Two.</mark> Three.</p>"


def test_the_lines_of_a_citation_are_what_its_answer_quotes_without_the_signs_of_markdown():
    answer = "> Uses are:\n>\n> - **Remove** it.\n>\n> ```\n> apt purge foo\n> ```\n>\n> [1]"
    citation = Citation(turn=Turn(response=answer), claim_start=2, start=answer.index(" [1]"))
    assert list_quoted_lines(citation) == ["Uses are:", "Remove it.", "apt purge foo"]


TAGS = "p pre code ul li table thead tbody tr th td mark div".split()
OURS = ['<p class="passage-', '<ul class="passage-', '<li class="level-', '<th scope="col">']
OURS += [TABLE % "Table", SOUGHT, *(f"<{tag}>" for tag in TAGS)]
OURS += [f"</{tag}>" for tag in TAGS]
TEXTS = st.text("<>&ab |-\n", max_size=60)
ANYTHING = st.one_of(st.integers(-5, 70), st.sampled_from([*BlockKind, "x", None]))


@given(TEXTS, st.lists(st.lists(ANYTHING, max_size=4)), TEXTS, st.lists(TEXTS, max_size=3))
def test_whatever_layout_a_package_brings_nothing_but_our_tags_comes_out(
    text, layout, quote, lines
):
    html = render_text(text, load_spans(text, layout), quote, lines)
    for tag in OURS:
        html = html.replace(tag, "")
    assert "<" not in html
