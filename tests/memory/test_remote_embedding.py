"""A remote embedding engine that is wrong, slow or silent harms no question."""

import time
from typing import Any

import numpy as np
import pytest
from django.conf import LazySettings

from citations.models import Document
from memory.conversations.asking import create_session
from memory.models import User
from memory.text import embedding
from memory.text.embedding import EmbeddingError, breaker, remote
from memory.text.embedding.breaker import Breaker
from memory.text.embedding.remote import Remote
from tests.chat.remembered import said
from tests.citations.documents import add
from tests.model_server import ModelServer
from tests.surroundings import wait_until

FEE = "The Zanzibar clause sets the termination fee at 4711 guilders."
QUESTION = "What termination fee does the Zanzibar clause set?"


def data(*rows: Any, **more: Any) -> dict[str, Any]:
    return {"data": [{"index": at, "embedding": row} | more for at, row in enumerate(rows)]}


WRONG: dict[str, Any] = {
    "a page": b"<html>busy</html>",
    "broken JSON": b"{nope",
    "no object": [],
    "a number": 7,
    "null": b"null",
    "nothing": {},
    "no data": {"data": None},
    "too few": data([1.0, 0.0]),
    "too many": data([1.0], [1.0], [1.0]),
    "ragged": data([1.0, 2.0], [1.0]),
    "NaN": b'{"data":[{"index":0,"embedding":[NaN,1]},{"index":1,"embedding":[1,1]}]}',
    "infinite": b'{"data":[{"index":0,"embedding":[1e999,1]},{"index":1,"embedding":[1,1]}]}',
    "too large": data([1e300, 1.0], [1.0, 1.0]),
    "huge": data([10**400, 1], [1, 1]),
    "words": data(["a"], ["b"]),
    "numbers in quotes": data(["1.0"], ["2.0"]),
    "truths": data([True], [False]),
    "deep": b'{"data":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "nested": data([[1.0]], [[2.0]]),
    "empty": data([], []),
    "no vectors": data(None, None),
    "one place twice": data([1.0, 0.0], [0.0, 1.0], index=0),
    "places in words": data([1.0, 0.0], [0.0, 1.0], index="first"),
    "strings": {"data": ["a", "b"]},
    "far too long": b" " * 1_000_000 + b"{}",
}


@pytest.fixture
def engine(model_server: ModelServer) -> Remote:
    return Remote(model_server.base_url, "far", "")


@pytest.mark.parametrize("wrong", WRONG)
def test_whatever_is_answered_that_is_no_vectors_is_one_error(
    engine: Remote, model_server: ModelServer, wrong: str
) -> None:
    model_server.vectors = WRONG[wrong]
    with pytest.raises(EmbeddingError, match="engine_answered"):
        engine.embed(["one", "two"])
    model_server.vectors = None
    assert engine.embed(["one", "two"]).shape == (2, 8)


@pytest.mark.parametrize("status", [302, 400, 401, 404, 429, 500, 503])
def test_an_engine_that_refuses_is_asked_once_and_again_the_next_time(
    engine: Remote, model_server: ModelServer, status: int
) -> None:
    model_server.vectors_status = status
    with pytest.raises(EmbeddingError, match="engine_unavailable"):
        engine.embed(["one"])
    assert model_server.embedded == 1
    model_server.vectors_status = 200
    assert engine.embed(["one"]).shape == (1, 8)


def test_vectors_are_in_the_order_of_their_places(
    engine: Remote, model_server: ModelServer
) -> None:
    rows = [{"index": 1, "embedding": [0, 2]}, {"index": 0, "embedding": [2, 0]}]
    model_server.vectors = {"data": rows}
    assert engine.embed(["one", "two"]).tolist() == [[1.0, 0.0], [0.0, 1.0]]


def test_nobody_waits_for_a_frozen_engine_but_who_asks_first(
    engine: Remote, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine._breaker = Breaker(seconds=3600)
    model_server.vectors_after = 60.0
    with monkeypatch.context() as impatient:
        impatient.setattr(remote, "PATIENCE", 0.5)
        for _ in range(50):
            with pytest.raises(EmbeddingError, match="engine_unavailable"):
                engine.embed(["one"])
    wait_until(lambda: model_server.embedded, what="what was asked")
    assert model_server.embedded == 1
    model_server.vectors_after = 0.0
    engine._breaker._until = time.monotonic()  # the pause is over
    assert engine.embed(["one"]).shape == (1, 8)


def test_after_a_pause_one_tries_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(breaker.time, "monotonic", lambda: now[0])
    tried = Breaker(seconds=10)
    assert tried.may_try()
    tried.failed()
    assert not tried.may_try()
    now[0] += 10
    assert [tried.may_try() for _ in range(3)] == [True, False, False]
    tried.succeeded()
    assert tried.may_try()
    assert tried.may_try()


@pytest.mark.django_db
@pytest.mark.parametrize("wrong", ["a page", "ragged", "NaN", "null", "another width", "grows"])
def test_a_question_goes_on_by_words_whatever_its_engine_answers(
    owner: User, model_server: ModelServer, settings: LazySettings, wrong: str
) -> None:
    settings.EMBEDDING_BASE_URL, settings.EMBEDDING_MODEL = model_server.base_url, wrong
    assert add(FEE).status == Document.Status.READY
    session = create_session(owner)
    assert said(session, QUESTION).status == "complete"
    widths = iter(range(3, 10_000))
    model_server.vectors = WRONG.get(wrong)
    if wrong in ("another width", "grows"):
        model_server.vectors = lambda texts: data(
            *np.ones((len(texts), 5 if wrong == "another width" else next(widths))).tolist()
        )
    for _ in range(3):
        turn = said(session, QUESTION)
        assert (turn.status, turn.failure) == ("complete", "")
        assert wrong == "another width" or "4711" in turn.response


@pytest.mark.django_db
def test_documents_of_several_widths_are_found_all_the_same(
    owner: User, model_server: ModelServer, settings: LazySettings
) -> None:
    settings.EMBEDDING_BASE_URL, settings.EMBEDDING_MODEL = model_server.base_url, "changing"
    add("Herons stand in shallow water.")
    model_server.vectors = lambda texts: data(*np.ones((len(texts), 5)).tolist())
    embedding._make_remote.cache_clear()  # as in another process
    add(FEE)
    turn = said(create_session(owner), QUESTION)
    assert (turn.status, "4711" in turn.response) == ("complete", True)
