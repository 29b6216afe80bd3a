"""The command `evaluate documents`: questions over documents, through the product's own code."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from chat.extractive.answerability import SURE
from citations.models import Document

pytestmark = pytest.mark.django_db(transaction=True)

FEES = "The fee for a berth is 22 euros a night. Dogs are welcome on the pier."
HERONS = "The heron eats fish in shallow water. It nests in the crowns of old trees."
DOCUMENTS: list[dict[str, Any]] = [
    {"doc_id": "fees", "source": "port", "title": "Fees of the port", "text": FEES},
    {"doc_id": "birds", "source": "port", "title": "Birds of the port", "file": "birds.md"},
    {"doc_id": "other", "source": "zoo", "title": "Animals", "text": "Zebras run. " * 5},
]
FEE = {"id": "1", "source": "port", "doc_id": "fees", "question": "What is the fee for a berth?"}
DIET = {"id": "2", "source": "port_en", "doc_id": "birds", "question": "What does the heron eat?"}
NEST = {
    "id": "3",
    "source": "port",
    "doc_id": "birds",
    "question": "And where does it nest?",
    "history": [
        {"role": "user", "content": "What does the heron eat?"},
        {"role": "assistant", "content": "The heron eats fish in shallow water."},
    ],
}


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "birds.md").write_text(f"# Birds\n\n{HERONS}\n")
    return tmp_path


def evaluated(files: Path, *questions: object, **options: object) -> list[dict[str, Any]]:
    """Run the command; return the lines that it wrote, one for each question."""
    for name, lines in (("docs", DOCUMENTS), ("questions", questions)):
        (files / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    call_command(
        "evaluate",
        "documents",
        f"--docs={files / 'docs.jsonl'}",
        f"--questions={files / 'questions.jsonl'}",
        f"--out={files / 'out.jsonl'}",
        **options,
    )
    return [json.loads(line) for line in (files / "out.jsonl").read_text().splitlines()]


def test_each_question_is_asked_of_its_library_and_answered_in_plain_words(files: Path) -> None:
    limited = FEE | {"id": "4", "scope": "document"}
    fee, diet, nest, alone = evaluated(files, FEE, DIET, NEST, limited)
    assert [line["id"] for line in (fee, diet, nest, alone)] == ["1", "2", "3", "4"]
    assert fee["ranked"][0]["doc_id"] == "fees"
    assert "22 euros" in fee["ranked"][0]["text"]
    assert {each["doc_id"] for each in fee["ranked"]} == {"fees", "birds"}  # not those of the zoo
    assert {each["doc_id"] for each in alone["ranked"]} == {"fees"}
    assert "22" in fee["answer"]
    assert "fish" in diet["answer"]
    assert "crowns of old trees" in nest["answer"]  # by what was said before
    for line in (fee, diet, nest, alone):
        assert line["outcome"] == "answered"
        assert 0 < line["answerability"] <= 1
        assert "[1]" not in line["answer"]
        assert "of the port" not in line["answer"]  # where it stands


def test_without_its_documents_a_question_has_nothing_to_be_answered_from(files: Path) -> None:
    limited = FEE | {"id": "4", "scope": "document"}
    fee, diet, alone = evaluated(files, FEE, DIET, limited, without_gold=True)
    assert {each["doc_id"] for each in fee["ranked"]} == {"birds"}
    assert {each["doc_id"] for each in diet["ranked"]} == {"fees"}
    assert (alone["ranked"], alone["outcome"]) == ([], "nothing_found")
    for line in (fee, diet, alone):
        assert line["outcome"] in ("nothing_found", "unsure")
        assert line["answer"] == ""
        assert line["answerability"] < SURE


def test_some_sources_may_be_chosen_and_the_real_database_stays_as_it_is(files: Path) -> None:
    before = Document.objects.create(
        title="Here before", authors=[], media_type="text/plain", checksum="0"
    )
    zebras = {"id": "5", "source": "zoo", "doc_id": "other", "question": "Do zebras run?"}
    assert [line["id"] for line in evaluated(files, FEE, zebras, source=["zoo"])] == ["5"]
    assert Document.objects.get() == before
