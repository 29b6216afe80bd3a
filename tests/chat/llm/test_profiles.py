"""Profiles of servers: refused parameters are replaced and remembered, measurements are used."""

import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from chat import llm
from chat.llm import profiles
from chat.models import ModelProfile
from tests.chat.llm.asking import MESSAGES, told

pytestmark = pytest.mark.django_db
LONG = [{"role": "user", "content": "The Servicer shall deliver a report. " * 50}]


def wants_new_names(body: dict[str, Any]) -> bool:
    return "max_tokens" not in body


def test_a_parameter_that_is_refused_is_replaced_and_remembered(model_server) -> None:
    message = "Unsupported parameter: 'max_tokens' is not supported with this model. Use "
    model_server.refuse(message + "'max_completion_tokens' instead.", unless=wants_new_names)
    assert told().text == "Understood."
    assert told().text == "Understood."
    limits = [request.get("max_completion_tokens") for request in model_server.requests]
    assert limits == [None, 100, 100]
    row = ModelProfile.objects.get()
    assert row.limit_parameter == "max_completion_tokens"
    assert [lesson["learned"] for lesson in row.lessons] == [
        {"limit_parameter": "max_completion_tokens"}
    ]


def test_each_refused_parameter_is_left_out(model_server) -> None:
    model_server.refuse("Unsupported value: 'temperature' does not support 0.2 with this model.")
    model_server.refuse("System role not supported")
    model_server.refuse("Unrecognized request argument supplied: stream_options")
    model_server.reply("At last.")
    assert told().text == "At last."
    request = model_server.last_request
    assert not {"temperature", "stream_options"} & set(request)
    assert request["messages"] == [
        {"role": "user", "content": "\n\n".join(each["content"] for each in MESSAGES)}
    ]


def test_a_short_answer_learns_as_well(model_server) -> None:
    model_server.refuse("Unsupported value: 'temperature' does not support 0 with this model.")
    model_server.reply("<think>Hm.</think>What is it?")
    assert llm.ask("And then?") == "What is it?"
    assert "temperature" not in model_server.last_request


def test_a_server_that_refuses_everything_is_not_asked_for_ever(model_server) -> None:
    model_server.refuse("max_tokens is too large.")
    assert told(max_tokens=4000).failure == "model_request_refused"
    assert len(model_server.requests) <= 6


def test_no_more_is_asked_for_than_models_usually_give(model_server) -> None:
    told(max_tokens=30_420)
    assert model_server.last_request["max_tokens"] == profiles.USUAL_OUTPUT


def test_a_window_that_is_named_bounds_the_next_prompt(model_server, settings) -> None:
    model_server.refuse("request (9 tokens) exceeds the available context size (2048 tokens)")
    assert told().failure == "context_overflow"
    assert llm.prompt_limits(4096).window == 2048
    settings.LLM_WINDOW = 3000
    assert llm.prompt_limits(4096).window == 3000


def test_an_answer_that_leaves_no_room_is_made_shorter(model_server) -> None:
    model_server.refuse(
        "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens "
        "(3000 in the messages, 2000 in the completion)."
    )
    model_server.reply("At last.")
    assert told(max_tokens=2000).text == "At last."
    assert model_server.last_request["max_tokens"] == 1080


def test_the_margin_follows_what_the_server_counts(model_server, settings) -> None:
    assert llm.prompt_limits(4096).usable == int(4096 * (1 - settings.TOKEN_MARGIN))
    counted = int(profiles.PRIMING + 1.2 * profiles.count_tokens(LONG[0]["content"]) + 5)
    model_server.reply("It is.", usage=(counted, 2))
    told(messages=LONG)
    assert ModelProfile.objects.get().ratio == pytest.approx(1.2, abs=0.02)
    assert llm.prompt_limits(4096).usable == pytest.approx(4096 * 0.98 / 1.2, rel=0.02)


def test_only_the_first_answers_are_measured(model_server, monkeypatch) -> None:
    monkeypatch.setattr(profiles, "MAX_SAMPLES", 3)
    model_server.reply("It is.", usage=(400, 2))
    for _ in range(5):
        told(messages=LONG)
    assert ModelProfile.objects.get().samples == 3


def test_a_ratio_that_can_not_be_is_not_believed(model_server) -> None:
    model_server.reply("It is.", usage=(90_000_000, 2))
    told(messages=LONG)
    assert ModelProfile.objects.first() is None or ModelProfile.objects.get().ratio is None


def test_a_profile_is_read_once(model_server, django_assert_num_queries) -> None:
    with django_assert_num_queries(1):
        llm.get_window()
        llm.prompt_limits(4096)


def test_thinking_aloud_is_noted(model_server) -> None:
    model_server.reply("Hm.</think>It is.")
    told()
    assert told().text == "It is."
    assert ModelProfile.objects.get().begins_in_thought


# --- The test -----------------------------------------------------------------------------------


def probed(capsys) -> dict[str, Any]:
    call_command("model", "probe", "--json")
    shown: dict[str, Any] = json.loads(capsys.readouterr().out)
    return shown


def test_a_test_finds_what_the_server_tells(model_server, capsys) -> None:
    model_server.tell("/props", {"default_generation_settings": {"n_ctx": 8192}})
    model_server.tell(
        "/v1/models", {"data": [{"id": "test-model", "meta": {"n_ctx_train": 131_072}}]}
    )
    model_server.reply('{"ok": true}', usage=(400, 2))
    shown = probed(capsys)
    assert shown["window"] == 8192
    assert shown["reports_usage"]
    assert shown["takes_system"]
    assert shown["ratio"]
    assert "test-key" not in json.dumps(shown)
    assert len(model_server.requests) == 1


def test_a_test_finds_what_is_not_taken(model_server, capsys) -> None:
    model_server.refuse("System role not supported")
    model_server.refuse("Unsupported value: 'temperature' does not support 0.2 with this model.")
    model_server.reply("<think>Hm.</think>OK")
    shown = probed(capsys)
    names = ("takes_system", "takes_temperature", "reasons")
    assert [shown[name] for name in names] == [False, False, True]


def test_a_test_that_fails_says_why_and_forgets_nothing(model_server, capsys) -> None:
    profiles.learn(llm.get_model(""), {"max_output": 500})
    model_server.fail(401)
    with pytest.raises(CommandError, match="Not every model"):
        call_command("model", "probe")
    row = ModelProfile.objects.get()
    assert (row.problem, row.max_output) == ("model_key_refused", 500)
    assert "LLM_API_KEY" in capsys.readouterr().out


def test_without_a_model_there_is_nothing_to_test(db: None) -> None:
    with pytest.raises(CommandError, match="No model"):
        call_command("model", "probe")


def test_what_a_server_says_of_itself_is_not_believed_blindly(model_server, capsys) -> None:
    listed = {"id": "test-model", "context_length": 10**30, "max_completion_tokens": -4}
    model_server.tell("/v1/models", {"data": [listed, 7]})
    model_server.tell("/props", {"default_generation_settings": "x" * 1000})
    shown = probed(capsys)
    assert (shown["window"], shown["max_output"]) == (None, None)
