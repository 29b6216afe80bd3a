"""Checks of the configured models, LLM_MODELS included: an error stops the start, with a hint."""

import os
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from memory.models.people import Tier
from memory.recall.budget import MAX_WINDOW

# The fields of an entry, each with its validator.
FIELDS: dict[str, Callable[[Any], bool]] = {
    "name": lambda given: _is_text(given, 100),
    "model": lambda given: _is_text(given, 200),
    "base_url": lambda given: _is_text(given) and urlsplit(given).scheme in ("http", "https"),
    "api_key": lambda given: _is_text(given),
    "api_key_env": lambda given: _is_text(given) and given in os.environ,
    "tiers": lambda given: isinstance(given, list) and set(map(str, given)) <= set(Tier.values),
    "window": lambda given: type(given) is int and 0 <= given <= MAX_WINDOW,
    "max_output": lambda given: type(given) is int and 0 <= given <= 1_000_000,
    "limit_parameter": lambda given: given in ("", "max_tokens", "max_completion_tokens"),
    "temperature": lambda given: type(given) in (int, float) and 0 <= given <= 2,
}
NEEDED = {"name", "model"}


@register
def models(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    found: list[CheckMessage] = []
    if bool(settings.LLM_BASE_URL) != bool(settings.LLM_MODEL):
        hint = "Set both, or neither to answer with quotations."
        found.append(Error("LLM_BASE_URL and LLM_MODEL go together.", hint, id="throughline.E005"))
    if settings.EMBEDDING_BASE_URL and not settings.EMBEDDING_MODEL:
        hint = "Set EMBEDDING_MODEL, or leave both empty for the built-in one."
        found.append(
            Error("EMBEDDING_BASE_URL needs EMBEDDING_MODEL.", hint, id="throughline.E006")
        )
    return found


@register
def further_models(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    found: list[CheckMessage] = []
    hint = ".env.example shows one: a list of objects, each with name and model."
    for problem in _find_problems(settings.LLM_MODELS):
        found.append(Error(f"LLM_MODELS {problem}.", hint, id="throughline.E016"))
    names = _list_model_names()
    if settings.LLM_MODELS and not settings.LLM_MODEL:
        hint = "Set LLM_BASE_URL and LLM_MODEL as well: they name the usual one."
        found.append(Error("LLM_MODELS has no usual model.", hint, id="throughline.E017"))
    elif len(set(names)) < len(names):
        hint = "Give each a name of its own; LLM_MODEL is the name of the usual one."
        found.append(Error("Two language models have one name.", hint, id="throughline.E017"))
    if settings.LLM_FALLBACK_MODEL and settings.LLM_FALLBACK_MODEL not in names:
        hint = "Name one of LLM_MODELS, or leave it empty."
        found.append(Error("LLM_FALLBACK_MODEL is unknown.", hint, id="throughline.E018"))
    return found


def _find_problems(entries: Any) -> Iterator[str]:
    """Yield the problems, by position and field; never a value, which may be a key."""
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        yield "is not a list of objects"
        return
    for place, entry in enumerate(entries, start=1):
        for name in sorted(NEEDED - set(entry)):
            yield f"lacks {name} in entry {place}"
        for name, given in entry.items():
            if name not in FIELDS:
                yield f"has a field that there is not in entry {place}"
            elif not FIELDS[name](given):
                yield f"has a {name} that can't be used in entry {place}"


def _list_model_names() -> list[str]:
    entries = settings.LLM_MODELS if isinstance(settings.LLM_MODELS, list) else []
    named = [str(entry.get("name", "")) for entry in entries if isinstance(entry, dict)]
    return [settings.LLM_MODEL[:100], *named]


def _is_text(given: Any, longest: int = 500) -> bool:
    return isinstance(given, str) and len(given.strip()) > 0 and len(given) <= longest
