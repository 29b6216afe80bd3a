"""Measurements: medians of rounds in one run, and ratios within it."""

import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

from django.conf import settings
from django.db import connection, connections
from django.test import override_settings

import memory.fields
from chat.prompting.prompts import build
from chat.prompting.wording import Matter
from chat.shapes.resources.events import opening_shape
from chat.turns.pipeline import prepare, take_turn
from chat.turns.recording import record
from citations.bibliography.cited import list_cited
from citations.bibliography.formatting import _format
from citations.index.scope import Scope
from citations.models import Document
from citations.retrieval import find_passages
from memory import audit
from memory.conversations.asking import Question
from memory.jobs import run_due
from memory.jobs.queue import run
from memory.models import AuditEvent, Job, Session, Turn
from memory.recall import Stored, recall
from memory.recall.budget import compute_history_limit, scale_limits
from memory.recall.rewriting.exchanges import Rewrite
from memory.recall.summaries.making import CONDENSE, condense_later
from memory.text.embedding import Embedded

ANSWER = "Alpelisib inhibits p110 alpha [1]. Capivasertib acts one step further down [2]."
QUESTION = "Which drugs inhibit mutated PIK3CA in advanced breast cancer?"


def median(call: Callable[[], object], rounds: int) -> float:
    """Return the median time of the call, in milliseconds, after one call that doesn't count."""
    call()
    return statistics.median(_once(call) for _ in range(rounds))


def _once(call: Callable[[], object]) -> float:
    begun = time.perf_counter()
    call()
    return (time.perf_counter() - begun) * 1000


@dataclass(frozen=True)
class TurnCost:
    """The cost of a turn without its answerer: from the question to the committed record."""

    # Milliseconds, by the clock and of this thread's processor time.
    own: float
    processor: float
    # The same where no passage that is read was read before by this process.
    # Of the own time, sealing's share and that of each step.
    sealing: float
    shares: dict[str, float]
    statements: int
    commits: int


def turn_cost(session: Session, rounds: int) -> TurnCost:
    """Return the medians of so many turns, and what the last of them asked of the databases."""
    own, processor, sealing = [], [], []
    steps: dict[str, list[float]] = {}
    for _ in range(rounds + 1):
        finish_jobs()
        with _sealing_timed() as sealed:
            took, worked, taken = _timed(session)
            own.append(took)
            processor.append(worked)
        sealing.append(sum(sealed) * 1000 / own[-1])
        for step, milliseconds in taken.items():
            steps.setdefault(step, []).append(milliseconds / own[-1])
    finish_jobs()
    with counted() as counts:
        turn_without_answerer(session)
    return TurnCost(
        own=statistics.median(own[1:]),
        processor=statistics.median(processor[1:]),
        sealing=statistics.median(sealing[1:]),
        shares={step: statistics.median(shares[1:]) for step, shares in steps.items()},
        statements=counts["statements"],
        commits=counts["commits"],
    )


def _timed(session: Session) -> tuple[float, float, dict[str, float]]:
    """Return the milliseconds of a turn by the clock and of the processor, and by step."""
    begun, worked = time.perf_counter(), time.thread_time()
    taken = turn_without_answerer(session)
    times = (time.perf_counter() - begun, time.thread_time() - worked)
    return times[0] * 1000, times[1] * 1000, taken


def finish_jobs() -> None:
    """Do the jobs of the turns before, as a worker does them meanwhile."""
    while run_due():
        pass


def condensing(session: Session) -> float:
    """Have the session condensed by its job; return the milliseconds of processor time it took."""
    condense_later(session.pk, session.owner_id)
    job = Job.objects.get(kind=CONDENSE, subject=session.pk)
    begun = time.process_time()
    run(job.pk)
    took = (time.process_time() - begun) * 1000
    finish_jobs()
    return took


@dataclass(frozen=True)
class MemoryCost:
    """The cost of summaries and a full window in a turn, and the size of its prompt."""

    # Milliseconds of processor time.
    with_them: float
    without: float
    tokens: int


def memory_cost(session: Session, rounds: int) -> MemoryCost:
    """Return the medians of so many turns with summaries and of as many without, by turns."""
    with_them, without = [], []
    for _ in range(rounds + 1):
        finish_jobs()
        with_them.append(_timed(session)[1])
        finish_jobs()
        with override_settings(ENABLE_COMPRESSION=False, HISTORY_FILL="off"):
            without.append(_timed(session)[1])
    asked = take_turn(session, Question(QUESTION))
    assert asked.attempt
    prepared = prepare(asked.attempt)
    record(prepared, status=Turn.Status.COMPLETE, failure="")
    return MemoryCost(
        statistics.median(with_them[1:]), statistics.median(without[1:]), prepared.prompt.tokens
    )


def audit_cost(session: Session, rounds: int) -> tuple[float, float, int]:
    """Return the medians of a turn's time and of its audit's within it, and the audit's rows.

    The chain's link is written by a job, in a transaction of its own, and is counted as a row.
    """
    own, spent = [], []
    before = AuditEvent.objects.count()
    real = audit.record
    for _ in range(rounds + 1):
        finish_jobs()
        of_turn: list[float] = []

        def timed(*args: Any, of_turn: list[float] = of_turn, **options: Any) -> Any:
            begun = time.perf_counter()
            try:
                return real(*args, **options)
            finally:
                of_turn.append((time.perf_counter() - begun) * 1000)

        with mock.patch.object(audit, "record", timed):
            own.append(_timed(session)[0])
        spent.append(sum(of_turn))
    events = AuditEvent.objects.count() - before
    return statistics.median(own[1:]), statistics.median(spent[1:]), 2 * events // (rounds + 1)


