"""make bench: how fast the product is here, as medians and ratios of one run.

Works in databases of its own, which it throws away, on the engine that DATABASE_URL names.
`python -m tests.bench --memory` measures only what a long conversation adds, `--sources` what its
bibliography takes, and `--audit` what the audit adds to a turn.
"""

import logging
import os
import statistics
import sys
import tempfile
import time
from typing import TYPE_CHECKING

import django

if TYPE_CHECKING:
    from tests.bench.measures import TurnCost

ROUNDS = 15


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    for limit in ("MAX_TURNS_PER_SESSION", "TURNS_PER_HOUR", "REQUESTS_PER_MINUTE"):
        os.environ.setdefault(limit, "1000000")
    with tempfile.TemporaryDirectory(prefix="throughline-bench-") as folder:
        os.environ["DATA_DIR"] = folder
        django.setup()
        logging.disable(logging.WARNING)
        from chat.evaluation.databases import throw_away

        with throw_away():
            parts = {
                "--sources": report_sources,
                "--memory": report_memory,
                "--audit": report_audit,
            }
            for part in [parts[name] for name in parts if name in sys.argv] or [report]:
                part()
        logging.disable(logging.NOTSET)


def say(line: str = "") -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def report() -> None:
    from django.db import connection

    from tests.bench import material, measures
    from tests.people import person

    say(f"Engine: {connection.vendor}. Milliseconds, medians of {ROUNDS} rounds.\n")
    owner = person("bench")
    speed = measures.ingestion(sorted(material.SAMPLE.glob("*.md")))
    say(f"| ingestion | {speed:.0f} passages a second |\n|---|---|\n")
    say(
        "| turns stored | own time of a turn | sealing's share |"
        " sequential | ÷ ORM | ÷ SELECT | relevance | hybrid |"
    )
    say("|---|---|---|---|---|---|---|---|")
    costs: dict[int, measures.TurnCost] = {}
    for size in (10, 1_000, 10_000):
        session = material.session_of(owner, size)
        builds = measures.context_builds(session, ROUNDS)
        cost = measures.turn_cost(session, ROUNDS)
        costs[size] = cost
        say(
            f"| {size:,} | {cost.own:.1f} | {cost.sealing:.1%} |"
            f" {builds['sequential']:.2f} |"
            f" {builds['sequential'] / builds['ORM read']:.2f} |"
            f" {builds['sequential'] / builds['SELECT']:.1f} |"
            f" {builds['relevance']:.1f} | {builds['hybrid']:.1f} |"
        )
    say_costs(costs)
    say("\n| passages | find | with the question's embedding |\n|---|---|---|")
    for size in (1_000, 50_000):
        material.library_of(size)
        times = measures.retrieval(ROUNDS)
        say(f"| {size:,} | {times['find']:.1f} | {times['with embedding']:.1f} |")
    say(f"\n| storage of 100 turns | {storage(person('storage')):.2f} MB |\n|---|---|")
    say(f"| time to the first event over HTTP | {first_event():.0f} ms |\n")
    report_audit()


def report_memory() -> None:
    """Say how long a conversation is condensed, what that adds to a turn, and its prompt's size."""
    from citations.ingestion.adding import add_document
    from tests.bench import material, measures
    from tests.people import person

    owner = person("bench")
    for path in sorted(material.SAMPLE.glob("*.md")):
        add_document(path.read_bytes(), file_name=path.name)
    say(
        "| turns stored | condensed in, of processor time | processor time of a turn |"
        " without summaries | tokens of the prompt |"
    )
    say("|---|---|---|---|---|")
    for size in (100, 1_000, 5_000):
        session = material.session_of(owner, size)
        condensing = measures.condensing(session)
        cost = measures.memory_cost(session, ROUNDS)
        say(
            f"| {size:,} | {condensing:.0f} | {cost.with_them:.0f} | {cost.without:.0f} |"
            f" {cost.tokens:,} |"
        )


def report_sources() -> None:
    """Time the sources of 1,000 turns that cite 200 documents."""
    from tests.bench import material, measures
    from tests.people import person

    session = material.session_of(person("bench"), 1_000)
    material.cite_documents(session, 200)
    times = measures.sources_cost(session, ROUNDS)
    say("Milliseconds of processor time.\n")
    say(f"| sources of 1,000 turns | {' | '.join(times)} |\n|---|---|---|---|")
    say(f"| 200 documents | {' | '.join(f'{each:.1f}' for each in times.values())} |")


def report_audit() -> None:
    """Print the milliseconds and rows that the audit adds to a turn."""
    from tests.bench import material, measures
    from tests.people import person

    session = material.session_of(person("audited"), 100)
    own, spent, rows = measures.audit_cost(session, ROUNDS * 3)
    say("| own time of a turn | of it its audit | rows of the audit |\n|---|---|---|")
    say(f"| {own:.1f} | {spent:.2f} | {rows} |")


def say_costs(costs: "dict[int, TurnCost]") -> None:
    """Say what a turn asks of the databases and the processor, and where its time goes."""
    steps = list(next(iter(costs.values())).shares)
    say(f"\n| turns stored | statements | commits | processor | {' | '.join(steps)} |")
    say("|---|---|---|---|" + "---|" * len(steps))
    for size, cost in costs.items():
        shares = " | ".join(f"{cost.shares[step]:.0%}" for step in steps)
        say(f"| {size:,} | {cost.statements} | {cost.commits} | {cost.processor:.1f} | {shares} |")


def storage(owner: object) -> float:
    """Return what 100 turns with citations, records and vectors take, in megabytes."""
    from chat.turns.pipeline import answer_now, take_turn
    from memory.conversations.asking import Question, create_session
    from memory.jobs.queue import run_due
    from tests.bench.measures import QUESTION, stored_bytes

    session = create_session(owner)  # type: ignore[arg-type]
    before = stored_bytes()
    for _ in range(100):
        asked = take_turn(session, Question(QUESTION))
        assert asked.attempt
        answer_now(asked.attempt)
        run_due()
    return (stored_bytes() - before) / 1e6


def first_event() -> float:
    """Return the time from a question to its first event, over HTTP."""
    from pathlib import Path

    from tests.bench.measures import QUESTION
    from tests.servers import Blueprint

    with tempfile.TemporaryDirectory(prefix="throughline-bench-web-") as folder:
        web = Blueprint(Path(folder), {}).copy()
        web.start()
        try:
            with web.client("owner") as client:
                session = client.post("/api/v1/sessions", json={}).json()["session_id"]
                times = [_first_event(client, session, QUESTION) for _ in range(ROUNDS + 1)]
        finally:
            web.stop()
    return statistics.median(times[1:])


def _first_event(client: object, session: str, question: str) -> float:
    begun = time.perf_counter()
    first = 0.0
    with client.stream(  # type: ignore[attr-defined]
        "POST",
        f"/api/v1/sessions/{session}/turns",
        json={"query": question},
        headers={"Accept": "text/event-stream"},
    ) as events:
        for line in events.iter_lines():
            if line.startswith("event:") and not first:
                first = (time.perf_counter() - begun) * 1000
    return first


if __name__ == "__main__":
    main()
