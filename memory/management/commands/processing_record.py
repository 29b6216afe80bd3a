from collections import defaultdict
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import timezone

from memory.classification import EXPORTED
from memory.forgetting.retention.terms import format_duration
from memory.models import Recipient, RetentionPolicy, Tier
from memory.models.governance.consents import Purpose
from memory.personal_data.data_map import list_rules

HEAD = """\
# Record of processing activities

Written on {day} by `manage.py processing_record` from the data map and the settings of this
instance, for article 30 of the GDPR. Lines with … are the controller's to fill in.

- Controller and contact: …
- Data protection officer: …
- Data subjects: people with an account here, and people whom their documents and questions name
- Transfers to third countries: …
"""
MEASURES = """\
- Text is sealed with AES-256-GCM under a key per person; erasure destroys the key first.
- Keys lie in a database of their own, wrapped by a master key outside of it.
- Reads, changes and refusals are recorded in a chained log whose head is anchored outside.
- Erasure is verified by a search of all stores and certified by a signature."""
SERVERS = {
    "LLM_BASE_URL": "questions, and the passages and turns chosen for them",
    "EMBEDDING_BASE_URL": "questions, turns and passages, to be embedded",
    "OIDC_SERVER_URL": "sign-in",
    "OTEL_EXPORTER_OTLP_ENDPOINT": "times of steps, without content",
}


class Command(BaseCommand):
    help = "Print the record of processing (GDPR, article 30) of this instance, in Markdown."

    def handle(self, **options: Any) -> None:
        parts = [
            HEAD.format(day=timezone.localdate().isoformat()),
            _render_section("Purposes", (f"- {label}" for label in Purpose.labels)),
            _render_section("Categories of personal data", _list_categories()),
            _render_section("Recipients", _list_recipients()),
            _render_section("Time limits", _list_time_limits()),
            f"## Security measures\n\n{MEASURES}",
        ]
        self.stdout.write("\n".join(parts))


def _render_section(title: str, lines: Iterator[str]) -> str:
    return f"## {title}\n\n" + "\n".join(lines) + "\n"


def _list_categories() -> Iterator[str]:
    """Yield the models that hold each kind of personal data."""
    models: dict[str, set[str]] = defaultdict(set)
    for rule in list_rules():
        if rule.kind in EXPORTED:
            models[rule.kind.value].add(rule.model)
    for kind, names in sorted(models.items()):
        yield f"- {kind}: {', '.join(sorted(names))}"


def _list_recipients() -> Iterator[str]:
    """Yield the servers of the settings, and earlier recipients."""
    for name, data in SERVERS.items():
        if host := urlsplit(getattr(settings, name)).hostname:
            yield f"- {host} (`{name}`): {data}"
    if settings.EMAIL_HOST:
        yield f"- {settings.EMAIL_HOST} (`EMAIL_URL`): addresses, links to sign in and to confirm"
    for host in Recipient.objects.order_by("host").values_list("host", flat=True).distinct():
        yield f"- {host}: was given questions or documents"


def _list_time_limits() -> Iterator[str]:
    for tier, label in Tier.choices:
        policy = RetentionPolicy.objects.ruling(tier)
        audit = policy.audit_lifetime
        kept = format_duration(audit) if audit else "for good"
        yield f"- {label}: conversations {format_duration(policy.lifetime)}, audit {kept}"
    days = settings.BACKUP_DAYS
    yield f"- Backups: {f'{days} days' if days else '…'}"
