"""Structures: the registry, what a model's JSON becomes, and how it is rendered."""

import json
import sys

import pytest

from chat.structures import Evidence, Question, assemble, kinds, load_structures
from chat.structures.choosing import choose_structure
from chat.structures.outputs import MOST_ROWS
from chat.structures.parsing import OutputReader
from chat.structures.quoting import gather_items, quote_each
from chat.structures.rendering import place_cells, render_markdown
from memory.text.embedding import Embedded, get_embedder
from memory.text.embedding.e5 import E5

NINE = {
    "single_item", "risk_assessment", "comparison", "search", "ranking", "match", "team",
    "verification", "summary",
}  # fmt: skip
COMPARED = {
    "criteria": ["Price", "Speed"],
    "rows": [
        {"name": "Atlas", "values": ["20 euros [1]", "9 pages [2]"]},
        {"name": "Hermes", "values": ["30 euros [3]"]},
    ],
    "conclusion": "Atlas is cheaper [1].",
}
TENTH = """
from chat.structures.definition import Structure
from chat.structures.outputs import Claim, Output, Row


class Event(Row):
    happened: Claim = ""


class Timeline(Output):
    titles = {"name": "Day", "happened": "What happened"}
    rows: list[Event] = []


STRUCTURE = Structure("timeline", "Timeline", Timeline, "List events by day.", {"en": ["Timeline"]})
"""


def test_there_are_nine_with_examples_in_four_languages():
    structures = load_structures()

    assert set(structures) == NINE
    assert all(set(each.examples) == {"en", "es", "de", "fr"} for each in structures.values())


@pytest.mark.parametrize("name", sorted(NINE))
def test_each_has_a_schema_and_renders_what_it_is_given(name):
    structure = load_structures()[name]
    row = dict.fromkeys(structure.schema["properties"], "") | {"name": "Atlas"}
    output = assemble(name, json.dumps({"rows": [row]}), [], "Atlas?")

    assert structure.schema["type"] == "object"
    assert "Atlas" in render_markdown(structure, output)


def test_a_tenth_takes_one_module_and_one_template(tmp_path, settings, monkeypatch):
    (tmp_path / "timeline.py").write_text(TENTH)
    (tmp_path / "structures").mkdir()
    (tmp_path / "structures" / "timeline.md").write_text('{% include "structures/table.md" %}')
    settings.TEMPLATES = [
        settings.TEMPLATES[0] | {"DIRS": [*settings.TEMPLATES[0]["DIRS"], tmp_path]}
    ]
    monkeypatch.setattr(kinds, "__path__", [*kinds.__path__, str(tmp_path)])
    load_structures.cache_clear()
    try:
        said = '{"rows": [{"name": "Monday", "happened": "It began [1]."}]}'
        output = assemble("timeline", said, [], "Timeline?")
        text = render_markdown(load_structures()["timeline"], output)
    finally:
        load_structures.cache_clear()
        sys.modules.pop("chat.structures.kinds.timeline", None)

    assert text.splitlines()[0] == "| Day | What happened |"
    assert text.splitlines()[2] == "| Monday | It began [1]. |"


@pytest.mark.parametrize(
    "said",
    ["", "No JSON at all.", "[1, 2]", '{"rows": []}', "{" * 1000, '{"rows":' + "[" * 1000, '"{"'],
)
def test_what_holds_no_output_is_none(said):
    assert assemble("ranking", said, [], "Rank them") is None


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ('Here it is:\n```json\n{"rows": [{"name": "A"}]}\n```\nDone.', ["A"]),
        ('{"rows": [{"name": "A"}, {"name": "B', ["A"]),
        ('{"rows": [{"name": 7}, {"name": ["x", {"y": null}]}, "row", null]}', ["7", "x"]),
        ('{"rows": {"name": "A"}, "more": 1}', ["A"]),
        (json.dumps({"rows": [{"name": "A"}] * 10_000}), ["A"] * MOST_ROWS),
        (json.dumps({"rows": [{"name": "x" * 50_000}]}), ["x" * 800]),
    ],
)
def test_what_is_cut_wrapped_or_of_other_types_is_read_within_bounds(said, names):
    output = assemble("ranking", said, [], "Rank them")

    assert [row.name for row in output.rows] == names


def test_html_and_bars_stay_text_in_their_cell():
    said = json.dumps({"rows": [{"name": "<script>alert(1)</script>|x\n\n# Head"}]})
    structure = load_structures()["ranking"]

    text = render_markdown(structure, assemble("ranking", said, [], "Rank them"))

    assert text.splitlines()[2] == "| <script>alert(1)</script>\\|x # Head |  |  |"


