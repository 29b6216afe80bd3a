"""Every metric counted in the course of work: its name, its labels, and its meaning.

A label's values are codes of the product or names of its settings, never personal data.
"""

from typing import NamedTuple

from prometheus_client import Counter, Gauge, Histogram

PREFIX = "throughline_"
# In seconds: from a step of a turn to the longest answer.
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 180.0)


class Declared(NamedTuple):
    """A metric's definition; the first process that counts makes it."""

    kind: type[Counter] | type[Gauge] | type[Histogram]
    help: str
    labels: tuple[str, ...] = ()


METRICS = {
    "turns_total": Declared(
        Counter, "Answers that ended, by how and with what.", ("status", "outcome")
    ),
    "tokens_total": Declared(
        Counter,
        "LLM tokens of prompts and answers, by the model's name in the settings.",
        ("kind", "model"),
    ),
    "step_seconds": Declared(Histogram, "Time of each of a turn's pipeline steps.", ("step",)),
    "prompt_tokens_total": Declared(
        Counter, "Tokens of prompts by their parts, as counted here.", ("part",)
    ),
    "context_overflows_total": Declared(
        Counter, "Prompts that a language model's server found longer than its window."
    ),
    "memory_turns_total": Declared(
        Counter,
        "Turns from a session's third on: hit if its memory found what is cited, else missed, or "
        "uncited.",
        ("result",),
    ),
    "condensations_total": Declared(Counter, "Summaries made of turns, by kind.", ("kind",)),
    "condensed_tokens_total": Declared(
        Counter, "Tokens before and after condensing, by kind of summary.", ("kind", "when")
    ),
    "sessions_begun_total": Declared(Counter, "Sessions that were begun.", ("kind",)),
    "first_piece_seconds": Declared(
        Histogram,
        "From the beginning of the work on a question to the first piece of its answer.",
    ),
    "model_errors_total": Declared(
        Counter, "Answers that a model failed or spoilt, by why.", ("failure",)
    ),
    "claims_total": Declared(
        Counter, "Statements of answers, by what checking them came to.", ("state",)
    ),
    "responses_total": Declared(
        Counter,
        "HTTP responses, by part and class of status; refused is 503 with Retry-After.",
        ("part", "status"),
    ),
    "response_seconds": Declared(Histogram, "Time of a request in Django, by part.", ("part",)),
    "questions_refused_total": Declared(
        Counter, "Questions that were answered with an error's status, by why.", ("reason",)
    ),
    "audit_lost_total": Declared(Counter, "Accesses that the audit couldn't record."),
    "audit_faults": Declared(Gauge, "Faults that the last check of the audit's chain found."),
    "questions_waiting": Declared(
        Gauge,
        "Questions that wait: to be stored, or in the queue to be answered.",
        ("place",),
    ),
    "connections_wanted_total": Declared(
        Counter, "Connections asked of the pool, by database.", ("database",)
    ),
    "connections_waited_total": Declared(
        Counter, "Connections that had to be waited for, by database.", ("database",)
    ),
    "connection_wait_seconds_total": Declared(
        Counter, "Time spent on waiting for a connection, by database.", ("database",)
    ),
}
