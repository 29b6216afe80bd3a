"""Quotations as Markdown: nothing in a document breaks out of its quotation, or passes for ours."""

import pytest

from chat.quoting import Manner, QuestionReading, quote
from chat.quoting.choosing import chosen_quotes, in_context
from chat.quoting.kinds import kinds_of
from chat.quoting.spans import Quote
from chat.quoting.writing import (
    LONGEST_NAME,
    MOST_LINES,
    Sought,
    place_line,
    quotable,
    written_quotes,
)
from chat.shapes.html import answer_html
from citations.attribution.attributing import check
from citations.attribution.citing import Citing, Offer
from citations.attribution.statements import statements
from citations.formats.blocks import BlockKind
from citations.models import Citation, Document, Passage, Source
from citations.readers.kinds import MAIL
from citations.retrieval.units import units_of
from memory.text.citation_markers import MARKER, without_markers, without_places
from memory.text.embedding import Embedded
from tests.chat.extractive.passages import answer, candidates, passage_of
from tests.effort import computed_within

pytestmark = pytest.mark.once

P, ITEM, CODE = BlockKind.PARAGRAPH, BlockKind.ITEM, BlockKind.CODE
HEADER, ROW, CAPTION = BlockKind.HEADER, BlockKind.ROW, BlockKind.CAPTION
SECONDS = 2
CITATION = '<a class="citation"'


def cited(text: str, *passages: Passage) -> Citing:
    offers = {
        label: Offer(label, passage, passage.document.pk)
        for label, passage in enumerate(passages, start=1)
    }
    citing = Citing(offers, {}, 1)
    citing.feed(text)
    citing.close()
    return citing


def shown(*passages: Passage, asked: str = "Tell") -> str:
    """Return the answer of all that the passages say as the HTML of the page."""
    citing = cited(answer(*passages, asked=asked), *passages)
    citations = [
        Citation(start=marker.start, source=Source(number=marker.number))
        for marker in citing.markers
    ]
    return str(answer_html(citing.text, citations))


# --- What stands where ----------------------------------------------------------------------------


def test_a_sentence_is_a_block_with_its_marker_and_where_it_stands() -> None:
    passage = passage_of((P, "Gates open at six."), heading="Port › Gates", page=3)
    assert answer(passage) == "> Gates open at six. [1]\n\n*Guide › Port › Gates · p. 3*"


@pytest.mark.parametrize(
    ("asked", "text", "set_off"),
    [
        (
            "when does the determination date fall",
            "If a Determination Date falls on a Sunday, it moves.",
            "If a **Determination Date** falls on a Sunday, it moves.",
        ),
        (
            "when was rule 1.5 ratified",
            "Rule 1.7 ratified on May 14th, 2016, Rule 1.6 ratified on May 13th, 2015, Rule 1.5"
            " ratified on May 9th, 2015, Rule 1.4 ratified on May 7th, 2007",
            "Rule 1.5 ratified on **May 9th, 2015**, Rule 1.4",
        ),
        (
            "when is the meeting",
            "It is on the 15th day of March 2024.",
            "on the **15th day of March 2024**",
        ),
        ("when is it due", "It is due: 2024-05-01.", "**2024-05-01**"),
        ("what happened on 15 march", "On 15 March 2024 they met.", "On **15 March 2024** they"),
        ("dates of march 2024", "On 15 March 2024 they met.", "On **15 March 2024** they"),
        (
            "what is the clock",
            "See clock_gettime and set_clock.",
            "**clock_gettime** and **set_clock**.",
        ),
    ],
)
def test_a_name_is_set_off_whole_and_without_its_verb_and_a_date_whole(
    asked: str, text: str, set_off: str
) -> None:
    assert set_off in Sought(kinds_of(asked), asked).in_bold(text)


