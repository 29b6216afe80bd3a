"""What a model and its server can do, asked of them: a few small calls, each with a time limit.

Nothing of anyone's is sent. What is found is stored in the model's profile, in the place of what
earlier answers taught.
"""

import json
import time
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from asgiref.sync import async_to_sync
from django.conf import settings
from django.utils import timezone

from chat.llm import profiles
from chat.llm.configuring import Configured
from chat.llm.endpoint import Call, persistently, short_answer
from chat.llm.failing import ERRORS, Taught
from chat.llm.transport import client
from chat.llm.waiting import Patience
from chat.models import ModelProfile
from memory.errors import ModelError

# All of it takes at most so long, in seconds, and each question about the server.
MOST_SECONDS, SECONDS_A_CALL = 45.0, 5.0
WORD_LIMIT = 32
# Long enough to compare tokens on, in more scripts than one.
SAMPLE = 4 * (
    "The Servicer shall deliver to the Trustee, on the second Business Day before each "
    "Distribution Date, a report of all payments received. La fecha de determinación es el día "
    "quince de cada mes. Der Stichtag ist der fünfzehnte Tag. 1,250.75 %; §4.02(b). "
)
MESSAGES = [
    {"role": "system", "content": "Answer with one word."},
    {"role": "user", "content": f"{SAMPLE}\n\nSay: OK"},
]
ASKING_FOR_JSON = [{"role": "user", "content": 'Write only this JSON object: {"ok": true}'}]
# Where servers and lists of models name the window, the first that is there.
WINDOW_NAMES = ("context_length", "max_model_len", "context_window", "max_context_length", "n_ctx")
OUTPUT_NAMES = ("max_completion_tokens", "max_output_tokens", "max_output_length")
# What this module finds out anew; what it can't stays unknown.
ASKED = (
    "window max_output limit_parameter takes_temperature takes_system writes_json streams "
    "reports_usage reasons begins_in_thought tokenizer ratio"
).split()


@dataclass
class Findings:
    """What has been found out so far."""

    model: Configured
    until: float = field(default_factory=lambda: time.monotonic() + MOST_SECONDS)
    values: dict[str, Any] = field(default_factory=dict)
    problem: str = ""

    @property
    def seconds(self) -> float:
        return max(0.1, min(SECONDS_A_CALL, self.until - time.monotonic()))

    def note(self, **values: Any) -> None:
        """Keep what may be believed, unless it is known already."""
        told = {name: value for name, value in values.items() if value not in (None, "")}
        self.values = profiles.bounded(told) | self.values


def probe(model: Configured) -> ModelProfile:
    """Ask the model and its server what they can do; return the stored profile."""
    found = Findings(model)
    for ask in (_models, _llama_cpp, _vllm, _ollama):
        ask(found)
    try:
        _answer(found)
    except ModelError as error:
        found.problem = error.code
    return _store(found)


def _store(found: Findings) -> ModelProfile:
    row = profiles.profile_row(found.model)
    if not found.problem:
        for name in ASKED:
            empty = "" if name in ("limit_parameter", "tokenizer") else None
            setattr(row, name, found.values.get(name, empty))
        row.samples = int("ratio" in found.values)
        row.lessons = []
    row.probed_at, row.problem = timezone.now(), found.problem
    row.save()
    profiles.reread_profiles()
    return row


# --- The server ---------------------------------------------------------------------------------


