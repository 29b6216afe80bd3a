"""Traces: what a real receiver of OpenTelemetry's protocol is sent of a turn, and what is not."""

import gzip
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from pytest_django import Settings

from memory.checks.values import tracing
from tests.servers import Web
from tests.surroundings import wait_until

CANARY = "Xylophonist"


class Collector:
    """Takes spans, and keeps the bytes that they came in."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        kept = self.bodies

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                kept.append(gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body)
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}"

    @property
    def spans(self) -> list[Any]:
        return [
            span
            for body in list(self.bodies)
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]

    def named(self, name: str) -> list[Any]:
        return [span for span in self.spans if span.name == name]


@pytest.fixture
def collector() -> Iterator[Collector]:
    collector = Collector()
    yield collector
    collector.stop()


def test_a_turn_is_traced_with_its_steps_and_nothing_of_what_was_said(
    start_web: Callable[..., Web], collector: Collector
) -> None:
    web = start_web(OTEL_EXPORTER_OTLP_ENDPOINT=collector.url, OTEL_BSP_SCHEDULE_DELAY="100")
    api = web.client("owner")
    session = api.post("/api/v1/sessions", json={"title": CANARY}).json()["session_id"]
    query = {"query": f"What is the {CANARY} paid?"}
    assert api.post(f"/api/v1/sessions/{session}/turns", json=query).status_code == 201
    api.get(f"/{CANARY}")
    wait_until(lambda: collector.named("turn") and len(collector.named("request")) > 2)

    (turn,) = collector.named("turn")
    steps = {span.name: span for span in collector.spans if span.parent_span_id == turn.span_id}
    assert {"recall", "find", "answer", "record"} <= set(steps)
    assert all(
        turn.start_time_unix_nano <= step.start_time_unix_nano <= step.end_time_unix_nano
        for step in steps.values()
    )
    told = {each.key: each.value.string_value for each in turn.attributes}
    assert told == {"status": "complete", "failure": "none"}
    sent = b"".join(collector.bodies)
    for canary in (CANARY, session, "owner"):
        assert canary.encode() not in sent


def test_a_collector_that_is_away_keeps_no_turn_waiting(
    start_web: Callable[..., Web], collector: Collector
) -> None:
    collector.stop()
    api = start_web(OTEL_EXPORTER_OTLP_ENDPOINT=collector.url).client("owner")
    session = api.post("/api/v1/sessions", json={}).json()["session_id"]
    turn = api.post(f"/api/v1/sessions/{session}/turns", json={"query": "What is a berth?"})
    assert turn.status_code == 201


def test_what_traces_need_is_named_where_it_is_missing(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.OTEL_EXPORTER_OTLP_ENDPOINT = "http://127.0.0.1:4318"
    assert tracing(None) == []
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert [message.id for message in tracing(None)] == ["throughline.E019"]