def test_of_a_heading_of_one_word_the_one_above_is_told_too() -> None:
    passage = passage_of((P, "Gates open at six."), heading="Log › 8.1.0 - 2025-03-17 › Changed")
    assert place_line(passage) == "*Guide › 8.1.0 - 2025-03-17 › Changed*"


@pytest.mark.parametrize("section", ["Section 3", "§ 12", "Part IV."])
def test_of_a_heading_that_is_only_counted_the_one_above_is_told_too(section: str) -> None:
    passage = passage_of((P, "Oars are shared."), heading=f"Rules › Article 2 Boats › {section}")
    assert place_line(passage) == f"*Guide › Article 2 Boats › {section}*"
    kept = passage_of((P, "Oars are shared."), heading="Rules › Boats › Section 3 Oars")
    assert place_line(kept) == "*Guide › Section 3 Oars*"


def test_of_a_part_of_a_release_its_version_and_date_are_told_too() -> None:
    passage = passage_of((P, "Gates open faster."), heading="Log › 9.0.0 (2026-06-14) › Bug fixes")
    assert "*Guide › 9.0.0 (2026-06-14) › Bug fixes*" in answer(passage)


def test_a_heading_that_is_the_title_again_stands_once() -> None:
    passage = passage_of((P, "Gates open at six."), heading="Guide")
    assert place_line(passage) == "*Guide*"


def test_two_quotations_of_one_place_say_once_where_they_stand() -> None:
    document = Document(title="Guide")
    one = passage_of((P, "Gates open at six."), of=document, heading="Gates")
    two = passage_of((P, "Visitors hold a key."), of=document, heading="Gates")
    assert (
        answer(one, two)
        == "> Gates open at six. [1]\n\n> Visitors hold a key. [2]\n\n*Guide › Gates*"
    )


def test_the_page_marks_the_line_that_says_where_a_quotation_stands() -> None:
    html = shown(passage_of((P, "Gates open at six."), heading="Gates", page=3))
    assert '<p class="place"><em>Guide › Gates · p.&nbsp;3</em></p>' in html


@pytest.mark.parametrize(
    "title", ["A * B", "*Guide*", "a_b_c", "`code`", "# 7", "St. Gallen", "x" * 500]
)
def test_whatever_a_title_is_its_place_is_one_line_that_is_marked(title: str) -> None:
    passage = passage_of((P, "Gates open at six."), of=Document(title=title), heading="Gates")
    html = shown(passage)
    assert html.count('<p class="place"><em>') == html.count("</em></p>") == 1
    assert html.count("<em>") == 1
    assert len(place_line(passage)) < 3 * LONGEST_NAME


@pytest.mark.parametrize("title", ["Guide", "A * B", "a_b"])
def test_an_answer_without_its_places_is_the_quotations_alone(title: str) -> None:
    document = Document(title=title)
    one = passage_of((P, "Gates open at six."), of=document, heading="Gates")
    two = passage_of((P, "Visitors hold a key."), of=document, heading="Keys")
    found = without_places(answer(one, two))
    assert found.split("\n\n") == ["> Gates open at six. [1]", "> Visitors hold a key. [2]"]


@pytest.mark.parametrize(
    ("before", "place"),
    [
        ("| Gate | Opens |\n| --- | --- |\n| North | six | [1]", "Guide"),
        ("```\nopen --gate north\n```\n\n[1]", "Guide › Gates"),
        ("- a horn [1]\n- a rope [1]", "Guide"),
        ("The gates open at six [1].", "Guide › Gates · p. 3"),
    ],
)
def test_an_answer_without_its_places_has_none_behind_tables_lists_and_code(
    before: str, place: str
) -> None:
    found = without_places(without_markers(f"{before}\n\n*{place}*\n\n> Visitors hold a key."))
    assert found.split("\n\n") == [without_markers(before), "> Visitors hold a key."]


@pytest.mark.parametrize("text", ["- a horn\n\n*Bring both.*", "At six.\n\n*Gates*", "*Guide*"])
def test_what_is_emphasised_alone_may_be_no_place(text: str) -> None:
    assert without_places(text) == text


