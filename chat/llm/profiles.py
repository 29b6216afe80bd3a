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
# Tokens of the longest answer if unknown; a reasoning model needs more.
USUAL_OUTPUT, REASONING_OUTPUT = 4096, 16_384
# Credible bounds of the values that a server reports.
BOUNDS = {"window": (512, 10_000_000), "max_output": (16, 1_000_000)}
# Plausible ratios of the server's tokens to ours; a prompt cache, for one, distorts them.
SENSIBLE_RATIOS = (0.5, 3.0)
LEAST_RATIO, GREATEST_RATIO = 0.8, 2.0
# The number of answers measured, and the tokens of the shortest prompt measured.
MAX_SAMPLES, SHORT_PROMPT = 20, 100
# Share of the window kept free in addition to the measured ratio.
SLACK = 0.02


@dataclass(frozen=True)
class Profile:
    """The abilities of a model, and the form of requests to it."""

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
        """The share of the window kept free, since servers count tokens differently."""
        kept = 1 - (1 - SLACK) / self.ratio if self.ratio else 0.0
        return max(float(settings.TOKEN_MARGIN), kept)


NAMES = tuple(field.name for field in fields(Profile))
_kept: dict[str, tuple[float, Profile]] = {}


def forget_profiles() -> None:
    """Drop the cached profiles."""
    _kept.clear()


def get_profile(model: Configured) -> Profile:
    """Return the model's profile; settings override the row."""
    read_at, profile = _kept.get(model.fingerprint, (0.0, None))
    if profile is None or time.monotonic() - read_at > KEPT_SECONDS:
        profile = _read_profile(model)
        _kept[model.fingerprint] = time.monotonic(), profile
    given = {name: getattr(model, name) for name in ("window", "max_output", "limit_parameter")}
    return replace(profile, **{name: value for name, value in given.items() if value})


def _read_profile(model: Configured) -> Profile:
    try:
        row = ModelProfile.objects.filter(fingerprint=model.fingerprint).values(*NAMES).first()
    except DatabaseError:  # a command before the first migration
        row = None
    return make_profile(row or {})


def make_profile(values: Mapping[str, Any]) -> Profile:
    """Return the profile with these values, and defaults for empty ones."""
    return Profile(**{name: value for name, value in values.items() if value not in (None, "")})


def drop_unbelievable(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the credible values."""
    return {name: value for name, value in values.items() if _is_credible(name, value)}


def _is_credible(name: str, value: Any) -> bool:
    if value is None or name not in BOUNDS:
        return True
    least, greatest = BOUNDS[name]
    return type(value) is int and least <= value <= greatest


def ensure() -> None:
    """Create or rename the row of each configured model."""
    for model in list_configured():
        get_profile_row(model)


def get_profile_row(model: Configured) -> ModelProfile:
    """Return the model's row; create it if there is none."""
    named = {"name": model.name, "model": model.model[:200], "server": model.server}
    row, _is_new = ModelProfile.objects.update_or_create(
        fingerprint=model.fingerprint, defaults=named
    )
    return row


def learn(model: Configured, values: Mapping[str, Any]) -> None:
    """Note a lesson of an answer for all later calls."""
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
    """Update the profile's ratio of token counts with one answer of the server."""
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
    """Return the ratio of the server's token count to ours, or None if implausible."""
    counted = PRIMING + sum(
        count_tokens(message["content"]) + MESSAGE_OVERHEAD for message in messages
    )
    least, greatest = SENSIBLE_RATIOS
    if counted < SHORT_PROMPT or not least <= reported / counted <= greatest:
        return None
    return min(GREATEST_RATIO, max(LEAST_RATIO, reported / counted))
