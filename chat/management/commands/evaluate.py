"""Measure the product's own code on public conversations, in a database that is thrown away."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand
from django.test import override_settings
from tqdm import tqdm

from chat.evaluation import (
    answers,
    citations,
    compression,
    documents,
    files,
    memories,
    passages,
    topics,
)
from chat.evaluation.databases import throw_away
from chat.evaluation.documents import SourceLibrary
from chat.evaluation.rewriters import NAMES, rewriter
from chat.evaluation.vectors import kept_vectors
from chat.prompting.wording import VERSION


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        kinds = parser.add_subparsers(dest="kind", required=True)
        for kind in ("rewrite", "passages", "memories", "topics", "compression"):
            asked = kinds.add_parser(kind)
            asked.add_argument("--turns", nargs="+", type=Path, required=True)
            if kind != "topics":
                asked.add_argument("--rewriter", choices=NAMES, default="builtin")
            asked.add_argument("--out", type=Path, required=True)
            if kind == "passages":
                asked.add_argument("--corpus", type=Path, required=True)
            if kind == "topics":
                asked.add_argument("--corpus", type=Path, help="what to search, if anything")
                asked.add_argument("--seed", type=int, default=1)
            if kind == "compression":
                asked.add_argument("--window", type=int, default=4096)
            if kind in ("memories", "compression"):
                asked.add_argument("--queries", nargs="+", type=Path, required=True)
                asked.add_argument("--vectors", type=Path, help="a file to keep vectors in")

        asked = kinds.add_parser("documents")
        asked.add_argument("--docs", type=Path, required=True)
        asked.add_argument("--questions", type=Path, required=True)
        asked.add_argument("--out", type=Path, required=True)
        asked.add_argument("--without-gold", action="store_true")
        asked.add_argument("--source", nargs="*", default=[])

        asked = kinds.add_parser("answers")
        asked.add_argument("--docs", type=Path, required=True)
        asked.add_argument("--questions", type=Path, required=True)
        asked.add_argument("--out", type=Path, required=True, help="goes on where it ends")
        asked.add_argument("--answerer", choices=("model", "quoting"), default="model")
        asked.add_argument("--prompt", choices=(VERSION,), default=VERSION)
        asked.add_argument("--limit-per-source", type=int, default=answers.FROM_EACH)
        asked.add_argument("--limit-without-gold", type=int, default=answers.WITHOUT_GOLD)
        asked.add_argument("--without-gold", action="store_true", help="only those")

        asked = kinds.add_parser("citations")
        asked.add_argument("--data", type=Path, required=True)
        asked.add_argument("--out", type=Path, required=True)

    def handle(self, *args: Any, **options: Any) -> None:
        if options["kind"] == "citations":
            lines = list(files.lines(options["data"]))
            files.write_lines(options["out"], citations.score_pairs(tqdm(lines, unit="claim")))
            return
        if options["kind"] == "documents":
            files.write_lines(options["out"], self.documents(options))
            return
        if options["kind"] == "answers":
            self.answers(options)
            return
        turns = [line for path in options["turns"] for line in files.lines(path)]
        measure = getattr(self, options["kind"])
        files.write_lines(options["out"], measure(turns, options))

    def rewrite(self, turns: list[files.Line], options: dict[str, Any]) -> Any:
        rewritten = rewriter(options["rewriter"])
        for line in tqdm(turns, unit="turn"):
            result = rewritten(line)
            echoed = {name: line[name] for name in ("dataset", "conv_id", "turn_id")}
            yield echoed | {"rewrite": result.query, "reason": result.reason}

    def passages(self, turns: list[files.Line], options: dict[str, Any]) -> Any:
        with throw_away():
            pids = self.indexed(options["corpus"])
            asked = tqdm(turns, desc="Asking", unit="turn")
            yield from passages.rank_passages(asked, pids, rewriter(options["rewriter"]))

    def topics(self, turns: list[files.Line], options: dict[str, Any]) -> Any:
        with throw_away():
            pids = self.indexed(options["corpus"]) if options["corpus"] else {}
            told = topics.ask_mixed(turns, pids, seed=options["seed"])
            rows = list(tqdm(told, desc="Asking", unit="question"))
        for line in topics.topic_figures(rows):
            self.stdout.write(line)
        return rows

    def indexed(self, path: Path) -> dict[UUID, str]:
        corpus = list(files.lines(path))
        pids: dict[UUID, str] = {}
        with tqdm(total=len(corpus), desc="Indexing", unit="passage") as bar:
            for batch in passages.load_passages(corpus):
                pids |= batch
                bar.update(len(batch))
        return pids

    def documents(self, options: dict[str, Any]) -> Any:
        given = list(files.lines(options["docs"]))
        questions = list(files.lines(options["questions"]))
        sources = sorted({line["source"] for line in given})
        for source in sources:
            if options["source"] and source not in options["source"]:
                continue
            lines = [line for line in given if line["source"] == source]
            asked = [line for line in questions if documents.find_source(line, sources) == source]
            with throw_away():
                library = self.library(lines, source, options)
                self.stderr.write(f"{source}: {documents.mean_length():.0f} words in a passage\n")
                for line in tqdm(asked, desc=f"Asking {source}", unit="question"):
                    without = (
                        documents.gold_documents(line) if options["without_gold"] else frozenset()
                    )
                    yield documents.answer_question(line, library, without=without)

    def library(
        self, lines: list[files.Line], source: str, options: dict[str, Any]
    ) -> SourceLibrary:
        reading = tqdm(lines, desc=f"Reading {source}", unit="document")
        return SourceLibrary(dict(documents.load_documents(reading, options["docs"].parent)))

    def answers(self, options: dict[str, Any]) -> None:
        out: Path = options["out"]
        done = list(files.lines(out)) if out.exists() else []
        keys = {(row["id"], row["has_gold"]) for row in done}
        chosen = answers.cases(
            files.lines(options["questions"]),
            most=0 if options["without_gold"] else options["limit_per_source"],
            without=options["limit_without_gold"],
        )
        due = [case for case in chosen if case.key not in keys]
        # Else what the passages say would count for the model.
        changed: dict[str, Any] = {"FALLBACK": "none"}
        if options["answerer"] == "quoting":
            changed["LLM_MODEL"] = ""
        given = list(files.lines(options["docs"]))
        with override_settings(**changed):
            for source in sorted({case.question["source"] for case in due}):
                with throw_away():
                    lines = [line for line in given if line["source"] == source]
                    library = self.library(lines, source, options)
                    asked = [case for case in due if case.question["source"] == source]
                    for case in tqdm(asked, desc=f"Asking {source}", unit="question"):
                        files.append_line(out, answers.answer_case(case, library))
        for told in answers.answer_figures(list(files.lines(out))):
            self.stdout.write(told)

    def memories(self, turns: list[files.Line], options: dict[str, Any]) -> Any:
        queries = [line for path in options["queries"] for line in files.lines(path)]
        with throw_away(), kept_vectors(options["vectors"]):
            conversations = {}
            with tqdm(total=len(turns), desc="Remembering", unit="message") as bar:
                for conv_id, conversation in memories.load_conversations(turns):
                    conversations[conv_id] = conversation
                    bar.update(len(conversation.turn_ids))
            memories.check_all_is_embedded()
            asked = tqdm(queries, desc="Asking", unit="question")
            yield from memories.rank_messages(asked, conversations, rewriter(options["rewriter"]))

    def compression(self, turns: list[files.Line], options: dict[str, Any]) -> Any:
        queries = [line for path in options["queries"] for line in files.lines(path)]
        told = {}
        with throw_away(), kept_vectors(options["vectors"]):
            with tqdm(total=len(turns), desc="Condensing", unit="message") as bar:
                for conv_id, session in compression.condensed_sessions(turns):
                    told[conv_id] = session
                    bar.update(len(session.messages))
            asked = tqdm(queries, desc="Asking", unit="question")
            rows = list(compression.survivals(asked, told, window=options["window"]))
        self.stdout.write(compression.author_figures(told.values()))
        for line in compression.survival_figures(rows):
            self.stdout.write(line)
        return rows