def test_the_second_claim_begins_behind_the_line_that_says_where_the_first_stands() -> None:
    one = passage_of((P, "Gates open at six."), heading="Gates", page=3)
    two = passage_of((P, "Visitors hold a key."), heading="Keys")
    citing = cited(answer(one, two), one, two)
    second = statements(citing.text, citing.markers)[1]
    assert citing.text[second.start : citing.markers[1].start].rstrip() == "Visitors hold a key."


# --- Lists, tables, code --------------------------------------------------------------------------


def test_items_are_a_list_in_the_quotation() -> None:
    passage = passage_of((P, "Needed:"), (ITEM, "- a horn"), (ITEM, "• a rope"))
    html = shown(passage)
    assert "<li>a horn</li>" in html
    assert html.count("<li>") == 2
    assert CITATION in html


@pytest.mark.parametrize("caption", [[], [(CAPTION, "Table 1: Fees.")]])
def test_rows_are_a_table_under_their_header_and_keep_their_citation(
    caption: list[tuple[BlockKind, str]],
) -> None:
    passage = passage_of(*caption, (HEADER, "Length | Fee"), (ROW, "8 m | 22"), (ROW, "12 m | 31"))
    html = shown(passage)
    assert html.count("<th>") == 2
    assert html.count("<td ") == 4
    assert '<td class="unbroken">22</td>' in html
    assert html.count(CITATION) == 1
    assert ("Table 1: Fees." in html) == bool(caption)


def test_rows_without_a_header_and_of_different_length_are_a_table_still() -> None:
    html = shown(passage_of((ROW, "8 m"), (ROW, "12 m | 31 | dear")))
    assert html.count("<tr>") == 3
    assert "<td>dear</td>" in html


def test_rows_of_a_term_and_what_it_means_are_lines_where_nothing_heads_their_columns() -> None:
    one = answer(passage_of((ROW, "-e | Leave at once if a command fails.")))
    assert one.startswith("> -e: Leave at once if a command fails. [1]")
    two = answer(passage_of((CAPTION, "Table 1: Marks"), (ROW, "-e | Leave."), (ROW, " | Or not.")))
    assert two.startswith("> Table 1: Marks\n>\n> - -e: Leave.\n> - Or not. [1]")


def test_a_column_in_which_no_row_says_anything_is_not_shown() -> None:
    html = answer(passage_of((ROW, "%m |  | month: 01-12"), (ROW, "%d |  | day of month")))
    assert "- %m: month: 01-12\n> - %d: day of month" in html
    three = answer(passage_of((HEADER, "Code |  | Meaning"), (ROW, "%m |  | month")))
    assert "> | Code | Meaning |\n" in three


def test_code_is_code_to_the_letter() -> None:
    source = 'if a < b:\n    print(`x`, "[1]", \'*\', "# 7")'
    html = shown(passage_of((P, "Do this:"), (CODE, source)))
    assert "<pre><code>if a &lt; b:\n    print(`x`, &quot;[1]&quot;, '*'" in html.replace(
        "&#39;", "'"
    ).replace('"', "&quot;")
    assert html.count(CITATION) == 1


def test_long_code_ends_in_an_ellipsis() -> None:
    found = answer(passage_of((CODE, "\n".join(f"line {at}" for at in range(100)))))
    assert f"line {MOST_LINES - 1}\n> …\n" in found
    assert f"line {MOST_LINES}" not in found


def test_a_fence_in_code_does_not_end_it() -> None:
    html = shown(passage_of((CODE, "```\n[1]\n```\n<script>")), passage_of((P, "Open.")))
    assert html.count("<pre>") == 1
    assert "&lt;script&gt;" in html
    assert html.count(CITATION) == 2


