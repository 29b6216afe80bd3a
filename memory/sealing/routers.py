"""Database router: the models of the keys database have a database of their own."""

from typing import Any

from django.db.models import Model

KEYS = "keys"
# Data keys, and the ledger of erasures.
IN_KEYS = frozenset({"datakey", "erasedperson", "erasedrow", "withdrawnconsent", "ledgermark"})


class KeysRouter:
    """Data keys live in a database of their own, so a restored backup of content has none."""

    def db_for_read(self, model: type[Model], **hints: Any) -> str | None:
        return KEYS if model._meta.model_name in IN_KEYS else None

    db_for_write = db_for_read

    def allow_migrate(
        self, db: str, app_label: str, model_name: str | None = None, **hints: Any
    ) -> bool:
        return (model_name in IN_KEYS) == (db == KEYS)
