"""P19: a model's provider gets what an answer takes, and nothing that says whose it is."""

import json

import pytest

from chat.turns.pipeline import answer_now, take_turn
from memory.conversations.asking import Question, create_session
from memory.jobs.queue import run_due
from memory.models import User
from tests.chat.extractive.material import HANDBOOK, add
from tests.model_server import ModelServer

FIELDS = {
    "model",
    "messages",
    "temperature",
    "max_tokens",
    "stream",
    "stream_options",
    "response_format",
    "seed",
    "stop",
}
# By the client itself, which also names its own version and system, and the provider's key.
HEADERS = {
    "host",
    "accept",
    "accept-encoding",
    "connection",
    "user-agent",
    "content-length",
    "content-type",
    "authorization",
}
TURNS = 8  # of a person, in two conversations


@pytest.mark.django_db
@pytest.mark.parametrize("people", [1, pytest.param(125, marks=pytest.mark.deep)])
def test_p19_a_prompt_tells_nothing_of_whose_it_is(model: ModelServer, people: int) -> None:
    add(HANDBOOK)
    for number in range(people):
        model.reset()
        person = User.objects.create_user(
            f"Zaunkoenig{number}",
            f"pirol{number}@example.org",
            first_name="Wiedehopf",
            last_name="Eisvogel",
        )
        sessions = [create_session(person, title=f"Kleiber{n}") for n in range(2)]
        for turn in range(TURNS):
            words = f"How many berths for bird{turn % 2} has the harbour in {1990 + turn}?"
            asked = take_turn(sessions[turn % 2], Question(words))
            assert asked.attempt
            answer_now(asked.attempt)
        run_due()
        for request in model.requests:
            headers = request.pop("headers")
            assert set(request) <= FIELDS
            assert {name for name in headers if not name.startswith("x-stainless-")} <= HEADERS
            sent = json.dumps([request, dict(headers)]).lower()
            ids = [str(row.pk) for row in (person, *sessions)]
            for private in ("zaunkoenig", "pirol", "wiedehopf", "eisvogel", "kleiber", *ids):
                assert private not in sent
                assert private.replace("-", "") not in sent
            assert not ("bird0" in sent and "bird1" in sent)
        assert len(model.requests) >= TURNS