# --- What a document writes as Markdown -----------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "A *star* and **two** stars",
        "An _underscore_ and snake_case here",
        "A `tick and another one",
        "Ticks ``` of three",
        "# No heading here",
        "### No heading here",
        ">No quotation",
        "--- no rule",
        "- - - of it",
        "> No quotation here",
        "- No item here",
        "1. No number here",
        "A | pipe | of | cells",
        "A back\\slash and \\* more",
        "<b>bold</b> and <script>alert(1)</script>",
        "![image](https://example.org/a.png) here",
        "Tables\n| a | b |\n| --- | --- |\n| c | d |",
        "A line\n---\nand another",
        "~~~\nno fence",
        "    no indented code",
        "~~no strike~~ of it",
    ],
)
@pytest.mark.parametrize("kind", [P, ITEM])
def test_the_text_of_a_document_reads_as_it_is_written(text: str, kind: BlockKind) -> None:
    html = shown(passage_of((kind, text)), asked="zzz")
    for tag in ("<h", "<li", "<code", "<pre", "<table", "<b>", "<strong", "<script", "<img", "<hr"):
        assert tag not in html
    assert html.count("<em>") == 1  # the place
    assert html.count("<blockquote>") == 1
    assert html.count(CITATION) == 1


@pytest.mark.parametrize(
    "text",
    [
        "A *star* here",
        "snake_case_name",
        "A `tick",
        "a \\* boat",
        "2**31 boats",
        "7) boats",
        "No. 5 is open",
        "Dr. Lee is in",
        "St. John is open",
        "-5 degrees",
        "# 7 boats",
        "+ more",
    ],
)
def test_its_signs_stay(text: str) -> None:
    assert text in shown(passage_of((P, text)), asked="zzz")


@pytest.mark.parametrize(
    "text",
    [
        "See [2] here",
        "See [1, 2] here",
        "See [^1] here",
        "See [ 1 ] here",
        "See [[1]] here",
        "See [1] [2] here",
        "See [1–3] here",
        "See \\[1] here",
        "See [1\n] here",
    ],
)
@pytest.mark.parametrize("kind", [P, ITEM, ROW, HEADER, CAPTION])
def test_no_text_of_a_document_becomes_a_marker(text: str, kind: BlockKind) -> None:
    below = [(ROW, "8 m | 22")] if kind in (HEADER, CAPTION) else []
    passage = passage_of((kind, text), *below)
    found = answer(passage)
    assert [match.group().strip() for match in MARKER.finditer(found)] == ["[1]"]
    citing = cited(found, passage)
    assert len(citing.markers) == 1
    assert citing.removed == 0


def test_no_title_and_no_heading_becomes_a_marker() -> None:
    passage = passage_of((P, "Open."), of=Document(title="Guide [1]"), heading="Gates [2]")
    assert len(MARKER.findall(answer(passage))) == 1


def test_a_cell_cannot_open_another_cell() -> None:
    html = shown(passage_of((HEADER, "a|b | c"), (ROW, "d|e | `f|g`")))
    assert html.count("<th>") == html.count("<td>") == 2
    assert "d|e" in html


def test_what_is_set_off_does_not_break_what_is_escaped() -> None:
    passage = passage_of((P, "The *gate* of 240 `berths` is [7] wide_open."))
    html = shown(passage, asked="How many berths are wide_open at the gate?")
    words = html.replace("<strong>", "").replace("</strong>", "")
    assert "The *gate* of 240 `berths` is [7] wide_open." in words
    assert "<strong>240</strong>" in html
    assert "**" not in html


def test_addresses_and_paths_stay_as_they_are() -> None:
    passage = passage_of((P, "The list <list@list.example.org> and /srv/list/x list it."))
    html = shown(passage, asked="Which list?")
    assert html.count("<strong>list</strong>") == 2
    assert "list@list.example.org and /srv/list/x <strong>list</strong> it." in html


def test_what_a_document_says_in_html_is_text() -> None:
    assert "&lt;script&gt;" in shown(passage_of((P, "<script>alert(1)</script> here")))