def _told(found: Findings, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return what the server says at the path: an object, which is empty if it says none."""
    asking = client(found.model).with_options(timeout=found.seconds)
    try:
        if body is None:
            told: Any = asking.get(path, cast_to=object)
        else:
            told = asking.post(path, cast_to=object, body=body)
    except (*ERRORS, ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}


def _root(found: Findings) -> str:
    return found.model.base_url.rstrip("/").removesuffix("/v1")


def _models(found: Findings) -> None:
    """Look the model up in the list, or by its name."""
    told = _told(found, "/models")
    listed = told.get("data")
    entries = (
        [entry for entry in listed if isinstance(entry, dict)] if isinstance(listed, list) else []
    )
    entry = next((each for each in entries if each.get("id") == found.model.model), None)
    if entry is None:
        entry = _told(found, f"/models/{quote(found.model.model)}")
    for place in (entry, _part(entry, "top_provider")):
        found.note(window=_first(place, WINDOW_NAMES), max_output=_first(place, OUTPUT_NAMES))
    # llama.cpp lists what the model was trained on; what it runs with is asked for below.
    found.values.setdefault("trained_on", _part(entry, "meta").get("n_ctx_train"))


def _llama_cpp(found: Findings) -> None:
    usual = _part(told := _told(found, f"{_root(found)}/props"), "default_generation_settings")
    window = usual.get("n_ctx") or told.get("n_ctx")
    trained_on = found.values.pop("trained_on", None)
    if not usual:
        found.note(window=trained_on)
        return
    found.values.pop("window", None)
    found.note(window=window)
    tokens = _told(found, f"{_root(found)}/tokenize", {"content": SAMPLE}).get("tokens")
    if isinstance(tokens, list):
        _compare(found, "llama.cpp", len(tokens))


def _vllm(found: Findings) -> None:
    if "tokenizer" in found.values:
        return
    body = {"model": found.model.model, "prompt": SAMPLE}
    told = _told(found, f"{_root(found)}/tokenize", body)
    if type(count := told.get("count")) is int:
        found.note(window=told.get("max_model_len"))
        _compare(found, "vllm", count)


def _ollama(found: Findings) -> None:
    if "tokenizer" in found.values:
        return
    told = _told(found, f"{_root(found)}/api/show", {"model": found.model.model})
    trained = _part(told, "model_info")
    # What it runs with may be less than what the model could take.
    parameters = told.get("parameters")
    lines = parameters.splitlines()[:200] if isinstance(parameters, str) else []
    set_by = [line.split() for line in lines if line.startswith("num_ctx")]
    if set_by and set_by[0][-1].isdecimal():
        found.note(window=int(set_by[0][-1][:9]))
    if isinstance(kind := trained.get("tokenizer.ggml.model"), str):
        found.note(tokenizer=f"ollama {kind}"[:40])


def _compare(found: Findings, tokenizer: str, count: int) -> None:
    text = [{"role": "user", "content": SAMPLE}]
    found.note(tokenizer=tokenizer, ratio=profiles.ratio_of(count, text))


def _part(told: dict[str, Any], name: str) -> dict[str, Any]:
    part = told.get(name)
    return part if isinstance(part, dict) else {}


def _first(told: dict[str, Any], names: tuple[str, ...]) -> int | None:
    return next((told[name] for name in names if type(told.get(name)) is int), None)


# --- The model ----------------------------------------------------------------------------------


def _answer(found: Findings) -> None:
    """Ask for one word with everything that a question may have; refusals teach the rest."""
    told = {name: value for name, value in found.values.items() if name in profiles.NAMES}
    call = Call(found.model, profiles.known_profile(told), MESSAGES, WORD_LIMIT, is_probe=True)
    async_to_sync(_to_its_end)(call, max(1.0, found.until - time.monotonic()))
    usage, profile = call.reply.usage, call.profile
    found.values |= {
        "window": profile.window,
        "max_output": profile.max_output,
        "limit_parameter": profile.limit_parameter,
        "takes_temperature": profile.takes_temperature,
        "takes_system": profile.takes_system,
        "reports_usage": usage is not None,
        "streams": not call.came_at_once,
        "reasons": bool(call.reply.reasoning),
        "begins_in_thought": call.shown.get("begins_in_thought", False),
    }
    if usage:
        found.note(ratio=profiles.ratio_of(usage.prompt, MESSAGES))
    extra = {"response_format": {"type": "json_object"}}
    call = Call(found.model, profile, ASKING_FOR_JSON, WORD_LIMIT, extra=extra)
    try:
        is_json = isinstance(json.loads(short_answer(call, 2 * found.seconds)), dict)
    except (ModelError, Taught, ValueError, RecursionError):
        is_json = False
    found.values["writes_json"] = is_json


async def _to_its_end(call: Call, seconds: float) -> None:
    async with aclosing(
        persistently(call, Patience(min(seconds, settings.LLM_TOTAL_TIMEOUT)))
    ) as pieces:
        async for _piece in pieces:
            pass
