"""Deleting all rows of a person, by the rules that the models declare (memory.forgetting.data_map).

Short transactions, children before parents, and again until nothing is left: what a request that
was under way still writes goes as well. Once the account's row is gone nothing can be written for
it any more. It can be killed anywhere, and called again.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from uuid import UUID

from django.contrib.sessions.models import Session as BrowserSession
from django.db import IntegrityError, models, transaction
from django.db.models import ForeignKey

from memory import append_only
from memory.forgetting import ledger
from memory.forgetting.batches import delete_whole
from memory.forgetting.data_map import handling_of, in_order, rows_of
from memory.forgetting.lineage import forget_jobs
from memory.forgetting.packages import discard_packages
from memory.models import Job, User

BATCH = 300
# Told the rows that a step has deleted, by model, in the transaction that deletes them.
Counted = Callable[["Counter[str]"], None]


def nobody(counts: "Counter[str]") -> None:
    """Count for nobody."""


def delete_person(person: UUID, *, counted: Counted = nobody) -> None:
    """Delete every row of the person and their account."""
    _end_browser_sessions(person, counted)
    while User.objects.filter(pk=person).exists():
        for model in in_order():
            if model is not User:
                _delete_rows(model, person, counted)
        _delete_account(person, counted)
    _end_browser_sessions(person, counted)


def delete_everything(person: UUID, *, counted: Counted = nobody) -> None:
    """Delete what the person said, uploaded and was told; their account stays as it is."""
    with transaction.atomic():
        discard_packages(person)
    words = _with_words()
    for model in in_order():
        if model in words:
            _delete_rows(model, person, counted, noted=is_root(model))


def left_of(person: UUID) -> Counter[str]:
    """Count what is there of the person, by model."""
    found: Counter[str] = Counter()
    for model in in_order():
        mine = rows_of(model, person)
        if mine is not None and (rows := model._base_manager.filter(mine).count()):
            found[model._meta.label_lower] = rows
    return found


def is_root(model: type[models.Model]) -> bool:
    """Tell whether rows of the model hang on nothing but their person."""
    fields = [field for field in model._meta.fields if isinstance(field, ForeignKey)]
    return all(field.related_model is User for field in fields)


def _with_words() -> set[type[models.Model]]:
    """Return the models whose rows hold words of people, or hang on such rows."""
    found: set[type[models.Model]] = set()
    for model in reversed(in_order()):  # parents first
        if _has_words(model) or any(parent in found for parent in _parents_of(model)):
            found.add(model)
    return found


def _has_words(model: type[models.Model]) -> bool:
    handling = handling_of(model)
    return handling is not None and bool(handling.content)


def _parents_of(model: type[models.Model]) -> Iterator[type[models.Model]]:
    for field in model._meta.fields:
        if isinstance(field, ForeignKey) and field.remote_field.on_delete is models.CASCADE:
            yield field.related_model


def _delete_rows(
    model: type[models.Model], person: UUID, counted: Counted, *, noted: bool = False
) -> None:
    mine = rows_of(model, person)
    if mine is None:
        return
    rows = model._base_manager.filter(mine)
    while ids := list(rows.values_list("pk", flat=True)[:BATCH]):
        with transaction.atomic(), append_only.lifted():
            gone = Counter({model._meta.label_lower: delete_whole(model, ids)})
            if isinstance(model._meta.pk, models.UUIDField):
                gone[Job._meta.label_lower] = forget_jobs(ids)
            counted(+gone)
            if noted:
                ledger.note_all(model._meta.model_name or "", ids)


def _delete_account(person: UUID, counted: Counted) -> None:
    try:
        with transaction.atomic(), append_only.lifted():
            gone = Counter({User._meta.label_lower: delete_whole(User, [person])})
            gone[Job._meta.label_lower] = forget_jobs([person])
            counted(+gone)
    except IntegrityError:  # a request that was under way has written one more row: once more
        return


def _end_browser_sessions(person: UUID, counted: Counted) -> None:
    """Delete the browsers' sessions of the person: whose they are is in what they hold."""
    keys = [
        row.session_key
        for row in BrowserSession.objects.iterator(chunk_size=BATCH)
        if row.get_decoded().get("_auth_user_id") == str(person)
    ]
    for start in range(0, len(keys), BATCH):
        with transaction.atomic():
            rows = BrowserSession.objects.filter(pk__in=keys[start : start + BATCH])
            counted(Counter({BrowserSession._meta.label_lower: rows.delete()[0]}))
