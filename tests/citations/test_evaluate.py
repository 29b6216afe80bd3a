"""The evaluate command: through the product's own code, in a database that is thrown away."""

import gzip
import json
from pathlib import Path

import pytest
from django.core.management import call_command

from citations.models import Document

CORPUS = [
    {
        "pid": "A",
        "title": "",
        "text": "A garage door opener costs $100 to $300 to repair.",
    },
    {"pid": "B", "title": "Herons", "text": "The heron eats fish in shallow water."},
    {"pid": "C", "title": "", "text": "Bread rises because yeast makes gas."},
]
TURN = {
    "dataset": "set",
    "conv_id": "1",
    "turn_id": "2",
    "is_first": False,
    "history": [
        {"role": "user", "content": "How do I know that my garage door opener is broken?"},
        {"role": "assistant", "content": "The garage door opener makes no sound."},
    ],
    "query": "How much does it cost to repair it?",
    "rewrite": "How much does it cost to repair a garage door opener?",
    "gold": {"A": 1},
}


@pytest.fixture
def files(tmp_path: Path) -> Path:
    with gzip.open(tmp_path / "corpus.jsonl.gz", "wt") as corpus:
        corpus.writelines(json.dumps(line) + "\n" for line in CORPUS)
    (tmp_path / "turns.jsonl").write_text(json.dumps(TURN) + "\n")
    return tmp_path


def out(files: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (files / "out.jsonl").read_text().splitlines()]


HERONS = [
    {"role": "system", "content": "Water birds"},
    {"role": "user", "content": "Which water birds are there?"},
    {"role": "user", "content": "Do herons stand in shallow water?"},
]


def ranked(files: Path, rewriter: str, turns: list[object]) -> list[object]:
    (files / "turns.jsonl").write_text("".join(json.dumps(turn) + "\n" for turn in turns))
    call_command(
        "evaluate",
        "passages",
        f"--turns={files / 'turns.jsonl'}",
        f"--corpus={files / 'corpus.jsonl.gz'}",
        f"--rewriter={rewriter}",
        f"--out={files / 'out.jsonl'}",
    )
    return [line["ranked"] for line in out(files)]


@pytest.mark.django_db(transaction=True)
def test_history_of_any_shape_leads_to_passages_and_as_typed_uses_none(files):
    query = {"query": "What does it cost to keep them fed?", "rewrite": None}
    first = {"history": [], "is_first": True}
    turns = [TURN | query | first, TURN | query | {"history": HERONS}]
    alone, after_herons = ranked(files, "human", turns)
    assert (alone[0], after_herons[0]) == ("A", "B")
    alone, after_herons = ranked(files, "none", turns)
    assert alone == after_herons


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "rewriter",
    [
        "human",
        "none",
        "builtin",
    ],
)
def test_passages_are_ranked_and_the_real_database_stays_as_it_is(files, rewriter):
    before = Document.objects.create(
        title="Here before", authors=[], media_type="text/plain", checksum="0"
    )
    call_command(
        "evaluate",
        "passages",
        f"--turns={files / 'turns.jsonl'}",
        f"--corpus={files / 'corpus.jsonl.gz'}",
        f"--rewriter={rewriter}",
        f"--out={files / 'out.jsonl'}",
    )
    (line,) = out(files)
    assert (line["dataset"], line["conv_id"], line["turn_id"]) == ("set", "1", "2")
    assert line["ranked"][0] == "A"
    assert Document.objects.get() == before


def test_questions_are_rewritten(files):
    arguments = [f"--turns={files / 'turns.jsonl'}", f"--out={files / 'out.jsonl'}"]
    call_command("evaluate", "rewrite", *arguments, "--rewriter=human")
    assert out(files)[0]["rewrite"] == TURN["rewrite"]
    call_command("evaluate", "rewrite", *arguments, "--rewriter=builtin")
    assert "garage" in str(out(files)[0]["rewrite"])
