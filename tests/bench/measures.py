"""What is measured, and how: medians of rounds in one run, ratios taken within it."""

import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.test import override_settings

import memory.fields
from chat.prompting.prompts import build
from chat.shapes.resources.events import opening_shape
from chat.turns.pipeline import prepare, take_turn
from chat.turns.recording import record
from citations.models import Document
from citations.retrieval import Scope, find
from memory.conversations import attempts
from memory.conversations.asking import Question
from memory.models import Session, Turn
from memory.recall import Stored, recall
from memory.recall.budget import limits_of, longest_history
from memory.recall.rewriting import Rewrite
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


def own_time(session: Session, rounds: int) -> tuple[float, float]:
    """Return a turn's own time in milliseconds, and the share of it that sealing takes.

    Own time is everything but the answerer: from the question to the committed record.
    """
    times, shares = [], []
    for _ in range(rounds + 1):
        with _sealing_timed() as sealing:
            begun = time.perf_counter()
            _turn_without_answerer(session)
            own = (time.perf_counter() - begun) * 1000
        times.append(own)
        shares.append(sum(sealing) * 1000 / own)
    return statistics.median(times[1:]), statistics.median(shares[1:])


def _turn_without_answerer(session: Session) -> None:
    """Do all of chat.turns.answer in its order, with a fixed answer in the place of a model's."""
    asked = take_turn(session, Question(QUESTION))
    assert asked.attempt
    prepared = prepare(asked.attempt)
    opening = opening_shape(prepared.recalled.rewrite, QUESTION, prepared.found)
    attempts.begin(asked.attempt, opening=opening)
    prepared.citing.feed(ANSWER)
    prepared.citing.close()
    record(prepared, status=Turn.Status.COMPLETE, failure="")


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
    limits = limits_of(settings.MAX_TOKENS_PER_CONTEXT)
    before = session.last_position + 1
    allowance = longest_history(limits, system=200, question=20)
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
        prompt = build(QUESTION, recalled, [], limits)
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


def retrieval(rounds: int) -> dict[str, float]:
    """Return the time of finding passages, the question's embedding left out and included."""
    asked = Embedded(QUESTION)
    assert asked.vector is not None
    return {
        "find": median(lambda: find(asked, scope=Scope()), rounds),
        "with embedding": median(lambda: find(QUESTION, scope=Scope()), rounds),
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
