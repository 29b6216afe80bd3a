"""Deletion of all rows of a person, by the rules of their models (memory.personal_data.data_map).

Transactions are short, and delete children before parents. They repeat until nothing is left, so
rows written by a concurrent request are deleted too. Once the account's row is gone, nothing can be
written for it. The deletion can be killed anywhere, and called again.
"""

from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.sessions.models import Session as BrowserSession
from django.db import IntegrityError, models, transaction
from django.db.models import ForeignKey, Q
from django.utils import timezone

from memory.audit import append_only
from memory.classification import Kind
from memory.forgetting.erasure.lineage import delete_jobs, delete_person_jobs
from memory.jobs.batches import delete_whole
from memory.models import ExportPackage, Job, PackagePart, PurgeFailure, Session, User
from memory.models.governance.audit import find_first_id
from memory.people.sign_in.web_sessions import SessionStore
from memory.personal_data.data_map import get_kinds, get_ordered_models, get_person_filter
from memory.personal_data.package_ends import PARTS_AT_ONCE, delete_parts
from memory.personal_data.packages import delete_unfetched
from memory.personal_data.texts import find_strings
from memory.sealing import ledger

BATCH = 300
# Largest difference between the clocks of several machines.
A_MOMENT = timedelta(minutes=5)
# Called with the counts of deleted rows by model, in the transaction that deletes them.
Count = Callable[["Counter[str]"], None]


def delete_person(person: UUID, *, count: Count = lambda gone: None) -> None:
    """Delete every row of the person and their account."""
    begun = timezone.now()
    accounts = User.objects.filter(pk=person).values_list("email", flat=True)
    others = EmailAddress.objects.filter(user_id=person).values_list("email", flat=True)
    addresses = {address.casefold() for address in [*accounts, *others] if address}
    _end_browser_sessions(person, addresses, BrowserSession.objects.all(), count)
    with transaction.atomic():  # no incomplete package is fetched
        delete_unfetched(person)
    while User.objects.filter(pk=person).exists():
        for model in get_ordered_models():
            if model is not User:
                _delete_rows(model, person, count)
        try:
            with transaction.atomic(), append_only.deletion_allowed():
                gone = Counter({User._meta.label_lower: delete_whole(User, [person])})
                gone[Job._meta.label_lower] = delete_jobs([person]) + delete_person_jobs(person)
                count(+gone)
        except IntegrityError:  # a concurrent request wrote another row: repeat
            continue
    # Rows written meanwhile; each pass could only extend a session by its lifetime.
    life = timedelta(seconds=settings.SESSION_COOKIE_AGE)
    written = BrowserSession.objects.filter(expire_date__gte=begun + life - A_MOMENT)
    _end_browser_sessions(person, addresses, written, count)


def delete_everything(person: UUID, *, count: Count = lambda gone: None) -> None:
    """Delete the person's words, uploads and answers; their account stays as it is."""
    with transaction.atomic():
        delete_unfetched(person)
    words = _find_models_with_words()
    for model in get_ordered_models():
        if model in words:
            _delete_rows(model, person, count, noted=is_root(model))
    with transaction.atomic():  # one begun meanwhile contains some of it
        delete_unfetched(person)
    ended = ExportPackage.objects.done().filter(owner=person)
    delete_parts(ended, pulse=lambda: count(Counter()))


def count_left(person: UUID) -> Counter[str]:
    """Count the remaining rows of the person, by model."""
    found: Counter[str] = Counter()
    for model in get_ordered_models():
        mine = get_person_filter(model, person)
        if mine is not None and (rows := model._base_manager.filter(mine).count()):
            found[model._meta.label_lower] = rows
    return found


def count_old_words(person: UUID, moment: datetime) -> Counter[str]:
    """Count the account's rows with words from before the moment, by model.

    Dependent rows can't outlast a conversation or a document; a package's parts do outlast its end.
    """
    found: Counter[str] = Counter()
    for model in filter(is_root, _find_models_with_words()):
        mine = get_person_filter(model, person)
        if mine is not None:
            rows = model._base_manager.filter(mine, _make_age_filter(model, moment))
            found[model._meta.label_lower] = rows.count()
    parts = PackagePart.objects.filter(owner=person, package__created_at__lt=moment)
    found[PackagePart._meta.label_lower] = parts.count()
    return +found


def _make_age_filter(model: type[models.Model], moment: datetime) -> Q:
    """Return the condition for rows made before the moment."""
    if any(field.name == "created_at" for field in model._meta.fields):
        return Q(created_at__lt=moment)
    return Q(pk__lt=find_first_id(moment))


def is_root(model: type[models.Model]) -> bool:
    """Return whether rows of the model depend only on their person."""
    fields = [field for field in model._meta.fields if isinstance(field, ForeignKey)]
    return all(field.related_model is User for field in fields)


def _find_models_with_words() -> set[type[models.Model]]:
    """Return the models whose rows hold words of people, or depend on such rows."""
    found: set[type[models.Model]] = set()
    for model in reversed(get_ordered_models()):  # parents first
        parents = {
            field.related_model
            for field in model._meta.fields
            if isinstance(field, ForeignKey) and field.remote_field.on_delete is models.CASCADE
        }
        if parents & found or any(Kind.CONTENT in kinds for kinds in get_kinds(model).values()):
            found.add(model)
    return found


def _delete_rows(
    model: type[models.Model], person: UUID, count: Count, *, noted: bool = False
) -> None:
    mine = get_person_filter(model, person)
    if mine is None:
        return
    rows = model._base_manager.filter(mine)
    batch = PARTS_AT_ONCE if model is PackagePart else BATCH
    while ids := list(rows.values_list("pk", flat=True)[:batch]):
        with transaction.atomic(), append_only.deletion_allowed():
            if model is Session:  # before the rows inside them, as everywhere
                list(rows.filter(pk__in=ids).order_by("pk").select_for_update().values_list("pk"))
            gone = Counter({model._meta.label_lower: delete_whole(model, ids)})
            if isinstance(model._meta.pk, models.UUIDField):
                gone[Job._meta.label_lower] = delete_jobs(ids)
            if model is Session:
                PurgeFailure.objects.filter(pk__in=ids).delete()
            count(+gone)
            if noted:
                ledger.note_all(model._meta.model_name or "", ids)


def _end_browser_sessions(
    person: UUID, addresses: set[str], rows: "models.QuerySet[BrowserSession]", count: Count
) -> None:
    """Delete those of the browsers' sessions that hold the person's id, or an address of theirs.

    During a sign-in or the proof of an address, a session exists that no row refers to.
    """
    store = SessionStore()
    keys = [
        row.session_key
        for row in rows.iterator(chunk_size=BATCH)
        if _mentions_person(store.decode(row.session_data), person, addresses)
    ]
    for start in range(0, len(keys), BATCH):
        with transaction.atomic():
            found = BrowserSession.objects.filter(pk__in=keys[start : start + BATCH])
            count(Counter({BrowserSession._meta.label_lower: found.delete()[0]}))


def _mentions_person(data: dict[str, Any], person: UUID, addresses: set[str]) -> bool:
    if signed_in := data.get("_auth_user_id"):
        return bool(signed_in == str(person))
    said = [text.casefold() for text in find_strings(data)]
    ids = (str(person), person.hex)
    return any(text in addresses or any(pk in text for pk in ids) for text in said)
