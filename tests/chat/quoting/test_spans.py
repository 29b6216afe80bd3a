"""What is quoted together: nothing torn, nothing twice, nothing that leads nowhere."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from chat.quoting.choosing import MOST_QUOTES, chosen_quotes
from chat.quoting.spans import MOST_WORDS, Quote, ScoredUnit
from chat.quoting.spans.lists import MOST_SIBLINGS
from citations.formats.blocks import BlockKind
from citations.models import Document, Passage
from tests.chat.quoting.passages import candidates, passage_of, texts

pytestmark = pytest.mark.once

P, ITEM, CODE = BlockKind.PARAGRAPH, BlockKind.ITEM, BlockKind.CODE
HEADING = BlockKind.HEADING
HEADER, ROW, CAPTION = BlockKind.HEADER, BlockKind.ROW, BlockKind.CAPTION
LIST = passage_of(
    (P, "A boat needs these things:"),
    (ITEM, "- a horn"),
    (ITEM, "- a rope"),
    (ITEM, "- a lamp"),
    (P, "They are checked each year."),
)
TABLE = passage_of(
    (CAPTION, "Table 1: Fees."),
    (HEADER, "Length | Fee"),
    (ROW, "8 m | 22"),
    (ROW, "12 m | 31"),
    (ROW, "18 m | 47"),
    (P, "Fees are due at noon."),
)
CODED = passage_of(
    (P, "The port is open. Start the server with this:"),
    (CODE, "serve --port 80\nserve --stop"),
    (P, "It stops at night."),
)


def only(quotes: list[Quote]) -> list[str]:
    (quote,) = quotes
    return texts(quote)


def test_nothing_comes_of_nothing() -> None:
    assert chosen_quotes([]) == []


def test_the_best_sentence_is_quoted_alone() -> None:
    passage = passage_of((P, "Boats are blue. Gates open at six. Dogs are welcome."))
    assert only(chosen_quotes(candidates(passage, {"Gates": 0.9}))) == ["Gates open at six."]


def test_the_sentence_behind_comes_along_if_it_answers_too() -> None:
    passage = passage_of((P, "Gates open at six. On Sundays at nine. Dogs are welcome."))
    scores = {"Gates": 0.9, "On": 0.6}
    assert only(chosen_quotes(candidates(passage, scores))) == [
        "Gates open at six.",
        "On Sundays at nine.",
    ]


def test_the_same_words_of_another_place_are_not_quoted_again() -> None:
    passage = passage_of(
        (P, "The bell rings."), (P, "Default: on."), (P, "A lamp is lit."), (P, "Default: on.")
    )
    assert only(chosen_quotes(candidates(passage, {"Default": 0.9}))) == [
        "The bell rings.",
        "Default: on.",
    ]


def test_the_sentence_behind_stays_behind_if_both_were_too_long() -> None:
    long = f"Gates open {'very ' * MOST_WORDS}early."
    passage = passage_of((P, f"{long} On Sundays at nine."))
    assert only(chosen_quotes(candidates(passage, {"Gates": 0.9, "On": 0.6}))) == [long]


def test_what_was_announced_is_gone_through() -> None:
    text = "A boat is moored in three steps. It must be quick. First throw a rope. Then pull. Rest."
    passage = passage_of((P, text))
    assert only(chosen_quotes(candidates(passage, {"A boat": 0.9}))) == [
        "A boat is moored in three steps.",
        "It must be quick.",
        "First throw a rope.",
        "Then pull.",
    ]


def test_a_place_that_is_too_long_with_what_completes_it_is_quoted_alone() -> None:
    long = f"On Sundays {'very ' * (MOST_WORDS - 8)}late."
    guide = Document(title="Guide")
    first = passage_of((P, "Gates open at six."), of=guide)
    second = passage_of((P, f"Noon is rest. {long}"), of=guide)
    scores = {"Gates": 0.9, "Noon": 0.85, "On": 0.7}
    found = [each for passage in (first, second) for each in candidates(passage, scores)]
    assert [texts(quote) for quote in chosen_quotes(found)] == [
        ["Gates open at six."],
        ["Noon is rest."],
    ]


@pytest.mark.parametrize(
    "pointer",
    ["It opens", "They open", "The lock of this opens", "Este abre", "Dieses öffnet", "Then opens"],
)
def test_what_points_back_comes_with_what_it_points_at(pointer: str) -> None:
    passage = passage_of((P, f"The gate is old. {pointer} at six."))
    assert only(chosen_quotes(candidates(passage, {pointer: 0.9})))[0] == "The gate is old."


def test_what_points_back_over_what_points_back_comes_with_whom_it_is_of() -> None:
    passage = passage_of(
        (P, "It rains. Marta Lindqvist built the pier. She was proud of it. She wrote a book.")
    )
    quotes = chosen_quotes(candidates(passage, {"She wrote": 0.9}))
    assert texts(quotes[0]) == [
        "Marta Lindqvist built the pier.",
        "She was proud of it.",
        "She wrote a book.",
    ]


def test_what_points_back_never_brings_a_question_along() -> None:
    passage = passage_of((P, "When does the gate open? It opens at six."))
    assert only(chosen_quotes(candidates(passage, {"It": 0.9}))) == ["It opens at six."]


def test_headings_questions_and_what_leads_to_others_are_never_quoted_alone() -> None:
    passage = passage_of(
        (BlockKind.HEADING, "Opening hours"),
        (P, "When does the gate open?"),
        (CAPTION, "Table 1: Hours."),
        (HEADER, "Day | Hour"),
    )
    scores = {"Opening": 0.9, "When": 0.9, "Table": 0.9, "Day": 0.9}
    assert chosen_quotes(candidates(passage, scores)) == []


# --- Lists, tables, code --------------------------------------------------------------------------


def test_an_item_comes_with_the_lead_of_its_list_and_the_items_that_answer_too() -> None:
    items = [
        f"- a {name} {'that is of red cloth and ' * 3}rope" for name in ("horn", "net", "lamp")
    ]
    passage = passage_of((P, "A boat needs these things:"), *((ITEM, item) for item in items))
    found = only(chosen_quotes(candidates(passage, {"- a net": 0.9, "- a lamp": 0.5})))
    assert found == ["A boat needs these things:", *items[1:]]


def test_what_an_option_does_comes_without_the_options_beside_it() -> None:
    does = "of the boat, as far as it is not there already, before she sails"
    items = [f"- --{name}=N: see to the {name} {does}" for name in ("horn", "net", "lamp", "rope")]
    scores = {"- --net": 0.6, "- --lamp": 0.35, "- --rope": 0.33}
    passage = passage_of(*((ITEM, item) for item in items))
    assert only(chosen_quotes(candidates(passage, scores))) == [items[1]]
    named = passage_of(*((ITEM, item.replace("--", "the ")) for item in items))
    beside = {each.replace("--", "the "): own for each, own in scores.items()}
    assert len(only(chosen_quotes(candidates(named, beside)))) == len(items)


def test_a_list_of_a_few_words_is_quoted_whole() -> None:
    found = only(chosen_quotes(candidates(LIST, {"- a rope": 0.9})))
    assert found == ["A boat needs these things:", "- a horn", "- a rope", "- a lamp"]


NESTED = passage_of(
    (ITEM, f"- {'On deck everything is white. ' * 8}"),
    (ITEM, "- Below deck there are these"),
    (ITEM, "  - a stove"),
    (ITEM, "    - of iron"),
    (ITEM, f"- {'In the hold nothing is dry. ' * 8}"),
)


def test_an_item_comes_with_those_that_stand_under_it() -> None:
    found = only(chosen_quotes(candidates(NESTED, {"- Below": 0.9})))
    assert found == ["- Below deck there are these", "  - a stove", "    - of iron"]


def test_an_item_stands_under_the_one_that_it_is_of() -> None:
    found = only(chosen_quotes(candidates(NESTED, {"    - of iron": 0.9})))
    assert found == ["  - a stove", "    - of iron"]


@pytest.mark.parametrize(
    ("lead", "kind"),
    [
        ("The following are required.", ITEM),
        ("Se necesita lo siguiente.", ITEM),
        ("It is checked like this:", CODE),
    ],
)
def test_what_leads_to_something_comes_with_it_though_it_was_not_the_best(
    lead: str, kind: BlockKind
) -> None:
    passage = passage_of((P, f"Boats are checked. {lead}"), (kind, "- a horn"), (P, "Rest."))
    scores = {"Boats": 0.9, lead: 0.8 if kind is CODE else 0.95}
    assert only(chosen_quotes(candidates(passage, scores)))[-2:] == [lead, "- a horn"]


def test_an_item_that_leads_to_code_comes_with_it() -> None:
    item = "- Check the package with lintian:"
    passage = passage_of((ITEM, item), (CODE, "lintian *.changes"), (ITEM, "- Upload it."))
    assert only(chosen_quotes(candidates(passage, {item: 0.9}))) == [item, "lintian *.changes"]


def test_of_a_list_asked_for_all_items_come() -> None:
    found = only(chosen_quotes(candidates(LIST, {"- a rope": 0.9}), lists=True))
    assert found == ["A boat needs these things:", "- a horn", "- a rope", "- a lamp"]


def test_the_lead_of_a_list_is_not_quoted_without_its_items() -> None:
    found = only(chosen_quotes(candidates(LIST, {"A boat": 0.9})))
    assert found == ["A boat needs these things:", "- a horn", "- a rope", "- a lamp"]


@pytest.mark.parametrize("best", ["A boat", "- a rope"])
def test_a_lead_comes_with_its_list_though_that_has_a_title(best: str) -> None:
    passage = passage_of(
        (P, "A boat needs these things:"),
        (CAPTION, "Things on board"),
        (ITEM, "- a horn"),
        (ITEM, "- a rope"),
        (P, "They are checked each year."),
    )
    found = only(chosen_quotes(candidates(passage, {best: 0.9})))
    assert found == ["A boat needs these things:", "- a horn", "- a rope"]


def test_of_a_very_long_list_some_items_come() -> None:
    items = [(ITEM, f"- thing number {number}") for number in range(100)]
    quotes = chosen_quotes(candidates(passage_of(*items), {"- thing": 0.9}), lists=True)
    found = [text for quote in quotes for text in texts(quote)]
    assert len(found) == len(set(found)) <= MOST_QUOTES * MOST_SIBLINGS


def test_a_list_that_was_asked_for_is_whole_wherever_the_best_item_stands() -> None:
    items = [(ITEM, f"- thing {number}") for number in range(12)]
    found = only(chosen_quotes(candidates(passage_of(*items), {"- thing 9": 0.9}), lists=True))
    assert len(found) == 12


def test_a_sentence_before_a_list_that_is_no_lead_stays_away() -> None:
    passage = passage_of((P, "The harbour is old."), (ITEM, "- a rope"))
    assert only(chosen_quotes(candidates(passage, {"- a rope": 0.9}))) == ["- a rope"]


def test_a_row_comes_under_the_caption_and_the_header_of_its_table() -> None:
    found = only(chosen_quotes(candidates(TABLE, {"12 m": 0.9})))
    assert found == ["Table 1: Fees.", "Length | Fee", "12 m | 31"]


def test_rows_that_answer_too_come_along() -> None:
    found = only(chosen_quotes(candidates(TABLE, {"12 m": 0.9, "18 m": 0.8})))
    assert found[2:] == ["12 m | 31", "18 m | 47"]


def test_a_sentence_that_leads_to_a_table_comes_with_its_header_and_rows() -> None:
    passage = passage_of(
        (P, "Boats are blue. The fees are:"),
        (HEADER, "Length | Fee"),
        (ROW, "8 m | 22"),
        (ROW, "12 m | 31"),
        (P, "They are due at noon."),
    )
    assert only(chosen_quotes(candidates(passage, {"The fees": 0.9}))) == [
        "The fees are:",
        "Length | Fee",
        "8 m | 22",
        "12 m | 31",
    ]


def test_what_follows_from_a_sentence_comes_with_it() -> None:
    passage = passage_of((P, "Dogs bark. The risk is 44 %. The gap is therefore wide. Cats nap."))
    quoted = only(chosen_quotes(candidates(passage, {"The gap": 0.9})))
    assert quoted == ["The risk is 44 %.", "The gap is therefore wide."]


def test_of_one_passage_what_is_told_apart_in_the_same_words_is_quoted_too() -> None:
    passage = passage_of(
        (P, "The risk of boats is 72 percent for owners."),
        (P, "The risk of boats is 44 percent for guests."),
    )
    scores = {"The risk of boats is 72": 0.9, "The risk of boats is 44": 0.88}
    assert only(chosen_quotes(candidates(passage, scores))) == [
        "The risk of boats is 72 percent for owners.",
        "The risk of boats is 44 percent for guests.",
    ]


@pytest.mark.parametrize(
    "default", ["The default value is 3 seconds.", "Default: 3.", "Its default is three."]
)
def test_a_default_comes_with_what_it_is_the_default_of(default: str) -> None:
    passage = passage_of((P, f"Boats are blue. Option delay limits it. {default}"))
    quoted = only(chosen_quotes(candidates(passage, {default.split(" ", maxsplit=1)[0]: 0.9})))
    assert quoted == ["Option delay limits it.", default]


def test_code_comes_with_the_sentence_that_introduces_it() -> None:
    found = only(chosen_quotes(candidates(CODED, {"serve": 0.9})))
    assert found == ["Start the server with this:", "serve --port 80\nserve --stop"]


def test_a_sentence_that_introduces_code_comes_with_it() -> None:
    found = only(chosen_quotes(candidates(CODED, {"Start": 0.9})))
    assert found == ["Start the server with this:", "serve --port 80\nserve --stop"]


@pytest.mark.parametrize(
    ("before", "comes"),
    [("To stop it, execute the command", True), ("All is stopped.", False), ("See port/", False)],
)
def test_code_that_a_sentence_goes_on_with_comes_with_it(before: str, comes: bool) -> None:
    passage = passage_of((P, before), (CODE, "serve --stop"), (P, "It is dark at night."))
    (found,) = chosen_quotes(candidates(passage, {before[:3]: 0.9}))
    assert ("serve --stop" in texts(found)) == comes


def test_how_to_do_it_goes_on_to_the_sentence_that_tells_it() -> None:
    passage = passage_of(
        (P, "Two pages fit on one sheet of paper. It saves ink."),
        (P, "To save paper, the variable PAPERSAVE is set. Dogs bark. Sheets are white."),
    )
    rows = candidates(passage, {"Two": 0.9})
    assert only(chosen_quotes(rows, steps=True)) == [
        "Two pages fit on one sheet of paper.",
        "It saves ink.",
        "To save paper, the variable PAPERSAVE is set.",
    ]
    assert only(chosen_quotes(rows)) == ["Two pages fit on one sheet of paper."]


# --- More than one place --------------------------------------------------------------------------


NUMBERED = (
    (P, "1 Get the sails"),
    (CODE, "fetch sails"),
    (P, "(Not the old ones.)"),
    (P, "2 Hoist them"),
    (CODE, "hoist --all"),
    (P, "3 Check the wind"),
    (ITEM, "- It comes from behind."),
)


@pytest.mark.parametrize("best", ["1 Get", "fetch", "(Not", "2 Hoist", "- It"])
def test_steps_that_are_counted_are_quoted_from_the_first_to_the_last(best: str) -> None:
    passage = passage_of((P, "Boats need wind."), *NUMBERED, (P, "Ships do as well."))
    read = candidates(passage, {best: 0.9})
    assert only(chosen_quotes(read, steps=True)) == [text for _, text in NUMBERED]
    assert len(only(chosen_quotes(read))) < len(NUMBERED)


@pytest.mark.parametrize("best", ["Boats", "Ships"])
def test_what_stands_around_steps_or_is_counted_to_two_brings_no_steps_along(best: str) -> None:
    around = passage_of((P, "Boats need wind."), *NUMBERED, (P, "Ships do as well."))
    assert "3 Check the wind" not in only(
        chosen_quotes(candidates(around, {best: 0.9}), steps=True)
    )
    two = candidates(passage_of(*NUMBERED[:5]), {"2 Hoist": 0.9})
    assert "1 Get the sails" not in only(chosen_quotes(two, steps=True))


def test_a_second_place_is_quoted_if_it_answers_as_well_and_adds_something() -> None:
    guide = Document(title="Guide")
    one = passage_of((P, "Gates open at six."), of=guide)
    same = passage_of((P, "Gates open always at six."), of=guide)
    more = passage_of((P, "Visitors hold a key."), of=guide)
    rows = [
        *candidates(one, {"Gates": 0.9}),
        *candidates(same, {"Gates": 0.85}),
        *candidates(more, {"Visitors": 0.82}),
    ]
    assert [texts(quote) for quote in chosen_quotes(rows)] == [
        ["Gates open at six."],
        ["Visitors hold a key."],
    ]


def test_what_answers_much_worse_is_left_out() -> None:
    one, two = passage_of((P, "Gates open at six.")), passage_of((P, "Visitors hold a key."))
    rows = [*candidates(one, {"Gates": 0.9}), *candidates(two, {"Visitors": 0.5})]
    assert only(chosen_quotes(rows)) == ["Gates open at six."]


def test_where_no_place_is_likely_one_that_is_little_behind_is_quoted_too() -> None:
    guide = Document(title="Guide")
    one = passage_of((P, "Gates open at six."), of=guide)
    two = passage_of((P, "Visitors hold a key."), of=guide)
    rows = [*candidates(one, {"Gates": 0.5}), *candidates(two, {"Visitors": 0.35})]
    assert len(chosen_quotes(rows)) == 2


@pytest.mark.parametrize(
    ("score", "told", "in_doubt"), [(0.2, False, False), (0.4, False, True), (0.47, True, True)]
)
def test_of_another_document_only_what_is_hardly_behind_is_quoted_too(
    score: float, told: bool, in_doubt: bool
) -> None:
    one, two = passage_of((P, "Gates open at six.")), passage_of((P, "Visitors hold a key."))
    near = passage_of((P, "Keys are of brass."), of=one.document)
    rows = [*candidates(one, {"Gates": 0.5}), *candidates(two, {"Visitors": score})]
    assert (len(chosen_quotes(rows)) == 2) is told
    assert (len(chosen_quotes(rows, in_doubt=True)) == 2) is in_doubt
    rows += candidates(near, {"Keys": 0.34})
    assert ["Keys are of brass."] in [texts(quote) for quote in chosen_quotes(rows)]


def test_of_what_is_listed_a_place_that_is_nearly_as_likely_is_quoted_too() -> None:
    one, two = passage_of((P, "Gates open at six.")), passage_of((P, "Visitors hold a key."))
    rows = [*candidates(one, {"Gates": 0.97}), *candidates(two, {"Visitors": 0.75})]
    assert len(chosen_quotes(rows)) == 1
    assert len(chosen_quotes(rows, lists=True)) == 2


def test_an_item_comes_alone_where_its_list_does_not_fit() -> None:
    long = " ".join(["word"] * 60)
    one = passage_of((P, f"Gates open at six {long}."))
    two = passage_of((BlockKind.ITEM, "- Visitors hold a key"), (BlockKind.ITEM, f"- Dogs {long}"))
    rows = [*candidates(one, {"Gates": 0.9}), *candidates(two, {"- Visitors": 0.85, "- Dogs": 0.6})]
    _first, second = chosen_quotes(rows, lists=True)
    assert texts(second) == ["- Visitors hold a key"]


def test_the_same_sentence_of_two_passages_is_quoted_once() -> None:
    rows = [
        candidate
        for _ in range(2)
        for candidate in candidates(passage_of((P, "Gates open at six.")), {"Gates": 0.9})
    ]
    assert only(chosen_quotes(rows)) == ["Gates open at six."]
    assert len(chosen_quotes(rows, compared=frozenset({"gate"}))) == 1


def test_an_answer_has_a_few_places_and_not_too_many_words() -> None:
    words = ["alpha beta", "gamma delta", "epsilon zeta", "eta theta", "iota kappa"]
    rows = [
        candidate
        for text in words
        for candidate in candidates(passage_of((P, f"Says {text}.")), {"Says": 0.9})
    ]
    assert len(chosen_quotes(rows)) == MOST_QUOTES
    long = [
        candidate
        for text in words
        for candidate in candidates(passage_of((P, f"Says {text * 20}.")), {"Says": 0.9})
    ]
    assert sum(quote.words for quote in chosen_quotes(long)) <= MOST_WORDS


def test_stretches_of_one_paragraph_are_one_quotation_in_their_order_without_a_gap() -> None:
    passage = passage_of((P, "Visitors hold a key. Dogs bark. Gates open at six."))
    scores = {"Gates": 0.9, "Visitors": 0.85}
    assert only(chosen_quotes(candidates(passage, scores))) == [
        "Visitors hold a key.",
        "Dogs bark.",
        "Gates open at six.",
    ]


def test_what_stands_between_two_stretches_stays_away_if_it_is_long() -> None:
    between = " ".join(f"Dog {number} barks at the gate all night long." for number in range(20))
    passage = passage_of((P, f"Visitors hold a key. {between} Gates open at six."))
    scores = {"Gates": 0.9, "Visitors": 0.85}
    assert only(chosen_quotes(candidates(passage, scores))) == [
        "Visitors hold a key.",
        "Gates open at six.",
    ]


def test_of_a_place_far_behind_in_log_odds_nothing_is_quoted() -> None:
    one, other = passage_of((P, "Gates open at six.")), passage_of((P, "Dogs bark all night."))
    rows = [*candidates(one, {"Gates": 0.98}), *candidates(other, {"Dogs": 0.8})]
    assert only(chosen_quotes(rows)) == ["Gates open at six."]


def test_how_to_do_it_goes_on_to_the_code() -> None:
    passage = passage_of(
        (P, "Numbers may come in as text. If x is such a text, you can use"),
        (CODE, "number(x)"),
        (P, "Texts are slow."),
    )
    rows = candidates(passage, {"Numbers": 0.9})
    assert only(chosen_quotes(rows, steps=True)) == [
        "Numbers may come in as text.",
        "If x is such a text, you can use",
        "number(x)",
    ]
    assert "number(x)" not in only(chosen_quotes(rows))


def test_a_comparison_has_one_place_of_each_document_even_if_they_say_it_alike() -> None:
    ann, bo = Document(title="Ann"), Document(title="Bo")
    rows = [
        *candidates(passage_of((P, "Ann has nine years in ports."), of=ann), {"Ann": 0.9}),
        *candidates(passage_of((P, "Ann likes ropes and lamps."), of=ann), {"Ann": 0.85}),
        *candidates(passage_of((P, "Bo has two years in ports."), of=bo), {"Bo": 0.4}),
    ]
    assert [texts(quote) for quote in chosen_quotes(rows, compared=frozenset({"port"}))] == [
        ["Ann has nine years in ports."],
        ["Bo has two years in ports."],
    ]
    assert len(chosen_quotes(rows)) == 2  # both of Ann


def test_a_comparison_has_a_place_of_each_thing_that_one_document_tells_of() -> None:
    text = "A mole keeps waves out. Moles are old. A groyne keeps sand in."
    scores = {"A mole": 0.9, "Moles": 0.8, "A groyne": 0.4}
    rows = candidates(passage_of((P, text)), scores)
    (quote,) = chosen_quotes(rows, compared=frozenset({"mole", "groyn"}))
    assert texts(quote) == ["A mole keeps waves out.", "Moles are old.", "A groyne keeps sand in."]


def test_what_is_told_of_both_is_no_second_thing() -> None:
    rows = candidates(passage_of((P, "A mole by a groyne is new. It is wet.")), {"A mole": 0.9})
    (quote,) = chosen_quotes(rows, compared=frozenset({"mole", "groyn"}))
    assert texts(quote) == ["A mole by a groyne is new.", "It is wet."]


@pytest.mark.parametrize("year", ["2024", "May 2024:", "2023/24"])
def test_an_item_under_a_year_that_stands_alone_is_quoted_with_its_year(year: str) -> None:
    days = [(ITEM, f"- {day} March: the crane was tested for a week.") for day in range(3, 12)]
    passage = passage_of((P, "It stood."), (P, year), *days)
    assert only(chosen_quotes(candidates(passage, {"- 3 March": 0.9})))[:2] == [
        year,
        "- 3 March: the crane was tested for a week.",
    ]


CLAUSES = (
    "(a) the boat carries a horn that is heard at half a mile on a still day;",
    "(b) the boat carries a lamp that is seen at two miles in a clear night; or",
    "(c) the boat carries a rope that holds its own weight in a storm for an hour.",
)


def test_conditions_that_are_one_sentence_come_together() -> None:
    passage = passage_of((P, "A boat may enter if:"), *((P, each) for each in CLAUSES))
    assert sum(len(each.split()) for each in CLAUSES) > 40  # they would not as a short list
    assert only(chosen_quotes(candidates(passage, {"(b)": 0.9}))) == [
        "A boat may enter if:",
        *CLAUSES,
    ]


def test_items_that_are_sentences_of_their_own_stay_apart() -> None:
    items = [f"- {each[4:-1].removesuffix('; o')}." for each in CLAUSES]
    passage = passage_of((P, "Rules:"), *((ITEM, each) for each in items))
    (quote,) = chosen_quotes(candidates(passage, {items[1]: 0.9}))
    assert texts(quote) == ["Rules:", items[1]]


def test_a_short_table_that_is_asked_for_is_whole() -> None:
    rows = [f"{at} m | {at}" for at in range(MOST_SIBLINGS + 4)]
    passage = passage_of((HEADER, "Length | Fee"), *((ROW, row) for row in rows))
    (quote,) = chosen_quotes(candidates(passage, {"3 m": 0.9}), lists=True)
    assert texts(quote) == ["Length | Fee", *rows]


@pytest.mark.parametrize(
    "exception",
    ["However, dogs must swim.", "Unless it rains.", "Es sei denn, es regnet.", "Salvo si llueve."],
)
def test_an_exception_comes_with_what_it_is_one_of(exception: str) -> None:
    passage = passage_of((P, f"Dogs may enter. {exception} Gates open at six."))
    assert only(chosen_quotes(candidates(passage, {"Dogs": 0.9}))) == ["Dogs may enter.", exception]


def test_a_line_comes_with_the_sentence_that_ends_in_it() -> None:
    passage = passage_of((P, "Dates are seconds. Turn them into days with"), (P, "date -d @1"))
    said = only(chosen_quotes(candidates(passage, {"Turn": 0.9})))
    assert said == ["Turn them into days with", "date -d @1"]


STEPS = (
    (P, "To set it up, install the tools:"),
    (CODE, "npm install boats"),
    (P, "Next, set a course by typing:"),
    (CODE, "boats init"),
    (P, "Note that boats sink. The harbour is closed."),
    (CODE, "boats sink"),
)


def test_how_to_do_it_goes_on_to_the_next_steps() -> None:
    passage = passage_of(*STEPS)
    (quote,) = chosen_quotes(candidates(passage, {"To set": 0.9}), steps=True)
    assert texts(quote) == [text for _, text in STEPS[:4]]
    (quote,) = chosen_quotes(candidates(passage, {"To set": 0.9}))
    assert texts(quote) == [text for _, text in STEPS[:2]]


def test_of_a_list_not_one_item_alone_is_missing() -> None:
    items = [f"- a {name} {'that is of red cloth and ' * 3}rope" for name in "abcd"]
    passage = passage_of((P, "A boat needs these things:"), *((ITEM, item) for item in items))
    scores = {"- a a": 0.9, "- a b": 0.9, "- a c": 0.9}
    assert only(chosen_quotes(candidates(passage, scores)))[1:] == items
    del scores["- a c"]
    assert only(chosen_quotes(candidates(passage, scores)))[1:] == items[:2]


@pytest.mark.parametrize(("mark", "is_whole"), [("{}. ", True), ("- ", False)])
def test_steps_in_their_order_come_together_and_options_do_not(mark: str, is_whole: bool) -> None:
    items = [f"{mark.format(at)}Tie a {'long red ' * 8}rope {at}." for at in range(1, 5)]
    passage = passage_of((P, "It is done so:"), *((ITEM, item) for item in items))
    (quote,) = chosen_quotes(candidates(passage, {items[1]: 0.9}), steps=True)
    assert texts(quote)[1:] == (items if is_whole else [items[1]])


OPTIONS = "\n\n".join(f"# What {name} sets\n{name} = {at}" for at, name in enumerate("abcdefgh"))


def test_of_a_long_block_of_code_the_part_that_answers_is_quoted_under_its_lead() -> None:
    passage = passage_of((P, "These are all options:"), (CODE, OPTIONS), (P, "That is all."))
    found = only(chosen_quotes(candidates(passage, {"# What c": 0.9})))
    assert found == ["These are all options:", "# What c sets\nc = 2"]


def test_what_leads_to_a_long_block_of_code_comes_with_all_its_parts() -> None:
    passage = passage_of((P, "These are all options:"), (CODE, OPTIONS), (P, "That is all."))
    found = only(chosen_quotes(candidates(passage, {"These": 0.9})))
    assert "\n\n".join(found[1:]) == OPTIONS


ANSWERED = (
    "The pier group may read the log.",
    "It rains in May.",
    "The crane group lifts boats.",
)


def under_the_question(passage: Passage, score: Mapping[str, float]) -> list[ScoredUnit]:
    return [replace(each, is_asked=True) for each in candidates(passage, score)]


def test_a_short_section_whose_heading_asks_what_is_asked_is_quoted_whole() -> None:
    passage = passage_of((P, ANSWERED[0]), (P, ANSWERED[1]), (ITEM, f"- {ANSWERED[2]}"))
    scores = {"- The crane": 0.9}
    assert only(chosen_quotes(candidates(passage, scores))) == [f"- {ANSWERED[2]}"]
    found = only(chosen_quotes(under_the_question(passage, scores)))
    assert found == [*ANSWERED[:2], f"- {ANSWERED[2]}"]


def test_a_section_within_a_passage_is_quoted_with_its_heading_and_not_the_next_one() -> None:
    passage = passage_of(
        (HEADING, "Who may sail?"),
        (P, "Everybody."),
        (HEADING, "What do the groups do?"),
        (P, " ".join(ANSWERED)),
        (HEADING, "Is it far?"),
        (P, "No."),
    )
    found = only(chosen_quotes(under_the_question(passage, {"The crane": 0.9})))
    assert found == ["What do the groups do?", *ANSWERED]


def test_a_long_section_is_not_quoted_whole() -> None:
    passage = passage_of((P, " ".join([*ANSWERED, *(f"Boat {at} is red." for at in range(60))])))
    found = only(chosen_quotes(under_the_question(passage, {"The crane": 0.9})))
    assert ANSWERED[2] in found
    assert ANSWERED[0] not in found


def test_a_section_quoted_whole_leaves_as_much_room_for_other_places() -> None:
    guide = Document(title="Guide")
    told = [*ANSWERED, *(f"Boat {at} is red." for at in range(25))]
    first = passage_of((P, " ".join(told)), of=guide)
    second = passage_of((P, "Groups are told apart by their hats."), of=guide)
    found = [
        *under_the_question(first, {"The crane": 0.9}),
        *candidates(second, {"Groups": 0.85}),
    ]
    assert [len(quote.units) for quote in chosen_quotes(found)] == [len(told), 1]


def test_a_bare_verdict_is_quoted_with_the_question_that_it_answers() -> None:
    passage = passage_of((P, "It rains."), (HEADING, "Is it far?"), (P, "No."), (P, "Unless late."))
    assert only(chosen_quotes(candidates(passage, {"No.": 0.9})))[:2] == ["Is it far?", "No."]
    found = only(chosen_quotes(candidates(passage, {"Unless": 0.9})))
    assert found == ["Is it far?", "No.", "Unless late."]


def test_what_does_not_speak_of_what_a_lead_announced_comes_without_it() -> None:
    passage = passage_of((P, "Try the following:"), (P, "Dogs bark at night."), (P, "Write a log."))
    assert only(chosen_quotes(candidates(passage, {"Write": 0.9}))) == ["Write a log."]


def test_what_speaks_of_the_steps_right_before_it_comes_with_them() -> None:
    steps = [(ITEM, "- Start from a disk."), (P, "Change the line:"), (CODE, "root:x:0")]
    passage = passage_of(
        (P, "It rains."), (P, "Try the following:"), *steps, (P, "This removes it. Rest.")
    )
    found = only(chosen_quotes(candidates(passage, {"This removes": 0.9})))
    assert found == [
        "Try the following:",
        "- Start from a disk.",
        "Change the line:",
        "root:x:0",
        "This removes it.",
    ]
