"""The figures of a run."""

import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

from tests.load.clients import Asked
from tests.load.scenarios import Run, Sample


@dataclass(frozen=True)
class Figures:
    """One scenario's figures; times in seconds, None where nothing was measured."""

    asked: int
    taken: int
    # Told that there is no room, and when to come again; and those that were not told when.
    refused: int
    refused_blindly: int
    # Taken, but its answer isn't there whole.
    lost: int
    # Neither taken nor refused: an error, or no answer at all.
    failed: int
    resumed: int
    first_median: float | None
    first_p95: float | None
    end_median: float | None
    end_p95: float | None
    refusal_p95: float | None
    page_rest_p95: float | None
    page_p95: float | None
    pages_failed: int
    turns_a_second: float | None
    # Of all processor time, what a turn cost the web processes; and, while answers only stream,
    # what a token did.
    web_ms_a_turn: float | None
    web_ms_a_token: float | None
    web_seconds: float
    worker_seconds: float
    model_seconds: float
    client_seconds: float
    web_megabytes: float
    restarts: int
    # The numbers of lost and failed questions, by message.
    troubles: dict[str, int]

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def figures_of(run: Run) -> Figures:
    """Count and measure the run."""
    asked = run.asked
    taken = [each for each in asked if each.taken]
    refused = [each for each in asked if each.refused_after is not None]
    kept = [each for each in taken if each.kept == "complete" and each.whole]
    firsts = [each.first - each.sent for each in taken if each.first is not None]
    ends = [each.ended - each.sent for each in kept if each.ended is not None]
    last = max((each.ended for each in kept if each.ended is not None), default=None)
    first_sample, last_sample = run.samples[0], run.samples[-1]
    web = last_sample.web - first_sample.web
    return Figures(
        asked=len(asked),
        taken=len(taken),
        refused=sum(each.retry_after for each in refused),
        refused_blindly=sum(not each.retry_after for each in refused),
        lost=len(taken) - len(kept),
        failed=len(asked) - len(taken) - len(refused),
        resumed=sum(each.resumed > 0 for each in asked),
        first_median=median(firsts),
        first_p95=p95(firsts),
        end_median=median(ends),
        end_p95=p95(ends),
        refusal_p95=p95(came(each.refused_after for each in refused)),
        page_rest_p95=p95(came(run.rest)),
        page_p95=p95(came(run.visits)),
        pages_failed=sum(each is None for each in run.visits),
        turns_a_second=len(kept) / last if last else None,
        web_ms_a_turn=web * 1000 / len(taken) if taken else None,
        web_ms_a_token=None if run.visits else _ms_a_token(asked, run.samples),
        web_seconds=web,
        worker_seconds=last_sample.worker - first_sample.worker,
        model_seconds=last_sample.model - first_sample.model,
        client_seconds=last_sample.clients - first_sample.clients,
        web_megabytes=max(sample.megabytes for sample in run.samples),
        restarts=run.restarts,
        troubles=dict(Counter(map(_trouble, asked)) - Counter({"": len(asked)})),
    )


def _trouble(asked: Asked) -> str:
    """Return what befell a question that was lost or failed."""
    if asked.taken:
        is_kept = asked.kept == "complete" and asked.whole
        return "" if is_kept else f"lost: {asked.kept or asked.trouble or 'unknown'}"
    if asked.refused_after is not None:
        return ""
    return f"failed: {asked.trouble or asked.status or 'no answer in time'}"


def came(times: Iterable[float | None]) -> list[float]:
    """Leave out what never came."""
    return [seconds for seconds in times if seconds is not None]


def median(values: Sequence[float]) -> float | None:
    return statistics.median(values) if values else None


def p95(values: Sequence[float]) -> float | None:
    """Return what 95 % of the values are not above."""
    return sorted(values)[max(0, -(-len(values) * 95 // 100) - 1)] if values else None


def _ms_a_token(asked: Sequence[Asked], samples: Sequence[Sample]) -> float | None:
    """Return the web processes' time a token, from the seconds in which answers only streamed."""
    quiet = [
        (before, after)
        for before, after in pairwise(samples)
        if after.told > before.told and not any(_busy(each, before.at, after.at) for each in asked)
    ]
    tokens = sum(after.told - before.told for before, after in quiet)
    return (
        sum(after.web - before.web for before, after in quiet) * 1000 / tokens if tokens else None
    )


def _busy(asked: Asked, begin: float, end: float) -> bool:
    """Return whether the question was being prepared or recorded within these seconds."""
    if asked.refused_after is not None:
        return asked.sent < end and asked.sent + asked.refused_after > begin
    prepared = asked.first if asked.first is not None else (asked.ended or end)
    return (asked.sent < end and prepared > begin) or begin <= (asked.ended or -1) <= end
