"""Whose a row is that hangs on another one, in a column of its own.

So that each person's rows can stand in a part of the database of their own (docs/capacity.md).
"""

from collections.abc import Iterable
from typing import Any

from django.db import models
from django.db.models.fields.related_descriptors import ForwardManyToOneDescriptor
from django.db.models.fields.related_lookups import RelatedExact, RelatedIn
from django.db.models.lookups import Exact, In


class OwnerId(models.UUIDField):  # type: ignore[type-arg]
    """The owner of the row that this one hangs on, taken from there when it is first written.

    No foreign key: the row goes with that one, and a check of its own would cost every write.
    """

    def __init__(self, *, of: str, **options: Any) -> None:
        self.of = of  # the foreign key to that row
        super().__init__(**{"editable": False, **options})

    def deconstruct(self) -> Any:
        name, path, args, options = super().deconstruct()
        return name, path, args, {**options, "of": self.of}

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        if getattr(model_instance, self.attname) is None:
            owner = getattr(model_instance, self.of).owner_id
            setattr(model_instance, self.attname, owner)
        return getattr(model_instance, self.attname)


class Owned(models.Model):
    """A row of one person, which is saved as theirs."""

    class Meta:
        abstract = True

    def _do_update(self, base_qs: Any, *args: Any, **options: Any) -> Any:
        theirs = base_qs.filter(owner_id=self.owner_id)  # type: ignore[attr-defined]
        return super()._do_update(theirs, *args, **options)


class _NamesOwners:
    """A lookup by instances: it names whose they are, as far as they know, beside their keys."""

    lhs: Any
    rhs: Any

    def get_prep_lookup(self) -> Any:
        given = self.rhs if isinstance(self.rhs, list | tuple | set) else [self.rhs]
        self.owners = owners_of(given)
        return super().get_prep_lookup()  # type: ignore[misc]

    def as_sql(self, compiler: Any, connection: Any) -> Any:
        sql, params = super().as_sql(compiler, connection)  # type: ignore[misc]
        if not self.owners or self.lhs.target is not self.lhs.output_field:
            return sql, params
        column = _owner_column(self.lhs.target.model, self.lhs.alias)
        named, owners = compiler.compile(_OwnerAmong(column, self.owners))
        return f"({sql} AND {named})", [*params, *owners]


class _BesideTheKey:
    """A condition on owners that SQLite is not to look rows up by.

    It knows not how many rows a person has, and would take all of them for as few as those of a
    turn. By a plus it knows that only the key is to be looked for.
    """

    def as_sqlite(self, compiler: Any, connection: Any) -> Any:
        sql, params = self.as_sql(compiler, connection)  # type: ignore[attr-defined]
        return f"+{sql}", params


class _OwnerAmong(_BesideTheKey, In):
    pass


class _OwnerIs(_BesideTheKey, Exact):
    pass


class OwnedExact(_NamesOwners, RelatedExact):
    """`turn=turn`."""


class OwnedIn(_NamesOwners, RelatedIn):
    """`turn__in=[turn, …]`, as prefetching and deleting ask."""


class OwnedDescriptor(ForwardManyToOneDescriptor):  # type: ignore[type-arg]
    """The row at the end of an owned key; what is fetched for many at once is their owners'."""

    def get_prefetch_querysets(self, instances: Any, querysets: Any = None) -> Any:
        rows = querysets[0] if querysets else self.get_queryset(instance=instances[0])
        if owners := owners_of(instances):
            rows = rows.filter(owner_id__in=owners)
        return super().get_prefetch_querysets(instances, [rows])


class OwnedKey(models.ForeignKey):  # type: ignore[type-arg]
    """A foreign key to a row of the same person: whatever goes along it names that person, too.

    So a database that keeps each person's rows in a part of their own looks in that part alone, in
    joins, where rows are asked for by an instance, and where the other row is read. For migrations
    it is any other foreign key.
    """

    forward_related_accessor_class = OwnedDescriptor

    def deconstruct(self) -> Any:
        name, _path, args, options = super().deconstruct()
        return name, "django.db.models.ForeignKey", args, options

    def get_extra_restriction(self, alias: Any, related_alias: Any) -> Any:
        if alias is None:  # the join is left out, and with it what it would be restricted to
            return None
        theirs = _owner_column(self.related_model, alias)
        return _OwnerIs(_owner_column(self.model, related_alias), theirs)

    def get_extra_descriptor_filter(self, instance: models.Model) -> Any:
        owners = owners_of([instance])
        return {"owner_id": owners[0]} if owners else {}


OwnedKey.register_lookup(OwnedExact)
OwnedKey.register_lookup(OwnedIn)


def owners_of(instances: Iterable[Any]) -> list[Any]:
    """Return whose the instances are; nobody, where one is none, or doesn't know it yet."""
    found = set()
    for instance in instances:
        owner = instance.__dict__.get("owner_id") if isinstance(instance, models.Model) else None
        if owner is None:
            return []
        found.add(owner)
    return list(found)


def _owner_column(model: Any, alias: str) -> Any:
    return model._meta.get_field("owner_id").get_col(alias)
