"""The configured language models, and the one that answers each tier."""

import hashlib
import os
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings

TEMPERATURE = 0.2


@dataclass(frozen=True)
class Configured:
    """A configured language model; 0 and "" stand for "not set"."""

    name: str
    model: str
    base_url: str
    api_key: str = field(default="", repr=False)
    # The tiers that may use it; all if empty.
    tiers: tuple[str, ...] = ()
    window: int = 0
    max_output: int = 0
    temperature: float = TEMPERATURE
    limit_parameter: str = ""

    @property
    def fingerprint(self) -> str:
        """A digest of its address and name, without its key."""
        return hashlib.sha256(f"{self.base_url}\0{self.model}".encode()).hexdigest()

    @property
    def server(self) -> str:
        """Its address without credentials."""
        parts = urlsplit(self.base_url)
        host = parts.netloc.rpartition("@")[2]
        return f"{parts.scheme}://{host}{parts.path}"[:200]

    def allows_tier(self, tier: str) -> bool:
        return not self.tiers or tier in self.tiers


def is_configured() -> bool:
    """Return whether a language model is configured."""
    return bool(settings.LLM_BASE_URL and settings.LLM_MODEL)


def list_configured() -> list[Configured]:
    """Return the configured models, the default first."""
    if not is_configured():
        return []
    first = Configured(
        name=settings.LLM_MODEL[:100],
        model=settings.LLM_MODEL,
        base_url=settings.LLM_BASE_URL,
        api_key=settings.LLM_API_KEY,
        window=settings.LLM_WINDOW,
    )
    return [first, *map(_read_further_model, settings.LLM_MODELS)]


def _read_further_model(given: dict[str, Any]) -> Configured:
    """Return the model of an entry of LLM_MODELS, with the defaults of the first model."""
    key = given.get("api_key") or os.environ.get(given.get("api_key_env", ""), "")
    own = {name: value for name, value in given.items() if name != "api_key_env"}
    own["base_url"] = given.get("base_url") or settings.LLM_BASE_URL
    # A key is sent only to its own server.
    own["api_key"] = key if given.get("base_url") else key or settings.LLM_API_KEY
    return Configured(**own | {"tiers": tuple(given.get("tiers", ()))})


def list_models(tier: str) -> list[Configured]:
    """Return the models that people of the tier may choose."""
    return [each for each in list_configured() if each.allows_tier(tier)]


def get_default_model(tier: str) -> Configured:
    """Return the tier's default model."""
    every = list_configured()
    return next((each for each in every if tier in each.tiers), every[0])


def choose_model(name: str, tier: str) -> str:
    """Return `name` if the tier may use it, else the tier's default; "" without models."""
    if not is_configured():
        return ""
    names = [each.name for each in list_models(tier)]
    return name if name in names else get_default_model(tier).name


def get_model(name: str) -> Configured:
    """Return the model of that name, or the default one."""
    every = list_configured()
    return next((each for each in every if each.name == name), every[0])


def list_servers(name: str) -> list[str]:
    """Return the addresses of all servers that an answer by that model may involve."""
    if not is_configured():
        return []
    # The default model rewrites follow-ups.
    return [each.base_url for each in {*list_candidates(name), get_model("")}]


def list_candidates(name: str) -> list[Configured]:
    """Return the model of that name, and its fallback."""
    first = get_model(name)
    spare = [each for each in list_configured() if each.name == settings.LLM_FALLBACK_MODEL]
    return [first, *(each for each in spare if each != first)]
