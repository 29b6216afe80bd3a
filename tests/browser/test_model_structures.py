"""Structures by a language model on the page: the seed's cases, rows and steps as they come."""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.browser.test_journey import ask
from tests.browser.test_structures import COMPARING, SENIORITY, picture, rows_of
from tests.model_server import ModelServer
from tests.servers import Web

playwright = pytest.importorskip("playwright.sync_api")
expect = playwright.expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

SignIn = Callable[["Page", str], None]
RANKED = {"rows": [
    {"name": "María García", "value": "seven years [1]", "reason": "leads migrations [1]"},
    {"name": "Juan Pérez", "value": "five years [2]", "reason": "React [2]"},
]}  # fmt: skip
COMPARED = {
    "criteria": ["Framework"],
    "rows": [
        {"name": "Juan Pérez", "values": ["React [1]"]},
        {"name": "Ana Ribeiro", "values": ["Vue [2]"]},
    ],
}
SAID = "María García has seven years of backend experience [1]."


@pytest.fixture(scope="module")
def web(start_web: Callable[..., Web], model_server: ModelServer) -> Web:
    """A web server whose language model the tests command."""
    return start_web(**model_server.environment, MAX_HISTORY_TURNS="3")


@pytest.mark.parametrize("language", [0, 1])
def test_the_three_cases_with_a_model(
    page: "Page", sign_in: SignIn, model_server: ModelServer, language: int
) -> None:
    sign_in(page, "owner")
    questions = (*SENIORITY[language], *COMPARING[language])
    for question, said in zip(questions, (RANKED, SAID, COMPARED, RANKED), strict=True):
        model_server.reset()
        model_server.reply(said if isinstance(said, str) else json.dumps(said))
        ask(page, question)
    expect(rows_of(page, 1).first).to_contain_text("María García")
    expect(page.locator("#turn-2 .prose")).to_contain_text("seven years of backend experience")
    expect(rows_of(page, 3)).to_have_count(2)
    expect(page.locator("#turn-4 .table-kind")).to_have_text("Ranking")
    told = [each["messages"] for each in model_server.requests]
    kept = "items, in this order: Juan Pérez; Ana Ribeiro"
    assert any(kept in messages[-1]["content"] for messages in told)

    # Eight messages are before it; of three turns at most the model is told.
    model_server.reset()
    model_server.reply(SAID)
    ask(page, "Where does María García work?")
    asked = [[each["role"] for each in sent["messages"]] for sent in model_server.requests]
    assert 0 < max(roles.count("assistant") for roles in asked) <= 3


def test_rows_and_steps_show_while_the_answer_is_written(
    page: "Page", sign_in: SignIn, model_server: ModelServer
) -> None:
    pieces = [
        f'{{"rows": [{json.dumps(RANKED["rows"][0])}',
        f", {json.dumps(RANKED['rows'][1])}]}}",
    ]
    model_server.reply("".join(pieces), pieces=pieces, hold_after=1)
    sign_in(page, "owner")
    page.get_by_label("Answer as").select_option("ranking")
    page.get_by_label("Your question").fill("Who is the best for Backend?")
    page.keyboard.press("Enter")
    expect(page.locator(".streaming table")).to_contain_text("María García")
    expect(page.locator(".streaming table")).not_to_contain_text("Juan Pérez")
    expect(page.get_by_role("status").filter(has_text="Writing")).to_have_count(1)
    page.locator(".pipeline-steps summary").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".pipeline-steps li:visible")).to_have_count(6)
    picture(page, "steps-live")
    model_server.go_on()
    expect(rows_of(page, 1)).to_have_count(2)
    steps = page.locator("#turn-1 .pipeline-steps")
    expect(steps.locator("li:visible")).to_have_count(8)  # as it was opened
    expect(steps.locator("summary")).to_contain_text("Answered in")
    picture(page, "steps")
