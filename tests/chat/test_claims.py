"""The claims of a model's answer are checked and shown, without delaying it."""

import json
import re
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from chat.turns import writing
from chat.turns.pipeline import answer_now, take_turn
from citations.attribution.streaming import MOST_MARKERS
from citations.models import Citation, Claim, Source
from memory.conversations.asking import Question, create_session, retry
from memory.models import Turn, User
from tests.api.conftest import Api
from tests.chat.extractive.material import HANDBOOK, add, asked
from tests.model_server import ModelServer
from tests.pages.conversations import page, text

pytestmark = pytest.mark.django_db

HELD = "How many berths does the harbour have?"
SAID = "The harbour has 240 berths"
INVENTED = "Olaparib lowers the risk of progression in ovarian cancer."


@pytest.fixture(autouse=True)
def _handbook(db: None) -> None:
    add(HANDBOOK)


@pytest.fixture
def api(owner: User) -> Api:
    return Api(owner)


def replies(model: ModelServer, text: str, **how: Any) -> None:
    """Let the model reply so from now on."""
    model.reset()
    model.reply(text, **how)


def test_a_claim_without_a_marker_gets_the_passage_that_says_it(
    owner: User, model: ModelServer
) -> None:
    replies(model, f"{SAID}.")
    turn = asked(owner, HELD)
    claim, citation = turn.claims.get(), turn.citations.get()
    assert turn.response == f"{SAID}."
    assert claim.state == "supported"
    assert citation.claim == claim
    assert citation.is_added
    assert turn.response[: citation.start] == SAID
    assert citation.source.number == 1
    assert citation.passage.text[citation.passage_start : citation.passage_end] == citation.quote
    assert turn.outcome == Turn.Outcome.ANSWERED


def test_what_nothing_says_is_told_in_the_text_and_below(
    owner: User, client: Client, model: ModelServer
) -> None:
    replies(model, f"{SAID} [1-9]. {INVENTED}")
    turn = asked(owner, HELD)
    client.force_login(owner)
    html = text(client.get(page("conversation", turn.session_id)))
    assert f'<span class="claim is-uncited">{INVENTED[:-1]}</span>' in html
    assert "(Without a source)" in html
    assert "Statements supported: 1 of 2" in html
    assert "Without a source: 1" in html


def test_the_built_in_answerer_is_as_quiet_as_ever(owner: User, client: Client) -> None:
    turn = asked(owner, HELD)
    assert {claim.state for claim in turn.claims.all()} == {"supported"}
    assert {claim.method for claim in turn.claims.all()} == {"exact"}
    assert not turn.citations.filter(is_added=True)
    client.force_login(owner)
    html = text(client.get(page("conversation", turn.session_id)))
    assert "statement" not in html
    assert "claim" not in html


def test_a_conversation_has_no_numbers_twice(owner: User, model: ModelServer) -> None:
    session = create_session(owner)
    for reply in (f"{SAID}.", f"{SAID} [1].", f"{INVENTED} {SAID}."):
        replies(model, reply)
        answer_now(take_turn(session, Question(HELD)).attempt)
    numbers = Source.objects.filter(session=session).values_list("number", flat=True)
    assert list(numbers) == list(range(1, len(numbers) + 1))


def test_another_attempt_takes_the_claims_with_the_text(owner: User, model: ModelServer) -> None:
    replies(model, f"{SAID}. {INVENTED}")
    turn = asked(owner, HELD)
    before = set(turn.claims.values_list("pk", flat=True))
    Turn.objects.filter(pk=turn.pk).update(status=Turn.Status.FAILED, failure="internal_error")
    replies(model, INVENTED)
    turn.refresh_from_db()
    answer_now(retry(turn))
    assert [claim.state for claim in turn.claims.all()] == ["uncited"]
    assert before.isdisjoint(turn.claims.values_list("pk", flat=True))
    assert Claim.objects.count() == 1


def test_what_streams_is_what_is_told_later(api: Api, model: ModelServer) -> None:
    replies(model, f"{SAID}. {INVENTED} (Passage 9)")
    path = api.begin()
    response = api.post(f"{path}/turns", {"query": HELD}, Accept="text/event-stream")
    body = b"".join(response).decode()
    event = re.search(r"^event: citations\ndata: (.*)$", body, re.MULTILINE)
    assert event
    told = json.loads(event[1])
    (turn,) = api.get(f"{path}/history").json()["turns"]
    assert told == {name: turn[name] for name in ("citations", "claims", "support")}
    assert turn["support"] == {"claims": 2, "supported": 1}
    assert [claim["state"] for claim in turn["claims"]] == ["supported", "uncited"]
    first, (citation,) = turn["claims"][0], turn["citations"]
    assert citation["added"]
    assert citation["claim_id"] == first["claim_id"]
    assert first["citations"] == [citation["citation_id"]]
    assert first["numbers"] == [1]
    assert turn["response"][first["start"] : first["end"]] == first["text"] == f"{SAID}."
    assert turn["response"][citation["start"] : citation["end"]] == SAID
    assert "[1]" not in turn["response"]