# --- Hostile length -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "*" * 200_000,
        "[" * 200_000,
        "`" * 200_000,
        "_" * 200_000,
        "\\" * 200_000,
        "1. " * 60_000,
        "a." * 100_000,
        " " * 200_000 + "a",
        "> " * 100_000,
        "[1" * 100_000,
        "Ab " * 70_000,
        "4" * 200_000,
        "4," * 100_000,
        "[1]" * 70_000,
        "A de " * 50_000,
        "of the " * 30_000,
        "May " * 50_000,
        "1 de " * 40_000,
    ],
    ids=lambda text: text[:6],
)
def test_long_hostile_text_is_written_in_linear_time(text: str) -> None:
    passage, asked = passage_of((P, f"Boats {text}")), "How many, when and who? What is it? How to?"
    computed_within(SECONDS, lambda: (quotable(text), answer(passage, asked=asked)))


def test_long_hostile_answers_lose_their_places_in_linear_time() -> None:
    for text in ("\n\n*" * 70_000, "*" * 200_000, "> a\n\n*b" * 30_000, ">" * 200_000):
        computed_within(SECONDS, lambda text=text: without_places(text))


# --- What it claims -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "blocks",
    [
        [(P, "Gates open at six. Keys are of brass. Dogs are *welcome* [2] here.")],
        [(P, "Needed:"), (ITEM, "- a horn"), (ITEM, "• a rope"), (ITEM, "3) a lamp")],
        [
            (CAPTION, "Table 1: Fees."),
            (HEADER, "Length | Fee"),
            (ROW, "8 m | 22"),
            (ROW, "9 m | 3"),
        ],
        [(ROW, "8 m"), (ROW, "12 m | 31 | dear")],
        [(P, "Do this:"), (CODE, "\n".join(f"line_{at} = `{at}`" for at in range(100)))],
    ],
)
def test_every_quotation_is_an_exact_claim(blocks: list[tuple[BlockKind, str]]) -> None:
    passage = passage_of(*blocks)
    citing = cited(answer(passage), passage)
    found = check(citing, only_quotations=True)
    assert [(each.state, each.method) for each in found] == [("supported", "exact")]


@pytest.mark.parametrize(
    ("text", "set_off"),
    [
        ("The rate is 48^1/2 cents.", "**48^1/2** cents"),
        ("It has 10.0.2.2/8 as net.", "**10.0.2.2**/8"),
    ],
)
def test_a_power_or_a_part_of_a_figure_is_not_set_off_alone(text: str, set_off: str) -> None:
    assert set_off in answer(passage_of((P, text)), asked="How much is it?").replace("\\", "")


def test_a_sentence_is_quoted_with_those_around_it() -> None:
    passage = passage_of(
        (P, "Boats queue. Gates open at six. Keys are of brass."),
        (P, "Dogs " + "bark " * 60 + "here."),
    )
    reading = QuestionReading(Embedded("when"), [], candidates(passage, {"Gates": 0.9}))
    offers = [Offer(1, passage, passage.document_id)]
    assert "Boats queue. Gates open at six. Keys are of brass." in quote(reading, offers)
    assert "bark" not in quote(reading, offers)
    apart = passage_of((P, "Boats queue."), (P, "Gates open at six."), (P, "Keys are of brass."))
    after = QuestionReading(Embedded("when"), [], candidates(apart, {"Gates": 0.9}))
    said = quote(after, [Offer(1, apart, apart.document_id)])
    assert "Keys are of brass." in said
    assert "Boats" not in said
    assert "Boats" not in quote(reading, offers, manner=Manner(is_brief=True))


def test_terms_that_are_defined_beside_each_other_stay_apart() -> None:
    means = "“{}” means the fifteenth day of a month."
    passage = passage_of(*((P, means.format(term)) for term in ("Gate Day", "Key Day", "Dog Day")))
    reading = QuestionReading(Embedded("when"), [], candidates(passage, {"“Key": 0.9}))
    said = quote(reading, [Offer(1, passage, passage.document_id)])
    assert "Key Day" in said
    assert "Gate Day" not in said
    assert "Dog Day" not in said


