"""Counting by prometheus_client: each process has its own files, which are added up when read."""

import re
from contextlib import suppress
from functools import cache
from typing import Any

from prometheus_client import (
    CollectorRegistry,
    Gauge,
    Histogram,
    disable_created_metrics,
    values,
)
from prometheus_client.multiprocess import MultiProcessCollector

from memory.metrics.declared import BUCKETS, METRICS, PREFIX
from memory.metrics.files import make_metrics_folder, share_counts

# A label's value is a code; any other value is replaced.
CODE = re.compile(r"[A-Za-z0-9_.:/-]{0,60}")
SPOILT = "other"
# Most sets of labels of a process, so that its files never grow (memory.metrics.files).
MOST_SERIES = 250


class Counts:
    """The metrics of this process, each made when it is first counted."""

    def __init__(self) -> None:
        share_counts()
        disable_created_metrics()
        self.registry = CollectorRegistry()
        self._metrics = {name: self._made(name) for name in METRICS}
        self._series: dict[tuple[object, ...], Any] = {}

    def series(self, name: str, labels: dict[str, str]) -> Any:
        """Return the child of a declared metric by its labels; None beyond MOST_SERIES."""
        codes = {key: code if CODE.fullmatch(code) else SPOILT for key, code in labels.items()}
        key = (name, *sorted(codes.items()))
        if key not in self._series and len(self._series) < MOST_SERIES:
            metric = self._metrics[name]
            self._series[key] = metric.labels(**codes) if codes else metric
        return self._series.get(key)

    def collector(self) -> Any:
        """Return a registry that collects the counts of all processes of this machine."""
        is_shared = values.ValueClass is not values.MutexValue
        return (
            MultiProcessCollector(None, str(make_metrics_folder())) if is_shared else self.registry
        )

    def _made(self, name: str) -> Any:
        declared = METRICS[name]
        own: Any = {Histogram: {"buckets": BUCKETS}, Gauge: {"multiprocess_mode": "sum"}}
        options = own.get(declared.kind, {}) | {"registry": self.registry}
        return declared.kind(PREFIX + name, declared.help, declared.labels, **options)


@cache
def get_counts() -> Counts:
    return Counts()


def count(name: str, amount: float = 1, **labels: str) -> None:
    """Add to a declared counter."""
    _use(name, labels, "inc", amount)


def mirror(name: str, value: float, **labels: str) -> None:
    """Set this process's part of a declared gauge."""
    _use(name, labels, "set", value)


def observe(name: str, seconds: float, **labels: str) -> None:
    """Add a time to a declared histogram."""
    _use(name, labels, "observe", seconds)


def _use(name: str, labels: dict[str, str], verb: str, number: float) -> None:
    with suppress(OSError):  # no space for the files of a forked process
        if series := get_counts().series(name, labels):
            getattr(series, verb)(number)
