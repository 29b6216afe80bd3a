"""Every metric that is counted as work is done: its name, its labels, and what it means.

A label's values are codes of the product or names of its settings, never anything of a person.
"""

from dataclasses import dataclass

PREFIX = "throughline_"
# In seconds: from a step of a turn to an answer that takes all the time it may.
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 180.0)


@dataclass(frozen=True)
class Metric:
    """One metric that only grows, a counter or a histogram; or one of the moment, a gauge."""

    help: str
    labels: tuple[str, ...] = ()
    is_histogram: bool = False
    # Ends with the process that says it.
    is_gauge: bool = False

    @property
    def kind(self) -> str:
        if self.is_gauge:
            return "gauge"
        return "histogram" if self.is_histogram else "counter"


METRICS = {
    "turns_total": Metric("Answers that ended, by how and with what.", ("status", "outcome")),
    "tokens_total": Metric(
        "LLM tokens of prompts and answers, by the model's name in the settings.",
        ("kind", "model"),
    ),
    "step_seconds": Metric("Time of each step of a turn.", ("step",), is_histogram=True),
    "first_piece_seconds": Metric(
        "From the beginning of the work on a question to the first piece of its answer.",
        is_histogram=True,
    ),
    "model_errors_total": Metric("Answers that a model failed or spoilt, by why.", ("failure",)),
    "claims_total": Metric("Statements of answers, by what checking them came to.", ("state",)),
    "responses_total": Metric(
        "HTTP responses, by part and class of status; refused is 503 because too many ask.",
        ("part", "status"),
    ),
    "response_seconds": Metric(
        "Time of a request in Django, by part.", ("part",), is_histogram=True
    ),
    "questions_refused_total": Metric(
        "Questions that were answered with an error's status, by why.", ("reason",)
    ),
    "questions_waiting": Metric(
        "Questions that wait: at the door, to be stored; in the queue, to be answered.",
        ("place",),
        is_gauge=True,
    ),
    "connections_wanted_total": Metric(
        "Connections asked of the pool, by database.", ("database",)
    ),
    "connections_waited_total": Metric(
        "Connections that had to be waited for, by database.", ("database",)
    ),
    "connection_wait_seconds_total": Metric(
        "Time spent on waiting for a connection, by database.", ("database",)
    ),
}
