"""The data map: every field of every model, with its kind, its erasure and its export.

Models of the product declare their `handling`; those of other packages are declared here. It walks
`apps.get_models()`, so an undeclared model is reported by name, and CI fails.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from uuid import UUID

from django.apps import apps
from django.core.exceptions import FieldDoesNotExist
from django.db.models import (
    AutoField,
    BooleanField,
    DateTimeField,
    Field,
    FloatField,
    ForeignKey,
    IntegerField,
    ManyToManyField,
    Model,
    Q,
    UUIDField,
)
from django.db.models.constants import LOOKUP_SEP

from memory.classification import ALL, EXPORTED, Handling, Kind
from memory.fields import SealedTextField

# Models of other packages; uninstalled packages are skipped.
THIRD_PARTY = {
    "admin.logentry": Handling(
        person="user",
        also=lambda person: Q(object_id=str(person)),
        trace="change_message",
        link="object_id object_repr",
    ),
    "auth.permission": Handling(system="name codename"),
    "auth.group": Handling(system="name"),
    "contenttypes.contenttype": Handling(system="app_label model"),
    "sessions.session": Handling(
        goes="with the browsers of its person, found by what it holds",
        secret="session_key session_data",
    ),
    "account.emailaddress": Handling(person="user", identity="email"),
    "account.emailconfirmation": Handling(person="email_address__user", secret="key"),
    "mfa.authenticator": Handling(person="user", secret="data"),
    "usersessions.usersession": Handling(
        person="user", identity="ip user_agent", secret="session_key", trace="data"
    ),
    "socialaccount.socialaccount": Handling(
        person="user", identity="uid extra_data", trace="provider"
    ),
    "socialaccount.socialtoken": Handling(person="account__user", secret="token token_secret"),
    "socialaccount.socialapp": Handling(
        system="provider provider_id name client_id key settings", secret="secret"
    ),
}
LINKS = (AutoField, ForeignKey, ManyToManyField, UUIDField)
TRACES = (BooleanField, DateTimeField, FloatField, IntegerField)
# Tables without a model, with the reason why they hold nothing personal.
TABLES = {
    "django_migrations": "Names of migrations.",
    "cache": "Counters of guesses, under fingerprints instead of names; each ends by itself.",
    "citations_library": "Counts of the shared library.",
    "citations_term": "Words of the shared library.",
    "citations_passage_terms": "The shared library's index; FTS5 keeps it in several tables.",
    "citations_passage_vector": "Vectors of the shared library, where pgvector is installed.",
    "sqlite_sequence": "SQLite's counters.",
}


class Erasure(StrEnum):
    """The erasure of a field with its person."""

    KEY = "shredded, then deleted"
    ROW = "deleted"
    KEPT = "kept"
    NOBODY = "–"


@dataclass(frozen=True)
class Rule:
    """One line of the map."""

    model: str
    field: str
    kind: Kind
    erasure: Erasure
    is_exported: bool


def get_handling(model: type[Model]) -> Handling | None:
    """Return the model's declared handling, or None."""
    if model._meta.auto_created:
        # A many-to-many table has only links.
        people = [field.name for field in _list_fields(model) if _leads_to_a_person(field)]
        return Handling(person=people[0] if people else "")
    return model.__dict__.get("handling") or THIRD_PARTY.get(model._meta.label_lower)


def get_kinds(model: type[Model]) -> dict[str, list[Kind]]:
    """Return the kinds of each field, as declared or by its class; valid is exactly one."""
    handling = get_handling(model)
    if handling is None:
        return {}
    kinds = handling.declared()
    for field in _list_fields(model):
        if field.name not in kinds and (kind := _infer_kind(field)):
            follows = kind == Kind.CONTENT or handling.is_of_people or _leads_to_a_person(field)
            kinds[field.name] = [kind if follows else Kind.SYSTEM]
    return kinds


def _infer_kind(field: "Field[object, object]") -> Kind | None:
    """Return the kind that follows from the field's class; other text and JSON have none."""
    if isinstance(field, SealedTextField):
        return Kind.CONTENT
    if isinstance(field, LINKS):
        return Kind.LINK
    return Kind.TRACE if isinstance(field, TRACES) or field.choices else None


def list_rules() -> list[Rule]:
    """Return the whole map, by model; undeclared fields are missing (see list_problems)."""
    return [rule for model in _list_models() for rule in _list_model_rules(model)]