def test_sentences_with_something_left_out_between_them_stay_as_they_are() -> None:
    passage = passage_of((P, "Gates open at six."), (ITEM, "- a horn"), (P, "Gates shut at ten."))
    quotes = chosen_quotes(candidates(passage, {"open": 0.9, "shut": 0.9}))
    assert in_context(quotes, candidates(passage, {})) == quotes


def test_who_wrote_a_mail_to_whom_answers_a_question_but_adds_nothing_to_what_was_said():
    head = (BlockKind.PARAGRAPH, "From: Ann Poe <ann@example.org>\nTo: Jo Roe <jo@example.org>")
    body = (BlockKind.PARAGRAPH, "The keys are with the porter of the house.")
    passage = passage_of(head, body, of=Document(title="Keys", media_type=MAIL), position=0)
    reading = QuestionReading(
        Embedded("Where are the keys?"), [], candidates(passage, {"From": 0.9, "The keys": 0.8})
    )
    offers = [Offer(1, passage, passage.document.pk)]
    assert "Ann Poe" in quote(reading, offers)
    more = quote(reading, offers, said=[])
    assert "Ann Poe" not in more
    assert "with the porter" in more


WIDE_HEAD = "Station | Code | City | Region | Opened | Platforms | Tracks | Lines | Zone | Operator"
CARDEN = "Carden | CRD | Carden | North | 1899 | 6 | 8 | 5 | A | SR"


def test_of_a_wide_table_the_key_and_what_was_asked_are_shown() -> None:
    passage = passage_of((HEADER, WIDE_HEAD), (ROW, CARDEN))
    told = answer(passage, asked="how many platforms does Carden have")
    assert told.split("\n")[0] == "> | Station | City | Platforms | … |"
    assert "> | Carden | Carden | 6 | … |" in told


@pytest.mark.parametrize("asked", ["tell me about Carden", "how many people use the CRD region"])
def test_a_wide_table_is_shown_whole_where_no_column_that_answers_is_named(asked: str) -> None:
    told = answer(passage_of((HEADER, WIDE_HEAD), (ROW, CARDEN)), asked=asked)
    assert f"> | {WIDE_HEAD} |" in told


def test_a_row_that_begins_with_its_number_is_shown_with_its_name() -> None:
    passage = passage_of((HEADER, f"No. | {WIDE_HEAD}"), (ROW, f"3 | {CARDEN}"))
    told = answer(passage, asked="how many platforms are there")
    assert "> | 3 | Carden | 6 | … |" in told
    passage = passage_of((HEADER, f" | {WIDE_HEAD}"), (ROW, f"3 | {CARDEN}"))
    told = answer(passage, asked="how many platforms are there")
    assert "> | 3 | Carden | CRD | 6 | … |" in told


def test_what_is_left_out_of_a_wide_table_is_still_borne_out_by_its_row() -> None:
    passage = passage_of((HEADER, WIDE_HEAD), (ROW, CARDEN))
    citing = cited(answer(passage, asked="how many platforms does Carden have"), passage)
    assert [(each.state, each.method) for each in check(citing)] == [("supported", "exact")]


def test_parts_of_one_block_of_code_are_shown_as_one_with_what_is_left_out() -> None:
    options = [f"# What {name} sets\n{name} = {name}" for name in "abcdefgh"]
    passage = passage_of((CODE, "\n\n".join(options)))
    units = units_of(passage)
    quote = Quote(passage, (units[0], units[1], units[4]), (), 1.0)
    shown = written_quotes([quote], {passage.pk: 1}, [], "a")
    assert shown.count("```") == 2
    assert "> b = b\n> …\n> # What e sets" in shown
