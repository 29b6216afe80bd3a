"""A careful client: it asks again under the same key, and finds each question once in the end."""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from statistics import median
from typing import Any

import httpx

from tests.servers import Web
from tests.surroundings import wait_until

API = "/api/v1/sessions"
QUESTION = {"query": "What is the Determination Date?"}
# Stored and answered as any other, at a tenth of the cost.
SMALL_TALK = {"query": "Thank you!"}
# For as many questions as these tests ask in one conversation.
ROOMY = {"DEFAULT_TIER": "research", "MAX_TURNS_PER_SESSION": "5000"}
# How often each fault comes in `make deep`, and what is promised of it, in seconds (P40).
TIMES = 30
TOLD_WITHIN, BACK_WITHIN, UNREADY_WITHIN = 10, 30, 5


def is_told(answer: httpx.Response) -> None:
    assert answer.status_code == 503, answer.text
    assert answer.json()["error"]["code"] == "unavailable"
    assert int(answer.headers["Retry-After"]) > 0


class Careful:
    """A client in one conversation, and how long it waited for what it was told."""

    def __init__(self, web: Web, question: dict[str, str] = SMALL_TALK) -> None:
        self.web, self.question, self.api = web, question, web.client("owner", timeout=60)
        session = self.api.post(API, json={}).raise_for_status().json()["session_id"]
        self.turns = f"{API}/{session}/turns"
        self.asked: list[str] = []
        # Seconds: until it was told to come again, until it was answered afterwards, and until
        # `/readyz` told the fault.
        self.told: list[float] = []
        self.back: list[float] = []
        self.unready: list[float] = []

    def ask(self) -> dict[str, Any] | None:
        """Ask the next question; return its turn, or None if it is to be asked again."""
        began, key = time.monotonic(), f"key-{len(self.asked)}"
        answer = self.api.post(self.turns, json=self.question, headers={"Idempotency-Key": key})
        if answer.status_code == 201:
            turn: dict[str, Any] = answer.json()
            self.asked.append(turn["turn_id"])
            return turn
        if answer.status_code == 409:  # what was asked before is at work yet
            return None
        is_told(answer)
        self.told.append(time.monotonic() - began)
        return None

    def endures(
        self,
        fault: Callable[[], AbstractContextManager[object]],
        meanwhile: Callable[[], object] | None = None,
    ) -> None:
        """Ask before, in and after each of the faults, and find each question once."""
        wait_until(self.ask)
        for _ in range(TIMES):
            with fault():
                (meanwhile or self.ask)()
            began = time.monotonic()
            wait_until(self.ask)
            self.back.append(time.monotonic() - began)
        self.finds_each_once()
        # By the median, since neighbours hold the machine up.
        for promised, took in (
            (TOLD_WITHIN, self.told),
            (BACK_WITHIN, self.back),
            (UNREADY_WITHIN, self.unready),
        ):
            print(f"{len(took)} times: {median(took or [0]):.1f}, {max(took, default=0):.1f} s")
            assert median(took or [0]) < promised

    def sees_it_is_not_ready(self) -> None:
        """Wait until `/readyz` tells that there is a fault, and ask meanwhile."""
        began = time.monotonic()
        wait_until(lambda: self.web.client().get("/readyz").status_code == 503)
        self.unready.append(time.monotonic() - began)
        self.ask()

    def finds_each_once(self) -> None:
        assert [turn["turn_id"] for turn in self.history()] == self.asked

    def history(self) -> list[dict[str, Any]]:
        """Return all turns of the conversation, page by page."""
        turns: list[dict[str, Any]] = []
        where: dict[str, str] | None = {"limit": "100"}
        while where:
            place = self.turns.replace("/turns", "/history")
            page = self.api.get(place, params=where).raise_for_status().json()
            turns += page["turns"]
            where = {"limit": "100", "cursor": page["next"]} if page["next"] else None
        return turns
