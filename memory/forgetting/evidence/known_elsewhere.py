"""Legitimate copies elsewhere in the clear: finding such a text in a store proves nothing.

An answer quotes the shared library, and two people may have the same name. No other copy is
legitimate: otherwise a row in which the text was left would excuse itself.
"""

from collections.abc import Collection, Iterable, Iterator
from itertools import islice
from uuid import UUID

from django.apps import apps
from django.db.models import Model

from memory.classification import Kind
from memory.jobs import Pulse
from memory.models import User
from memory.personal_data.data_map import get_person_filter
from memory.personal_data.texts import defer_files, read_texts, select_text_fields

# Models whose values identify one person. Names of browsers, networks and tokens are shared by
# many.
KNOWN_BY = ("memory.user", "account.emailaddress", "socialaccount.socialaccount")
AT_ONCE = 20_000  # names


def get_naming_models() -> list[type[Model]]:
    """Return the models with the names of people."""
    return [model for model in apps.get_models() if model._meta.label_lower in KNOWN_BY]


def find_in_names(
    texts: Collection[str], models: Iterable[type[Model]], *, but: UUID | None = None
) -> set[str]:
    """Return the texts that occur in a name or address of anyone but the person."""
    found: set[str] = set()
    for model in models:
        names = _read_names(model, but)
        while some := "\n".join(islice(names, AT_ONCE)):
            found |= {text for text in set(texts) - found if text in some}
    return found


def find_left_names(names: Collection[str], *, but: UUID | None = None) -> set[str]:
    """Return the names that are whole values in rows, but no living account's own."""
    others = [model for model in get_naming_models() if model is not User]
    there = {name for model in others for name in _read_names(model, but) if name in names}
    return there - {name for name in _read_names(User, but) if name in there} if there else there


def _read_names(model: type[Model], but: UUID | None) -> Iterator[str]:
    fields = select_text_fields(model, {Kind.IDENTITY})
    rows = model._base_manager.all()
    if but is not None and (mine := get_person_filter(model, but)) is not None:
        rows = rows.exclude(mine)
    for values in rows.values_list(*(field.name for field in fields)).iterator():
        yield from filter(None, values)


def find_excused_texts(texts: Collection[str], pulse: Pulse) -> set[str]:
    """Return the texts that identify a living account, or occur in the shared library."""
    named = find_in_names(texts, [User])
    return named | _find_in_library(sorted(set(texts) - named), pulse)


def _find_in_library(texts: list[str], pulse: Pulse) -> set[str]:
    found: set[str] = set()
    for text in _read_library_texts() if texts else ():
        pulse()
        found |= {each for each in texts if each in text}
    return found


def _read_library_texts() -> Iterator[str]:
    for model in apps.get_models():
        fields = select_text_fields(model, {Kind.CONTENT})
        may_be_shared = any(each.name == "owner" and each.null for each in model._meta.fields)
        if fields and may_be_shared:
            for row in defer_files(model._base_manager.filter(owner=None)).iterator():
                yield from read_texts(row, fields)
