"""Traces for OpenTelemetry, exported to OTEL_EXPORTER_OTLP_ENDPOINT.

They hold steps, times and outcomes, as names and codes of the source and numbers; never a text, a
title, an address or a person.
"""

import logging
import os
import time
from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple

from django.conf import settings

from memory.metrics.counting import CODE, SPOILT

# Time limit of a collector, in seconds; traced work never waits for it.
PATIENCE = 5
SERVICE = "throughline"


class TracedStep(NamedTuple):
    """A step of a span: its beginning by `time.perf_counter()`, and its duration."""

    name: str
    begun: float
    seconds: float


def send_span(name: str, begun: float, steps: Iterable[TracedStep] = (), **codes: str) -> None:
    """Send a span that ends now, with its steps below it."""
    tracer = _make_tracer(os.getpid()) if settings.OTEL_EXPORTER_OTLP_ENDPOINT else None
    if tracer is None:
        return
    # The packages are optional: they would cost each process a tenth of a second.
    from opentelemetry.trace import set_span_in_context  # noqa: PLC0415 - only where it is used

    zero = time.time() - time.perf_counter()
    told = {key: code if CODE.fullmatch(code) else SPOILT for key, code in codes.items()}
    span = tracer.start_span(
        name, start_time=_convert_to_nanoseconds(zero + begun), attributes=told
    )
    for step in steps:
        begins = zero + step.begun
        child = tracer.start_span(
            step.name, context=set_span_in_context(span), start_time=_convert_to_nanoseconds(begins)
        )
        child.end(_convert_to_nanoseconds(begins + step.seconds))
    span.end()


def _convert_to_nanoseconds(seconds: float) -> int:
    return int(seconds * 1e9)


@cache
def _make_tracer(process: int) -> Any:
    """Return the process's tracer, which sends its spans in a thread of its own."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # noqa: PLC0415
        OTLPSpanExporter,
    )
    from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
    from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
    from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415

    # An unavailable collector is no error of ours, and its address stays out of the logs.
    logging.getLogger("opentelemetry").setLevel(logging.CRITICAL)
    endpoint = f"{settings.OTEL_EXPORTER_OTLP_ENDPOINT.rstrip('/')}/v1/traces"
    provider = TracerProvider(
        resource=Resource({"service.name": SERVICE, "service.version": settings.VERSION})
    )
    provider.add_span_processor(
        BatchSpanProcessor(OTLPSpanExporter(endpoint=endpoint, timeout=PATIENCE))
    )
    return provider.get_tracer(SERVICE)
