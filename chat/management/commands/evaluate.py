"""Measure the product's own code on public conversations, in a database that is thrown away."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from chat.evaluation import citations, documents, files, memories, passages, topics
from chat.evaluation.databases import throw_away
from chat.evaluation.documents import SourceLibrary
from chat.evaluation.rewriters import NAMES, get_rewriter
from memory.recall.index.indexing import embed_missing


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        kinds = parser.add_subparsers(dest="kind", required=True)
        for kind in ("rewrite", "passages", "memories", "topics"):
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
            if kind == "memories":
                asked.add_argument("--queries", nargs="+", type=Path, required=True)

        asked = kinds.add_parser("documents")
        asked.add_argument("--docs", type=Path, required=True)
        asked.add_argument("--questions", type=Path, required=True)
        asked.add_argument("--out", type=Path, required=True)
        asked.add_argument("--without-gold", action="store_true")
        asked.add_argument("--source", nargs="*", default=[])

        asked = kinds.add_parser("citations")
        asked.add_argument("--data", type=Path, required=True)
        asked.add_argument("--out", type=Path, required=True)

    def handle(self, *args: Any, **options: Any) -> None:
        if options["kind"] == "citations":
            lines = list(files.read_lines(options["data"]))
            files.write_lines(options["out"], citations.score_pairs(tqdm(lines, unit="claim")))
            return
        if options["kind"] == "documents":
            files.write_lines(options["out"], self.documents(options))
            return
        turns = [line for path in options["turns"] for line in files.read_lines(path)]
        measure = getattr(self, options["kind"])
        files.write_lines(options["out"], measure(turns, options))

    def rewrite(self, turns: list[files.Line], options: dict[str, Any]) -> Any:
        rewritten = get_rewriter(options["rewriter"])
        for line in tqdm(turns, unit="turn"):
            result = rewritten(line)
            echoed = {name: line[name] for name in ("dataset", "conv_id", "turn_id")}
            yield echoed | {"rewrite": result.query, "reason": result.reason}

    def passages(self, turns: list[files.Line], options: dict[str, Any]) -> Any:
        with throw_away():
            pids = self.indexed(options["corpus"])
            asked = tqdm(turns, desc="Asking", unit="turn")
            yield from passages.rank_passages(asked, pids, get_rewriter(options["rewriter"]))

    def topics(self, turns: list[files.Line], options: dict[str, Any]) -> Any:
        with throw_away():
            pids = self.indexed(options["corpus"]) if options["corpus"] else {}
            told = topics.ask_mixed(turns, pids, seed=options["seed"])
            rows = list(tqdm(told, desc="Asking", unit="question"))
        for line in topics.format_topic_figures(rows):
            self.stdout.write(line)
        return rows

    def indexed(self, path: Path) -> dict[UUID, str]:
        corpus = list(files.read_lines(path))
        pids: dict[UUID, str] = {}
        with tqdm(total=len(corpus), desc="Indexing", unit="passage") as bar:
            for batch in passages.load_passages(corpus):
                pids |= batch
                bar.update(len(batch))
        return pids

    def documents(self, options: dict[str, Any]) -> Any:
        given = list(files.read_lines(options["docs"]))
        questions = list(files.read_lines(options["questions"]))
        sources = sorted({line["source"] for line in given})
        for source in sources:
            if options["source"] and source not in options["source"]:
                continue
            lines = [line for line in given if line["source"] == source]
            asked = [line for line in questions if documents.find_source(line, sources) == source]
            with throw_away():
                reading = tqdm(lines, desc=f"Reading {source}", unit="document")
                read = documents.load_documents(reading, options["docs"].parent)
                library = SourceLibrary(dict(read))
                self.stderr.write(
                    f"{source}: {documents.compute_mean_length():.0f} words in a passage\n"
                )
                for line in tqdm(asked, desc=f"Asking {source}", unit="question"):
                    without = (
                        documents.find_gold_documents(line)
                        if options["without_gold"]
                        else frozenset()
                    )
                    yield documents.answer_question(line, library, without=without)

    def memories(self, turns: list[files.Line], options: dict[str, Any]) -> Any:
        queries = [line for path in options["queries"] for line in files.read_lines(path)]
        with throw_away():
            conversations = {}
            with tqdm(total=len(turns), desc="Remembering", unit="message") as bar:
                for conv_id, conversation in memories.load_conversations(turns):
                    conversations[conv_id] = conversation
                    bar.update(len(conversation.turn_ids))
            if embed_missing():  # unembedded turns would count as forgotten
                raise CommandError("The embedding engine failed.")
            asked = tqdm(queries, desc="Asking", unit="question")
            yield from memories.rank_messages(
                asked, conversations, get_rewriter(options["rewriter"])
            )