def turn_without_answerer(session: Session) -> dict[str, float]:
    """Do all of a turn in its order, with a fixed answer; return the milliseconds of each step."""
    begun = time.perf_counter()
    asked = take_turn(session, Question(QUESTION))
    assert asked.attempt
    asking = (time.perf_counter() - begun) * 1000
    prepared = prepare(asked.attempt)
    opening_shape(prepared.recalled.rewrite, QUESTION, prepared.found)
    prepared.citing.feed(ANSWER)
    prepared.citing.close()
    record(prepared, status=Turn.Status.COMPLETE, failure="")
    return {"ask": asking, **prepared.timings.steps}


@contextmanager
def counted() -> Iterator[Counter[str]]:
    """Count the statements and commits in both databases."""
    counts: Counter[str] = Counter()

    def statement(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if not sql.startswith(("BEGIN", "SAVEPOINT", "RELEASE")):
            counts["statements"] += 1
        return execute(sql, params, many, context)

    def commit(connection: Any, real: Callable[[], Any]) -> Any:
        counts["commits"] += 1
        return real()

    with ExitStack() as stack:
        for each in connections.all():
            stack.enter_context(each.execute_wrapper(statement))
            real = each._commit
            each._commit = partial(commit, each, real)
            stack.callback(setattr, each, "_commit", real)
        yield counts


@contextmanager
def _sealing_timed() -> Iterator[list[float]]:
    seconds: list[float] = []

    def timed(function: Callable[..., bytes]) -> Callable[..., bytes]:
        def call(*args: object, **kwargs: object) -> bytes:
            begun = time.perf_counter()
            try:
                return function(*args, **kwargs)
            finally:
                seconds.append(time.perf_counter() - begun)

        return call

    names = ("seal", "unseal")
    real = {name: getattr(memory.fields, name) for name in names}
    for name in names:
        setattr(memory.fields, name, timed(real[name]))
    try:
        yield seconds
    finally:
        for name in names:
            setattr(memory.fields, name, real[name])


def context_builds(session: Session, rounds: int) -> dict[str, float]:
    """Return the times of building a context and of the bare reads of the same rows."""
    limits = scale_limits(settings.MAX_TOKENS_PER_CONTEXT)
    before = session.last_position + 1
    allowance = compute_history_limit(limits, system=200, question=20)
    # Rewriting has a time of its own.
    standalone = Rewrite(QUESTION, "given")

    def built(strategy: str) -> list[int]:
        session.strategy = strategy
        recalled = recall(
            Stored(session, before),
            QUESTION,
            limits=limits,
            allowance=allowance,
            standalone=standalone,
        )
        prompt = build(Matter(QUESTION), recalled, [], limits)
        return [turn.position for turn in prompt.turns]

    positions = built("sequential")
    table = Turn._meta.db_table
    marks = ", ".join(["%s"] * len(positions))
    select = (
        f"SELECT query, response, query_tokens, response_tokens FROM {table}"
        f" WHERE session_id = %s AND position IN ({marks}) ORDER BY position"
    )
    key = session.pk.hex if connection.vendor == "sqlite" else session.pk

    def read() -> object:
        return list(session.turns.filter(position__in=positions).order_by("position"))

    def selected() -> object:
        with connection.cursor() as cursor:
            cursor.execute(select, [key, *positions])
            return cursor.fetchall()

    # Newest turns are chosen without a vector; the question's embedding is retrieval's, not theirs.
    with override_settings(EMBEDDING="none"):
        sequential = median(lambda: built("sequential"), rounds * 5)
    return {
        "sequential": sequential,
        "ORM read": median(read, rounds * 5),
        "SELECT": median(selected, rounds * 5),
        "relevance": median(lambda: built("relevance"), rounds),
        "hybrid": median(lambda: built("hybrid"), rounds),
    }


def _processor(call: Callable[[], object], rounds: int) -> float:
    """Return the median processor time of the call, after one call that doesn't count."""
    call()
    times = []
    for _ in range(rounds):
        begun = time.process_time()
        call()
        times.append((time.process_time() - begun) * 1000)
    return statistics.median(times)


def sources_cost(session: Session, rounds: int) -> dict[str, float]:
    """Return the processor time of a session's sources: a page, first and later, and all."""

    def read(limit: int | None) -> None:
        for cited in list_cited(session, limit=limit):
            cited.format("apa", "en")

    def read_first() -> None:
        _format.cache_clear()
        read(20)

    return {
        "page, first time": _processor(read_first, rounds),
        "page": _processor(partial(read, 20), rounds),
        "all": _processor(partial(read, None), rounds),
    }


def retrieval(rounds: int) -> dict[str, float]:
    """Return the time of finding passages, the question's embedding left out and included."""
    asked = Embedded(QUESTION)
    assert asked.vector is not None
    return {
        "find": median(lambda: find_passages(asked, scope=Scope()), rounds),
        "with embedding": median(lambda: find_passages(QUESTION, scope=Scope()), rounds),
    }


def ingestion(paths: list[Path]) -> float:
    """Return the passages a second of ingesting the files, embedding included."""
    from citations.ingestion.adding import add_document
    from memory.jobs.queue import run_due

    before = sum(Document.objects.values_list("passage_count", flat=True))
    begun = time.perf_counter()
    for path in paths:
        add_document(path.read_bytes(), file_name=path.name)
    run_due()
    seconds = time.perf_counter() - begun
    return (sum(Document.objects.values_list("passage_count", flat=True)) - before) / seconds


def stored_bytes() -> int:
    """Return how large the content database is."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(
                "SELECT (page_count - freelist_count) * page_size"
                " FROM pragma_page_count, pragma_freelist_count, pragma_page_size"
            )
        else:
            cursor.execute("SELECT pg_database_size(current_database())")
        return int(cursor.fetchone()[0])
