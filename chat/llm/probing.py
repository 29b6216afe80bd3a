"""Probes of a model's abilities: a few small calls with a time limit.

They send no personal data. The results replace those in the profile that answers taught.
"""

import asyncio
import time
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from django.utils import timezone

from chat.llm import client, profiles
from chat.llm.configuring import Configured
from chat.llm.endpoint import Call
from chat.llm.failing import ERRORS
from chat.llm.whole_answers import complete
from chat.models import ModelProfile
from memory.errors import ModelError

# Timeouts in seconds: of the whole probe, and of each request for metadata.
TOTAL_SECONDS, CALL_SECONDS = 45.0, 5.0
WORD_LIMIT = 32
# A text in several scripts, long enough to compare token counts.
SAMPLE = 4 * (
    "The Servicer shall deliver to the Trustee, on the second Business Day before each "
    "Distribution Date, a report of all payments received. La fecha de determinación es el día "
    "quince de cada mes. Der Stichtag ist der fünfzehnte Tag. 1,250.75 %; §4.02(b). "
)
MESSAGES = [
    {"role": "system", "content": "Answer with one word."},
    {"role": "user", "content": f"{SAMPLE}\n\nSay: OK"},
]
# Names of the window in model lists and server metadata, in order of precedence.
WINDOW_NAMES = ("context_length", "max_model_len", "context_window", "max_context_length", "n_ctx")
OUTPUT_NAMES = ("max_completion_tokens", "max_output_tokens", "max_output_length")
# Profile fields that are learned from rejected requests.
REFUSABLE = ("window", "max_output", "limit_parameter", "takes_temperature", "takes_system")


@dataclass
class Findings:
    """The results of a probe so far."""

    model: Configured
    until: float = field(default_factory=lambda: time.monotonic() + TOTAL_SECONDS)
    values: dict[str, Any] = field(default_factory=dict)

    @property
    def seconds(self) -> float:
        return max(0.1, self.until - time.monotonic())

    @property
    def root(self) -> str:
        return self.model.base_url.rstrip("/").removesuffix("/v1")

    def note(self, **values: Any) -> None:
        """Keep credible values that are not known yet."""
        told = {name: value for name, value in values.items() if value not in (None, "")}
        self.values = profiles.drop_unbelievable(told) | self.values

    def fetch(self, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """Return the server's JSON object at the path, or an empty one."""
        work = client.start(_fetch(self.model, path, body, min(CALL_SECONDS, self.seconds)))
        try:
            told = work.result()
        except (*ERRORS, ValueError, RecursionError, TimeoutError):
            return {}
        return told if isinstance(told, dict) else {}


async def _fetch(model: Configured, path: str, body: Any, seconds: float) -> Any:
    server = client.get_client(model)
    async with asyncio.timeout(seconds):
        if body is None:
            return await server.get(path, cast_to=object)
        return await server.post(path, cast_to=object, body=body)


def probe(model: Configured) -> ModelProfile:
    """Probe the model and its server; return the stored profile."""
    found = Findings(model)
    for ask in (_ask_list, _ask_llama_cpp, _ask_ollama):
        ask(found)
    problem = ""
    try:
        _ask_model(found)
    except ModelError as error:
        problem = error.code
    return _store(found, problem)


def _store(found: Findings, problem: str) -> ModelProfile:
    row = profiles.get_profile_row(found.model)
    if not problem:
        for name, value in found.values.items():
            setattr(row, name, value)
        row.samples = int(row.ratio is not None)
        row.lessons = []
    row.probed_at, row.problem = timezone.now(), problem
    row.save()
    profiles.forget_profiles()
    return row


# --- The server ---------------------------------------------------------------------------------


def _ask_list(found: Findings) -> None:
    """Look up the model in the list of models, or by its name."""
    listed = found.fetch("/models").get("data")
    entries = listed if isinstance(listed, list) else []
    known = (each for each in entries if isinstance(each, dict))
    entry = next((each for each in known if each.get("id") == found.model.model), None)
    if entry is None:
        entry = found.fetch(f"/models/{quote(found.model.model)}")
    for place in (entry, _read_part(entry, "top_provider")):
        found.note(
            window=_find_first(place, WINDOW_NAMES), max_output=_find_first(place, OUTPUT_NAMES)
        )
    # llama.cpp lists the window of the model's training.
    found.note(window=_read_part(entry, "meta").get("n_ctx_train"))


def _ask_llama_cpp(found: Findings) -> None:
    told = found.fetch(f"{found.root}/props")
    usual = _read_part(told, "default_generation_settings")
    if usual:
        # The server's actual window replaces the listed one.
        found.values.pop("window", None)
        found.note(window=usual.get("n_ctx") or told.get("n_ctx"))


def _ask_ollama(found: Findings) -> None:
    told = found.fetch(f"{found.root}/api/show", {"model": found.model.model})
    # The server may run with a smaller window than the model's.
    parameters = told.get("parameters")
    lines = parameters.splitlines()[:200] if isinstance(parameters, str) else []
    set_by = [line.split() for line in lines if line.startswith("num_ctx")]
    if set_by and set_by[0][-1].isdecimal():
        found.note(window=int(set_by[0][-1][:9]))


def _read_part(told: dict[str, Any], name: str) -> dict[str, Any]:
    part = told.get(name)
    return part if isinstance(part, dict) else {}


def _find_first(told: dict[str, Any], names: tuple[str, ...]) -> int | None:
    return next((told[name] for name in names if type(told.get(name)) is int), None)


# --- The model ----------------------------------------------------------------------------------


def _ask_model(found: Findings) -> None:
    """Ask for one word with every parameter in use; rejections teach the rest."""
    known = {name: value for name, value in found.values.items() if name in profiles.NAMES}
    call = Call(found.model, profiles.make_profile(known), MESSAGES, WORD_LIMIT)
    complete(call, found.seconds, is_probe=True)
    usage, profile = call.reply.usage, call.profile
    found.values |= {
        **{name: getattr(profile, name) for name in REFUSABLE},
        "reports_usage": usage is not None,
        "reasons": bool(call.reply.reasoning),
        "begins_in_thought": call.shown.get("begins_in_thought", False),
        "ratio": usage and profiles.compute_token_ratio(usage.prompt, MESSAGES),
    }
