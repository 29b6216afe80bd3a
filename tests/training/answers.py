"""Fits the extractive answerer: `python -m tests.training.answers collect|fit STORE`.

`collect` asks the questions of PolicyQA, COVID-QA and the examination, with and without the
documents that answer them, and stores what retrieval found with the units' cosines. `fit` fits the
weights of the scorer and the answerability on them, held out by document.
"""

import argparse
import gzip
import json
import os
import pickle
import sys
from pathlib import Path
from random import Random
from typing import Any

import django

# Of each public set so many documents are read, which takes minutes.
MOST_DOCUMENTS = 20
PUBLIC = ("policyqa", "covidqa")
# So many of their questions are asked of documents about other matters.
MOST_OFF_TOPIC = 60


def collect(store: Path, evidence: Path) -> None:
    from chat.evaluation.databases import throw_away
    from tests.examination.vectors import kept_vectors

    sets = {"examination": examination} | dict.fromkeys(PUBLIC, public)
    for source, load in sets.items():
        if (store / f"{source}.pickle").exists():
            continue
        with throw_away(), kept_vectors(store / f"{source}.npz"):
            rows = load(source, evidence)
            (store / f"{source}.pickle").write_bytes(pickle.dumps(rows))
            print(source, len(rows), file=sys.stderr)


def read_public(name: str, evidence: Path, source: str) -> list[dict[str, Any]]:
    with gzip.open(evidence / f"docqa_{name}_dev.jsonl.gz", "rt") as lines:
        return [line for line in map(json.loads, lines) if line["source"] == source]


def public(source: str, evidence: Path) -> list[dict[str, Any]]:
    from chat.evaluation.documents import find_gold_documents, load_documents

    documents = read_public("docs", evidence, source)[:MOST_DOCUMENTS]
    library = dict(load_documents(documents, evidence))
    rows = []
    for line in read_public("questions", evidence, source):
        if line["doc_id"] not in library:
            continue
        only = {line["doc_id"]} if line.get("scope") == "document" else None
        rows.append(asked(line, library, find_gold_documents(line), only))
        if only is None:
            rows.append(asked(line, library, frozenset(), set(library) - find_gold_documents(line)))
    return rows


def examination(_: str, evidence: Path) -> list[dict[str, Any]]:
    from chat.evaluation.documents import finish_jobs
    from citations.ingestion.adding import add_document
    from tests.examination.__main__ import questions, sources

    library = {}
    for source in sources():
        document = add_document(source.content(), file_name=source.file_name)
        library[source.name] = document.pk
    finish_jobs()
    rows, chosen = [], Random(35)
    for line in questions(None):
        gold = frozenset([line["document"]]) if line["must"] else frozenset()
        others = set(library) - gold
        few = chosen.sample(sorted(others), 2)
        rows.append(asked(line, library, gold, None))
        if gold:
            rows.append(asked(line, library, gold, {*gold, few[0]}))
            rows.append(asked(line, library, frozenset(), others))
            rows.append(asked(line, library, frozenset(), set(few)))
    for name in PUBLIC:  # about other matters
        asking = read_public("questions", evidence, name)
        for line in chosen.sample(asking, MOST_OFF_TOPIC):
            other = {"question": line["question"], "document": line["doc_id"], "must": []}
            rows.append(asked(other, library, frozenset(), None))
            few = chosen.sample(sorted(library), 2)
            rows.append(asked(other, library, frozenset(), set(few)))
    return rows


def asked(
    line: dict[str, Any], library: dict[str, Any], gold: frozenset[str], only: set[str] | None
) -> dict[str, Any]:
    from chat.extractive.scorer import cosines
    from chat.extractive.units import read_all
    from citations.index.scope import Scope
    from citations.retrieval import find_passages
    from memory.text.embedding import Embedded

    documents = None if only is None else frozenset(library[name] for name in only)
    question = Embedded(line["question"])
    found = find_passages(question, scope=Scope(documents=documents), limit=20)
    for each in found:
        each.passage.document.outline = []
    names = {pk: name for name, pk in library.items()}
    units = read_all(found)
    return {
        "line": line,
        "gold": gold,
        "only": only,
        "found": found,
        "names": names,
        "cosines": cosines(question, units),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("collect", "fit"))
    parser.add_argument("store", type=Path)
    parser.add_argument("--evidence", type=Path, help="the folder of the public sets")
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ["LLM_MODEL"] = ""
    django.setup()
    options.store.mkdir(parents=True, exist_ok=True)
    if options.what == "collect":
        collect(options.store, options.evidence)
        return
    from tests.training.fit_answers import fit

    fit(options.store)


if __name__ == "__main__":
    main()
