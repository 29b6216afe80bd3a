"""Model fields whose values are sealed on the way to the database and opened when first read."""

import json
from typing import Any

from django.db import models
from django.db.models.query_utils import DeferredAttribute

from memory.sealing import seal, unseal


class Sealed(bytes):
    """A sealed value from the database."""


class SealedAttribute(DeferredAttribute):
    """Decrypts a value on first access, so unread rows cost nothing."""

    field: "SealedTextField"

    def __get__(self, instance: models.Model | None, cls: Any = None) -> Any:
        if instance is None:
            return self
        value = super().__get__(instance, cls)
        if isinstance(value, Sealed):
            value = instance.__dict__[self.field.attname] = self.field.opened(instance, value)
        return value

    # Only a data descriptor routes reads through __get__.
    def __set__(self, instance: models.Model, value: Any) -> None:
        instance.__dict__[self.field.attname] = value


class SealedTextField(models.BinaryField):  # type: ignore[type-arg]
    """Text sealed under the key of the row's `owner_id`, bound to table, row and field.

    A row whose owner_id is None (the shared library) keeps its text in the clear. The row is
    identified by its `seal_identity`, by default the primary key, which has to be set before the
    row is inserted. For `update()`, pass the result of `seal_value`.
    """

    descriptor_class = SealedAttribute

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"editable": False, **options})

    def encode(self, value: Any) -> bytes:
        return str(value).encode()

    def decode(self, plain: bytes) -> Any:
        return plain.decode()

    def opened(self, instance: models.Model, value: Sealed) -> Any:
        """Return the plaintext of the stored value, which must belong to this row."""
        return self.open_value(value, owner=_get_owner(instance), identity=_get_identity(instance))

    def open_value(self, value: bytes | memoryview, *, owner: Any, identity: Any) -> Any:
        """Open a stored value of a row, given only its owner and identity."""
        return self.decode(unseal(bytes(value), owner=owner, place=self._place(identity)))

    def seal_value(self, instance: models.Model, value: Any) -> Sealed | None:
        """Return the value sealed for this row, for use in `update()`."""
        if value is None or isinstance(value, Sealed):
            return value
        plain = self.encode(value)
        place = self._place(_get_identity(instance))
        return Sealed(seal(plain, owner=_get_owner(instance), place=place))

    def _place(self, identity: Any) -> str:
        if identity is None:
            raise ValueError(f"{self} can't be sealed before the row has an id")
        return f"{self.model._meta.db_table}|{identity}|{self.attname}"

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        value = model_instance.__dict__.get(self.attname)
        return self.seal_value(model_instance, value)

    def from_db_value(self, value: Any, *args: Any) -> Sealed | None:
        return None if value is None else Sealed(value)

    def get_prep_value(self, value: Any) -> Any:
        if value is not None and not isinstance(value, Sealed):
            raise TypeError(f"{self} takes sealed values only; use seal_value()")
        return None if value is None else bytes(value)

    def get_default(self) -> Any:
        return None if self.null else ""

    def value_to_string(self, obj: models.Model) -> str:
        raise TypeError("sealed text isn't serialised")


class SealedJSONField(SealedTextField):
    """A JSON value, sealed as its text."""

    def encode(self, value: Any) -> bytes:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()

    def decode(self, plain: bytes) -> Any:
        return json.loads(plain)

    def get_default(self) -> Any:
        return None if self.null else {}


class SealedListField(SealedJSONField):
    """A JSON list; a row from before the field has an empty one."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"null": True, **options})

    def from_db_value(self, value: Any, *args: Any) -> Any:
        return [] if value is None else Sealed(value)

    def decode(self, plain: bytes) -> Any:
        value = super().decode(plain)
        return value if isinstance(value, list) else []  # a package may contain anything

    def get_default(self) -> Any:
        return []


class SealedBytesField(SealedTextField):
    """Bytes, such as packed vectors, sealed as they are."""

    def encode(self, value: Any) -> bytes:
        return bytes(value)

    def decode(self, plain: bytes) -> Any:
        return plain

    def get_default(self) -> Any:
        return None if self.null else b""


def _get_identity(instance: models.Model) -> Any:
    return getattr(instance, "seal_identity", None) or instance.pk


def _get_owner(instance: models.Model) -> Any:
    return instance.owner_id  # type: ignore[attr-defined]
