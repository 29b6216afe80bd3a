"""Profiles of models: stored in a row, learned from answers, overridden by settings.

A row is read with one query and cached for some seconds; nothing here waits for a model.
"""

import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from django.conf import settings
from django.db import DatabaseError
from django.utils import timezone

from chat.llm import Message
from chat.llm.configuring import Configured, list_configured
from chat.models import ModelProfile
from memory.recall.budget import MESSAGE_OVERHEAD, PRIMING
from memory.text.token_counting import count_tokens

log = logging.getLogger(__name__)

KEPT_SECONDS = 30.0
MAX_LESSONS = 20
# The longest answer where nothing is known; a model that reasons first needs more.
USUAL_OUTPUT, REASONING_OUTPUT = 4096, 16_384
# Values outside these, which a server claims of itself, are not believed.
BOUNDS = {"window": (512, 10_000_000), "max_output": (16, 1_000_000)}
# The server's tokens to ours; other ratios are no measurement, as of servers with a cache.
SENSIBLE_RATIOS = (0.5, 3.0)
LEAST_RATIO, GREATEST_RATIO = 0.8, 2.0
# The first answers are measured; shorter prompts say little.
MAX_SAMPLES, SHORT_PROMPT = 20, 100
# Share of the window that is kept free beside the measured ratio.
SLACK = 0.02


@dataclass(frozen=True)
class Profile:
    """What a model can do, and how it is to be asked."""

    window: int | None = None
    max_output: int | None = None
    limit_parameter: str = "max_tokens"
    takes_temperature: bool = True
    takes_system: bool = True
    reports_usage: bool = True
    writes_json: bool = True
    reasons: bool = False
    begins_in_thought: bool = False
    ratio: float | None = None
    samples: int = 0

    @property
    def longest_output(self) -> int:
        return self.max_output or (REASONING_OUTPUT if self.reasons else USUAL_OUTPUT)

    @property
    def margin(self) -> float:
        """The share of a window that is kept free, because servers count tokens differently."""
        kept = 1 - (1 - SLACK) / self.ratio if self.ratio else 0.0
        return max(float(settings.TOKEN_MARGIN), kept)


NAMES = tuple(field.name for field in fields(Profile))
_kept: dict[str, tuple[float, Profile]] = {}


def forget_profiles() -> None:
    """Read the rows anew the next time."""
    _kept.clear()


def get_profile(model: Configured) -> Profile:
    """Return the model's profile; settings overrule the row."""
    read_at, profile = _kept.get(model.fingerprint, (0.0, None))
    if profile is None or time.monotonic() - read_at > KEPT_SECONDS:
        profile = _read_profile(model)
        _kept[model.fingerprint] = time.monotonic(), profile
    given = {name: getattr(model, name) for name in ("window", "max_output", "limit_parameter")}
    return replace(profile, **{name: value for name, value in given.items() if value})


def _read_profile(model: Configured) -> Profile:
    try:
        row = ModelProfile.objects.filter(fingerprint=model.fingerprint).values(*NAMES).first()
    except DatabaseError:  # a command whose database isn't made yet
        row = None
    return make_profile(row or {})


def make_profile(values: Mapping[str, Any]) -> Profile:
    """Return the profile with these values, and the usual ones where they are empty."""
    return Profile(**{name: value for name, value in values.items() if value not in (None, "")})


def drop_unbelievable(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values without those that can't be believed."""
    return {name: value for name, value in values.items() if _is_credible(name, value)}


def _is_credible(name: str, value: Any) -> bool:
    if value is None or name not in BOUNDS:
        return True
    least, greatest = BOUNDS[name]
    return type(value) is int and least <= value <= greatest


def ensure() -> None:
    """Give each configured model a row with its name of now."""
    for model in list_configured():
        get_profile_row(model)


def get_profile_row(model: Configured) -> ModelProfile:
    """Return the model's row, which is made if there is none."""
    named = {"name": model.name, "model": model.model[:200], "server": model.server}
    row, _is_new = ModelProfile.objects.update_or_create(
        fingerprint=model.fingerprint, defaults=named
    )
    return row


def learn(model: Configured, values: Mapping[str, Any]) -> None:
    """Note what an answer taught, for all calls to come."""
    learned = drop_unbelievable(values)
    if not learned:
        return
    try:
        row = get_profile_row(model)
        lesson = {"at": timezone.now().isoformat(timespec="seconds"), "learned": learned}
        _update(row, learned | {"lessons": [*row.lessons, lesson][-MAX_LESSONS:]})
    except DatabaseError:
        log.warning("model_lesson_lost")


def measure(model: Configured, messages: Sequence[Message], reported: int) -> None:
    """Compare the tokens that the server counted with those that are counted here."""
    sample = compute_token_ratio(reported, messages)
    if sample is None:
        return
    try:
        row = get_profile_row(model)
        samples, before = row.samples + 1, row.ratio or sample
        _update(row, {"samples": samples, "ratio": before + (sample - before) / samples})
    except DatabaseError:
        log.warning("model_measure_lost")


def _update(row: ModelProfile, values: Mapping[str, Any]) -> None:
    for name, value in values.items():
        setattr(row, name, value)
    row.save(update_fields=list(values))
    _kept.pop(row.fingerprint, None)


def compute_token_ratio(reported: int, messages: Sequence[Message]) -> float | None:
    """Return the server's tokens to those that are counted here, if that says anything."""
    counted = PRIMING + sum(
        count_tokens(message["content"]) + MESSAGE_OVERHEAD for message in messages
    )
    least, greatest = SENSIBLE_RATIOS
    if counted < SHORT_PROMPT or not least <= reported / counted <= greatest:
        return None
    return min(GREATEST_RATIO, max(LEAST_RATIO, reported / counted))
