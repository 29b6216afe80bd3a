"""The command `evaluate answers`: right, cited rightly, declined or invented, by a model server."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from chat.evaluation.scoring import answer_has, passage_holds
from tests.model_server import ModelServer

pytestmark = pytest.mark.django_db(transaction=True)

FEES = "The fee for a berth is 22 euros a night. Dogs are welcome on the pier."
DOCUMENTS = [
    {"doc_id": "fees", "source": "covidqa", "title": "Fees of the port", "text": FEES},
    {"doc_id": "other", "source": "covidqa", "title": "Zebras", "text": "Zebras run. " * 5},
]
FEE = {
    "id": "1",
    "source": "covidqa",
    "doc_id": "fees",
    "question": "What is the fee for a berth?",
    "answers": ["22 euros"],
    "spans": ["The fee for a berth is 22 euros a night."],
}


def evaluated(folder: Path, **options: object) -> list[dict[str, Any]]:
    for name, lines in (("docs", DOCUMENTS), ("questions", [FEE])):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    call_command(
        "evaluate",
        "answers",
        f"--docs={folder / 'docs.jsonl'}",
        f"--questions={folder / 'questions.jsonl'}",
        f"--out={folder / 'run.jsonl'}",
        **options,
    )
    return [json.loads(line) for line in (folder / "run.jsonl").read_text().splitlines()]


def test_an_answer_is_right_and_cited_rightly_or_invented(
    model: ModelServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model.reply("It is 22 euros a night [1].")
    model.reply("The documents don't say.")
    fee, lacking = evaluated(tmp_path)
    assert (fee["has_gold"], fee["right"], fee["cited_rightly"]) == (True, True, True)
    assert (lacking["has_gold"], lacking["declined"], lacking["invented"]) == (False, True, False)
    assert "right 1/1 = 1.00  cited rightly 1/1 = 1.00" in capsys.readouterr().out


def test_a_run_goes_on_where_its_file_ends(model: ModelServer, tmp_path: Path) -> None:
    model.reply("It is 22 euros a night [1].")
    first = evaluated(tmp_path, limit_without_gold=0)
    assert [line["has_gold"] for line in first] == [True]
    assert [line["has_gold"] for line in evaluated(tmp_path)] == [True, False]
    assert len(model.requests) == 2  # the first was not asked again


def test_what_is_answered_without_its_document_is_invented(
    model: ModelServer, tmp_path: Path
) -> None:
    model.reply("Zebras run [1].")
    [lacking] = evaluated(tmp_path, without_gold=True)
    assert (lacking["has_gold"], lacking["right"], lacking["invented"]) == (False, False, True)


def test_what_no_passage_says_is_no_answer(model: ModelServer, tmp_path: Path) -> None:
    model.reply("It is 22 euros a night [1].")
    [lacking] = evaluated(tmp_path, without_gold=True)
    assert (lacking["outcome"], lacking["invented"]) == ("unsure", False)


def test_the_built_in_answerer_is_measured_alike(model: ModelServer, tmp_path: Path) -> None:
    [quoted] = evaluated(tmp_path, answerer="quoting", limit_without_gold=0)
    assert (quoted["right"], quoted["cited_rightly"]) == (True, True)
    assert model.requests == []


def test_an_answer_has_most_words_and_every_figure_of_a_gold_one() -> None:
    assert answer_has("The fee was raised to 22 euros.", ["22 euros"])
    assert not answer_has("The fee is 23 euros.", ["22 euros"])
    assert not answer_has("", ["22 euros"])
    assert answer_has("東京は日本の首都です", ["日本の首都"])


def test_a_passage_holds_a_short_span_or_lies_in_a_long_one() -> None:
    assert passage_holds(FEES, ["The fee for a berth is 22 euros"])
    assert not passage_holds(FEES, ["Zebras run over the wide plains"])
    long = " ".join(f"word{number}" for number in range(100))
    assert passage_holds(" ".join(f"word{number}" for number in range(40, 80)), [long])
