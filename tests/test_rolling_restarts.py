"""Web processes are restarted one by one while people ask: nothing is lost, nothing twice."""

import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import httpx
import pytest

from tests.model_server import ModelServer
from tests.servers import Blueprint, Web
from tests.surroundings import end, wait_until

pytestmark = pytest.mark.deep

PEOPLE = 8
ROUNDS = 3
ANSWER = "The Determination Date is the fifteenth day of each calendar month [1]. " * 3
ENDED = ("complete", "interrupted", "failed")


@dataclass
class Someone:
    """A person who asks one question after the other, at whichever server answers."""

    servers: list[Web]
    session: str
    is_over: threading.Event
    asked: list[str] = field(default_factory=list)
    turns: list[str] = field(default_factory=list)
    errors: list[int] = field(default_factory=list)

    def go_on(self) -> None:
        while not self.is_over.is_set():
            self.asked.append(f"What is the Determination Date of deal {len(self.asked)}?")
            self.turns.append(self._taken(f"{self.session}-{len(self.asked)}", self.asked[-1]))

    def _taken(self, key: str, query: str) -> str:
        """Ask until it is known that the question was taken; the same key each time."""
        path = f"/api/v1/sessions/{self.session}/turns"
        while True:
            for server in self.servers:
                answer = self._sent(server, path, key, query)
                if answer is not None and answer.status_code == 201:
                    return str(answer.json()["turn_id"])
                if answer is not None and answer.status_code not in (409, 503):
                    self.errors.append(answer.status_code)
            time.sleep(0.2)

    def _sent(self, server: Web, path: str, key: str, query: str) -> httpx.Response | None:
        headers = {"Authorization": f"Bearer {server.tokens['owner']}", "Idempotency-Key": key}
        try:
            return httpx.post(server.url + path, json={"query": query}, headers=headers, timeout=60)
        except httpx.TransportError:
            return None


def test_a_rolling_restart_loses_no_question_and_answers_each_once(
    blueprint: Blueprint, model_server: ModelServer
) -> None:
    model_server.reply(ANSWER, delay=0.02)
    first = blueprint.copy(**model_server.environment, RESUME_INTERRUPTED="true")
    known = {name: value for name, value in first.environment.items() if name != "DATA_DIR"}
    second = Web(first.data_dir, first.tokens, **known)
    servers = [first, second]
    try:
        for server in servers:
            server.start()
        people = load(servers, restarted=rolling)
        reader = first.client("owner")
        for person in people:
            stored = wait_until(partial(ended, reader, person.session), what="all to end")
            assert [turn["query"] for turn in stored] == person.asked, "each once, in their order"
            assert [turn["turn_id"] for turn in stored] == person.turns
            assert {turn["status"] for turn in stored} == {"complete"}
            assert not person.errors
        assert sum(len(person.asked) for person in people) > PEOPLE * ROUNDS
    finally:
        for server in servers:
            server.stop()


def load(servers: list[Web], *, restarted: Callable[[list[Web]], None]) -> list[Someone]:
    """Let people ask while the servers are restarted; return them when all of them are done."""
    is_over = threading.Event()
    sessions = [
        servers[0].client("owner").post("/api/v1/sessions", json={}).json()["session_id"]
        for _ in range(PEOPLE)
    ]
    people = [
        Someone(servers[::step], session, is_over)
        for session, step in zip(sessions, [1, -1] * PEOPLE, strict=False)
    ]
    threads = [threading.Thread(target=person.go_on) for person in people]
    for thread in threads:
        thread.start()
    try:
        restarted(servers)
    finally:
        is_over.set()
        for thread in threads:
            thread.join()
    return people


def rolling(servers: list[Web]) -> None:
    """End and start one after the other, each with answers under way."""
    for _ in range(ROUNDS):
        for server in servers:
            time.sleep(3)
            assert server.process
            end(server.process, signal.SIGTERM)
            server.start()


def ended(reader: httpx.Client, session: str) -> list[dict[str, Any]] | None:
    """Return the session's turns once none of them is open."""
    history = reader.get(f"/api/v1/sessions/{session}/history", params={"limit": 100}).json()
    turns: list[dict[str, Any]] = history["turns"]
    return turns if all(turn["status"] in ENDED for turn in turns) else None