def list_exported_fields(model: type[Model]) -> tuple[str, ...]:
    """Return the names of the model's exported fields, in their order."""
    return tuple(rule.field for rule in _list_model_rules(model) if rule.is_exported)


def list_problems() -> list[str]:
    """Return the problems of the map, a sentence each."""
    return [problem for model in _list_models() for problem in _find_model_problems(model)]


def _list_models() -> list[type[Model]]:
    return sorted(apps.get_models(include_auto_created=True), key=lambda model: model._meta.label)


def _list_fields(model: type[Model]) -> "list[Field[object, object]]":
    return [*model._meta.fields, *model._meta.many_to_many]


def _leads_to_a_person(field: "Field[object, object]") -> bool:
    return isinstance(field, ForeignKey) and field.related_model._meta.label == "memory.User"


def _list_model_rules(model: type[Model]) -> Iterator[Rule]:
    handling = get_handling(model)
    if handling is None:
        return
    kinds, withheld = get_kinds(model), handling.withheld.split()
    is_exported = bool(handling.person) and handling.withheld != ALL
    for field in _list_fields(model):
        for kind in kinds.get(field.name, []):
            erasure = Erasure.KEY if isinstance(field, SealedTextField) else Erasure.ROW
            if handling.stays:
                erasure = Erasure.KEPT
            elif kind == Kind.SYSTEM or not handling.is_of_people:
                erasure = Erasure.NOBODY
            exported = is_exported and kind in EXPORTED and field.name not in withheld
            yield Rule(model._meta.label, field.name, kind, erasure, exported)


def _find_model_problems(model: type[Model]) -> Iterator[str]:
    label, handling = model._meta.label, get_handling(model)
    if handling is None:
        yield f"{label} has no handling"
        return
    fields = {field.name: field for field in _list_fields(model)}
    kinds = get_kinds(model)
    yield from (f"{label}.{name} is not declared" for name in fields if name not in kinds)
    yield from (f"{label} has no {name}" for name in kinds if name not in fields)
    yield from (f"{label}.{name} is of two kinds" for name in kinds if len(kinds[name]) > 1)
    yield from (
        f"{label}.{name} is withheld, but not there"
        for name in handling.withheld.split()
        if name not in fields and name != ALL
    )
    for name, field in fields.items():
        if isinstance(field, SealedTextField) and not {*kinds.get(name, [])} & SEALED_KINDS:
            yield f"{label}.{name} is sealed, so it is content, identity or secret"
    if handling.person and not _is_path_to_a_person(model, handling.person):
        yield f"{label}: {handling.person} leads to no person"
    personal = {kind for found in kinds.values() for kind in found} - {Kind.SYSTEM}
    if personal and not handling.is_of_people:
        yield f"{label} has personal fields, but is nobody's"


SEALED_KINDS = {Kind.CONTENT, Kind.IDENTITY, Kind.SECRET}


def _is_path_to_a_person(model: type[Model], path: str) -> bool:
    if path == "pk":
        return model._meta.label == "memory.User"
    try:
        for name in path.split(LOOKUP_SEP):
            field = model._meta.get_field(name)
            model = field.related_model or model
    except FieldDoesNotExist:
        return False
    # In the keys database, and where a row outlives its person, the row has only the id.
    return model._meta.label == "memory.User" or path.endswith("_id")


# --- Owners of rows -------------------------------------------------------------------------------


def get_person_filter(model: type[Model], person: UUID) -> Q | None:
    """Return the condition for the person's rows of the model; None if there can't be any."""
    handling = get_handling(model)
    if handling is None or not handling.person or handling.stays:
        return None
    mine = Q(**{handling.person: person})
    return mine | handling.also(person) if handling.also else mine


@cache
def get_ordered_models() -> tuple[type[Model], ...]:
    """Return the models with rows of people: referring models before their targets."""
    left = [
        model
        for model in _list_models()
        if (handling := get_handling(model)) and handling.person and not handling.stays
    ]
    ordered: list[type[Model]] = []
    while left:
        pointed_at = {
            field.related_model
            for model in left
            for field in model._meta.fields
            if isinstance(field, ForeignKey) and field.related_model is not model
        }
        free = [model for model in left if model not in pointed_at] or left[:1]
        ordered += free
        left = [model for model in left if model not in free]
    return tuple(ordered)
