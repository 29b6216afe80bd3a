"""What survives compression, measured: with summaries in a model's words, and with extracts."""

from typing import Any

import pytest

from chat.evaluation.compression import (
    author_figures,
    condensed_sessions,
    survival_figures,
    survivals,
)
from tests.chat.condensing.sayings import GOOD
from tests.memory.summaries.told import ANSWER, QUESTION
from tests.model_server import ModelServer

pytestmark = pytest.mark.django_db

LINES = [
    {
        "dataset": "own", "conv_id": "c", "session_id": "S1", "date": None, "caption": "",
        "turn_id": f"{at}:{role}", "role": role, "content": text.format(at=at),
    }
    for at in range(1, 21)
    for role, text in (("user", QUESTION), ("assistant", ANSWER))
]  # fmt: skip
ASKED = {
    "dataset": "own", "conv_id": "c", "qid": "1", "gold": {"3:assistant": 1},
    "query": "What does clause 3 say about the deposit?",
}  # fmt: skip


def test_it_says_where_the_values_are_and_that_no_model_was_asked() -> None:
    told = dict(condensed_sessions(LINES))
    assert author_figures(told.values()).endswith("0 turned down, 5 never asked for")
    (row,) = survivals([ASKED], told, window=4096)
    assert row["values"] >= 3
    assert row["last"] == 0 < row["window"] <= row["below"] <= row["truncated"] == 1
    assert survival_figures([row])[0].endswith("1 questions")


def test_it_says_how_many_summaries_a_model_wrote_and_how_many_were_turned_down(
    model_server: ModelServer, settings: Any
) -> None:
    settings.LLM_BASE_URL, settings.LLM_MODEL = model_server.base_url, "test-model"
    # The newest are asked for first, the whole last.
    for said in ("Nonsense.", "Nonsense.", "Nonsense.", GOOD, "Nonsense."):
        model_server.reply(said)
    told = dict(condensed_sessions(LINES))
    said = author_figures(told.values())
    assert said == "1 summaries by a model, 4 turned down, 0 never asked for"