def test_rows_are_read_as_they_come_and_each_text_is_a_beginning_of_the_next():
    said, structure = json.dumps(COMPARED), load_structures()["comparison"]
    reader = OutputReader(structure.output)
    beginnings = [
        render_markdown(structure, output, is_whole=False)
        for output in map(reader.feed, said)
        if output
    ]
    whole = render_markdown(structure, assemble("comparison", said, [], "Compare"))

    assert [each.count("euros") for each in beginnings] == [1, 2, 2]
    assert all(whole.startswith(each) for each in beginnings)
    assert whole.endswith("Atlas is cheaper [1].")


def test_cells_are_found_where_the_cited_answer_has_them():
    output = assemble("comparison", json.dumps(COMPARED), [], "Compare")
    answer = render_markdown(load_structures()["comparison"], output)
    answer = answer.replace("[1]", "[4]").replace(" [3]", "")

    placed = [each for each in place_cells(output, answer) if each.cell.is_claim and each.end > 0]

    assert [answer[each.start : each.end].strip() for each in placed] == [
        "20 euros", "9 pages", "30 euros", "Atlas is cheaper [4].",
    ]  # fmt: skip
    assert placed[1].cell.context == "Atlas: Speed"


def evidence(label, document, text, heading="Skills", score=0.5, header=""):
    return Evidence(label, document, heading, text, score, header)


CANDIDATES = [
    evidence(1, "CV of Ana", "Ana works with Vue.", score=0.9),
    evidence(2, "CV of Ana", "Ana studied design.", "Education"),
    evidence(3, "CV of Juan", "Juan works with React.", score=0.8),
    evidence(4, "CV of Juan", "Juan studied physics.", "Education"),
]
PRICES = [
    evidence(1, "Prices", "Atlas | 20 | 9", header="Printer | Price | Speed"),
    evidence(1, "Prices", "Hermes | 5 | 3", header="Printer | Price | Speed"),
]


@pytest.mark.parametrize(
    ("name", "passages", "question", "texts"),
    [
        (
            "comparison",
            CANDIDATES,
            "Compare the candidates",
            [
                ["Ana", "Ana works with Vue. [1]", "Ana studied design. [2]"],
                ["Juan", "Juan works with React. [3]", "Juan studied physics. [4]"],
            ],
        ),
        (
            "ranking",
            PRICES,
            "Which printer has the lowest price?",
            [["Hermes", "5 [1]", ""], ["Atlas", "20 [1]", ""]],
        ),
        (
            "single_item",
            CANDIDATES,
            "Tell me about Ana",
            [["Skills", "Ana works with Vue. [1]"], ["Education", "Ana studied design. [2]"]],
        ),
        (
            "verification",
            CANDIDATES,
            "Is it true that Juan studied physics?",
            [["Juan studied physics", "confirmed", "Juan studied physics. [4]"]],
        ),
    ],
)
def test_quotations_make_it_without_a_model(name, passages, question, texts):
    output = assemble(name, "", passages, question)

    assert [[cell.text for cell in row] for row in output.table] == texts


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("ranking", "Which printer is the best?"),  # no column is named
        ("ranking", "Which printer has the lowest price and the highest speed?"),
        ("match", "Does Ana fit the role?"),
        ("team", "Build a team"),
        ("risk_assessment", "What are the risks?"),
        ("comparison", "Compare them"),  # a single document
    ],
)
def test_where_quotations_do_not_decide_there_is_none(name, question):
    assert assemble(name, "", PRICES, question) is None


def test_words_that_no_item_has_make_no_comparison_of_them():
    question = Question("Compara", items=["Ana", "Juan"], criteria=["formación"])

    assert load_structures()["comparison"].assemble("", CANDIDATES, question) is None


def test_a_comparison_says_what_is_not_stated_of_an_item():
    question = Question("Compare", items=["Ana", "Juan"], criteria=["Vue"])

    output = load_structures()["comparison"].assemble("", CANDIDATES, question)

    assert [row.values for row in output.rows] == [["Ana works with Vue. [1]"], ["not stated"]]


@pytest.fixture
def e5():
    """Skip the test where the weights of e5 aren't installed."""
    if not isinstance(get_embedder(), E5):
        pytest.skip("the weights of e5 aren't installed")


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Compare Frontend candidates", "comparison"),
        ("¿Qué riesgos hay al contratar a Juan?", "risk_assessment"),
        ("Who is the best for Backend?", "ranking"),
        ("How many years of experience does she have?", ""),
        ("What does the risk committee decide?", ""),
    ],
)
@pytest.mark.usefixtures("e5")
def test_a_question_chooses_by_its_vector_and_plain_ones_choose_prose(question, name):
    assert choose_structure(Embedded(question)) == name


@pytest.mark.usefixtures("e5")
@pytest.mark.parametrize(
    ("criterion", "said"),
    [("habilidades", "Ana works with Vue. [1]"), ("Ausbildung", "Ana studied design. [2]"),
     ("salario", "")],
)  # fmt: skip
def test_a_criterion_in_another_language_is_found_by_its_heading(criterion, said):
    assert quote_each(criterion, gather_items(Question("Compare"), CANDIDATES))[0] == said
