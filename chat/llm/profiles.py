"""What is known of each model: stored in a row, learned from its answers, overruled by settings.

Read with one query and kept for some seconds in the process; nothing here waits for a model.
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
from chat.llm.configuring import Configured, configured
from chat.models import ModelProfile
from memory.recall.budget import MESSAGE_OVERHEAD, PRIMING
from memory.text.token_counting import count_tokens

log = logging.getLogger(__name__)

KEPT_SECONDS = 30.0
MOST_LESSONS = 20
# Where nobody knows how long an answer may be; one that thinks first needs more of it.
USUAL_OUTPUT, REASONING_OUTPUT = 4096, 16_384
# What a server may claim of itself.
WINDOWS, OUTPUTS = (512, 10_000_000), (16, 1_000_000)
LEAST_RATIO, GREATEST_RATIO = 0.8, 2.0
# Other ratios than these are no measurement, as of a server that counts only what was new.
SENSIBLE_RATIOS = (0.5, 3.0)
# Each of the first answers is measured, then one in so many; shorter prompts say little.
FIRST_SAMPLES, ONE_IN, MEMORY_OF_SAMPLES, SHORT_PROMPT = 3, 10, 20, 100
# What a measured model's prompts are kept free of beside its ratio.
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
    writes_json: bool | None = None
    streams: bool | None = None
    reasons: bool = False
    begins_in_thought: bool = False
    tokenizer: str = ""
    ratio: float | None = None
    samples: int = 0

    @property
    def longest_output(self) -> int:
        return self.max_output or (REASONING_OUTPUT if self.reasons else USUAL_OUTPUT)

    @property
    def margin(self) -> float:
        """The share of a window that is kept free, because tokens are counted in another way."""
        kept = 1 - (1 - SLACK) / self.ratio if self.ratio else 0.0
        return max(float(settings.TOKEN_MARGIN), kept)


NAMES = tuple(field.name for field in fields(Profile))
_kept: dict[str, tuple[float, Profile]] = {}
_answers: dict[str, int] = {}


def reread_profiles() -> None:
    """Let the next reading be one of the rows."""
    _kept.clear()
    _answers.clear()


def model_profile(model: Configured) -> Profile:
    """Return what is known of the model; what the settings say wins."""
    read_at, profile = _kept.get(model.fingerprint, (0.0, None))
    if profile is None or time.monotonic() - read_at > KEPT_SECONDS:
        profile = _stored(model)
        _kept[model.fingerprint] = time.monotonic(), profile
    given: dict[str, Any] = {
        "window": model.window,
        "max_output": model.max_output,
        "limit_parameter": model.limit_parameter,
    }
    return replace(profile, **{name: value for name, value in given.items() if value})


def _stored(model: Configured) -> Profile:
    try:
        row = ModelProfile.objects.filter(fingerprint=model.fingerprint).values(*NAMES).first()
    except DatabaseError:  # a command whose database isn't made yet
        row = None
    return known_profile(row or {})


def known_profile(values: Mapping[str, Any]) -> Profile:
    """Return the profile with these values, and the usual ones where they are empty."""
    return Profile(**{name: value for name, value in values.items() if value not in (None, "")})


def bounded(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return what may be believed of what a server says of itself."""
    believed = dict(values)
    for name, (least, greatest) in (("window", WINDOWS), ("max_output", OUTPUTS)):
        value = believed.get(name)
        if value is not None and not (type(value) is int and least <= value <= greatest):
            del believed[name]
    return believed


def ensure() -> None:
    """See to it that each model that is set up has a row, and its name as it is now."""
    for model in configured():
        profile_row(model)


def profile_row(model: Configured) -> ModelProfile:
    """Return the model's row, which is made if there is none."""
    named = {"name": model.name, "model": model.model[:200], "server": model.server}
    row, _is_new = ModelProfile.objects.update_or_create(
        fingerprint=model.fingerprint, defaults=named
    )
    return row


def learn(model: Configured, values: Mapping[str, Any]) -> None:
    """Note what an answer taught, for all calls to come."""
    learned = bounded(values)
    if not learned:
        return
    try:
        row = profile_row(model)
        lesson = {"at": timezone.now().isoformat(timespec="seconds"), "learned": learned}
        row.lessons = [*row.lessons, lesson][-MOST_LESSONS:]
        for name, value in learned.items():
            setattr(row, name, value)
        row.save(update_fields=[*learned, "lessons"])
    except DatabaseError:
        log.warning("model_lesson_lost")
    _kept.pop(model.fingerprint, None)


def is_measured_now(model: Configured) -> bool:
    """Return whether this answer's tokens are to be compared: of the first each, then of some."""
    count = _answers[model.fingerprint] = _answers.get(model.fingerprint, 0) + 1
    return count <= FIRST_SAMPLES or count % ONE_IN == 0


def measure(model: Configured, messages: Sequence[Message], reported: int) -> None:
    """Compare the tokens that the server counted with those that were counted here."""
    sample = ratio_of(reported, messages)
    if sample is None:
        return
    try:
        row = profile_row(model)
        # Two at once lose one of many samples.
        row.samples += 1
        before = row.ratio if row.ratio is not None else sample
        row.ratio = before + (sample - before) / min(row.samples, MEMORY_OF_SAMPLES)
        row.save(update_fields=["ratio", "samples"])
    except DatabaseError:
        log.warning("model_measure_lost")
    _kept.pop(model.fingerprint, None)


def ratio_of(reported: int, messages: Sequence[Message]) -> float | None:
    """Return the server's tokens to those that are counted here, if that says anything."""
    counted = PRIMING + sum(
        count_tokens(message["content"]) + MESSAGE_OVERHEAD for message in messages
    )
    least, greatest = SENSIBLE_RATIOS
    if counted < SHORT_PROMPT or not least <= reported / counted <= greatest:
        return None
    return min(GREATEST_RATIO, max(LEAST_RATIO, reported / counted))