@pytest.mark.parametrize("style", ["inline", "footnote", "reference"])
def test_claims_are_found_in_each_style(api: Api, model: ModelServer, style: str) -> None:
    replies(model, f"{SAID} [1]. {INVENTED} And {SAID} [1].")
    turn = api.ask(api.begin(style=style), HELD)
    for claim in turn["claims"]:
        stretch = turn["response"][claim["start"] : claim["end"]]
        assert re.sub(r" ?\[\^?\d\]", "", stretch) == claim["text"]


def test_a_question_that_nobody_keeps_is_checked_as_well(api: Api, model: ModelServer) -> None:
    replies(model, f"{SAID}. {INVENTED}")
    claims = Claim.objects.count()
    turn = api.post("/query", {"query": HELD}).json()
    assert [claim["state"] for claim in turn["claims"]] == ["supported", "uncited"]
    assert turn["support"] == {"claims": 2, "supported": 1}
    assert turn["citations"][0]["claim_id"] is None
    assert Claim.objects.count() == claims


def test_a_copy_and_an_export_have_the_numbers_that_were_added(
    owner: User, client: Client, model: ModelServer
) -> None:
    replies(model, f"{SAID}. {INVENTED}")
    turn = asked(owner, HELD)
    client.force_login(owner)
    html = text(client.get(page("conversation", turn.session_id)))
    assert f"{SAID} [1]. {INVENTED}" in html
    export = client.get(f"{page('conversation', turn.session_id)}/export/markdown")
    assert f"{SAID} [1]. {INVENTED}" in b"".join(export).decode()


def test_a_wrong_marker_leads_to_the_passage_of_its_document_that_says_it(
    owner: User, model: ModelServer
) -> None:
    replies(model, f"{SAID}.")
    right = asked(owner, HELD).citations.get().passage
    labels = [row.label for row in _offered(asked(owner, HELD)) if row.passage != right]
    replies(model, f"{SAID} [{labels[0]}].")
    turn = asked(owner, HELD)
    assert turn.claims.get().state == "supported"
    assert turn.citations.get().passage == right


def test_the_passage_of_a_wrong_document_leads_to_the_right_one(
    owner: User, client: Client, model: ModelServer
) -> None:
    add("# Boats\n\nHow many boats a harbour has room for, and in what berths, the harbour says.")
    replies(model, f"{SAID}.")
    right = asked(owner, HELD).citations.get().passage
    [label] = [
        row.label
        for row in _offered(asked(owner, HELD))
        if row.passage.document_id != right.document_id
    ]
    replies(model, f"{SAID} [{label}].")
    turn = asked(owner, HELD)
    assert turn.claims.get().state == "elsewhere"
    wrong, better = turn.citations.get(is_added=False), turn.citations.get(is_added=True)
    assert better.passage == right
    client.force_login(owner)
    html = text(client.get(page("citation", wrong.pk)))
    assert page("citation", better.pk) in html
    assert "Another passage does" in html
    assert "The answer cites another passage" in text(client.get(page("citation", better.pk)))


def _offered(turn: Turn) -> list[Any]:
    return list(turn.context_records.get().passages.filter(label__isnull=False).order_by("label"))


# --- Whatever a model writes ----------------------------------------------------------------------


def test_an_answer_of_1500_markers_is_kept_with_a_bounded_number_of_queries(
    owner: User, model: ModelServer
) -> None:
    def queries(times: int) -> int:
        berths = (
            f"Berth {number} is free until {number + 1} is taken [1]." for number in range(times)
        )
        replies(model, " ".join(berths))
        session = create_session(owner)
        attempt = take_turn(session, Question(HELD)).attempt
        with CaptureQueriesContext(connection) as captured:
            turn = answer_now(attempt)
        assert turn.status == "complete"
        writes = [each["sql"] for each in captured if each["sql"].startswith("INSERT")]
        return len(writes)

    few, many = queries(3), queries(1500)
    # The answer ends at a bound of its characters, long before all of them have come.
    cited = Citation.objects.filter(turn=Turn.objects.latest("asked_at")).count()
    assert 50 < cited <= MOST_MARKERS
    assert many <= few + 4  # SQLite takes so many values at a time


def test_an_answer_is_kept_though_its_check_fails(
    owner: User, model: ModelServer, caplog: pytest.LogCaptureFixture
) -> None:
    replies(model, f"{SAID} [1]. {INVENTED}")
    # A passage that can't be read breaks the check, not the answer.
    turn = _with_a_broken_check(owner)
    assert turn.status == "complete"
    assert SAID in turn.response
    assert not turn.claims.exists()
    assert turn.citations.count() == 1
    assert "claims_not_checked" in caplog.text
    assert SAID not in caplog.text


def _with_a_broken_check(owner: User) -> Turn:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writing, "CHECK_SECONDS", -1.0)
        return asked(owner, HELD)


def test_an_answer_that_broke_off_is_checked_as_far_as_it_goes(
    owner: User, model: ModelServer, settings: LazySettings
) -> None:
    settings.LLM_RETRIES = 0
    replies(model, f"{SAID}. {INVENTED} And more", break_after=len(SAID.split()) + 6)
    turn = answer_now(take_turn(create_session(owner), Question(HELD)).attempt)
    assert turn.status == "failed"
    assert turn.claims.filter(state="supported").count() == 1
