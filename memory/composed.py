"""Queries composed once: Django takes ten times as long to compose one as a database to answer it.

What a query looks like follows from how many values it is given of which types. So it is composed
for the first ones of a shape with values that are found again among its parameters, and from then
on takes others in their places.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache, wraps
from itertools import count
from typing import Any, ParamSpec, TypeVar
from uuid import UUID, uuid4

from django.core.exceptions import EmptyResultSet
from django.db import connections, models
from django.db.transaction import TransactionManagementError
from django.utils import timezone

P = ParamSpec("P")
Row = TypeVar("Row")

LISTS = (tuple, list, set, frozenset)
# So many shapes of a query are kept; with a longer list, it is composed each time.
MOST_SHAPES, LONGEST_LIST = 256, 1024
# What stands for a value while a query is composed: none of them twice, none of them in the code.
_numbers = count(1_000_000_007, 7)
PROBES: dict[type, Callable[[], Any]] = {
    UUID: uuid4,
    int: lambda: next(_numbers) % 2_000_000_000,
    str: lambda: uuid4().hex[:24],
    datetime: lambda: datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=next(_numbers)),
}


def composed(compose: Callable[P, models.QuerySet[Any, Row]]) -> Callable[P, list[Row]]:
    """Have a query that is made of keys, numbers, texts and moments composed once for each shape.

    It may ask for what is now, and for nothing else that changes: no setting, and no language. The
    values only take their places in it, and decide nothing. Of a list the last one may be there
    several times: that makes few lengths of many. What is given else, such as a choice, a flag or
    None, belongs to the shape.
    """
    known: dict[object, ComposedQuery | None] = {}

    @wraps(compose)
    def rows(*values: P.args, **more: P.kwargs) -> list[Row]:
        shape = tuple(map(_shape_of, values))
        if more or (len(known) > MOST_SHAPES and shape not in known):
            return list(compose(*values, **more))
        if shape not in known:
            known[shape] = _known(compose, values)
        found = known[shape]
        asked: Any = compose(*values, **more) if found is None else found.asked(_flat(values))
        return list(asked)

    return rows


def the_first(rows: Sequence[Row]) -> Row | None:
    """Return the first of the rows, or None where there is none."""
    return rows[0] if rows else None


def _shape_of(value: Any) -> object:
    """Return what of a value its query's looks depend on."""
    if type(value) in LISTS:
        return _length(value), frozenset(map(type, value))
    return type(value) if type(value) in PROBES else (type(value), value)


def _length(values: Any) -> int:
    """Return how many places a list takes: a power of two."""
    return 1 << max(0, len(values) - 1).bit_length()


def _flat(values: Iterable[Any]) -> list[Any]:
    """Return the values that take places: each by itself, and those of lists."""
    found: list[Any] = []
    for value in values:
        if type(value) in LISTS:
            found += value
            found += found[-1:] * (_length(value) - len(value))
        elif type(value) in PROBES:
            found.append(value)
    return found


# --- Composing ------------------------------------------------------------------------------------


@cache
def _unopened(using: str) -> Any:
    """Return a connection that nobody opens, for composing.

    What is kept of a query holds on to the connection that it was composed for, and one of a thread
    has to be closed with that: only then SQLite writes its log into its file.
    """
    connection: Any = connections.create_connection(using)
    connection.get_autocommit = lambda: False  # rows are locked where the query is asked
    return connection


@dataclass(frozen=True)
class ComposedQuery:
    """A query as it was composed, and where its values go."""

    rows: models.QuerySet[Any, Any]
    compiler: Any
    sql: str
    params: tuple[object, ...]
    # By the places of parameters the places of values, or NOW.
    places: tuple[tuple[int, int], ...]

    def asked(self, values: Sequence[object]) -> models.QuerySet[Any, Any]:
        """Return the rows for these values."""
        using = self.rows.db
        compiler, params = copy(self.compiler), list(self.params)
        compiler.connection = connections[using]
        if self.rows.query.select_for_update and not compiler.connection.in_atomic_block:
            raise TransactionManagementError("rows are locked inside a transaction only")
        for at, place in self.places:
            value = timezone.now() if place == NOW else values[place]
            params[at] = _prepared(value, compiler.connection)
        compiler.as_sql = lambda *_, **__: (self.sql, params)
        query = copy(self.rows.query)
        vars(query)["get_compiler"] = lambda *_, **__: compiler
        rows = type(self.rows)(self.rows.model, query=query, using=using)
        for name in TAKEN:
            setattr(rows, name, getattr(self.rows, name))
        return rows


NOW = -1
TAKEN = ("_iterable_class", "_fields", "_prefetch_related_lookups", "_for_write")


def _known(
    compose: Callable[..., models.QuerySet[Any, Any]], values: Sequence[object]
) -> ComposedQuery | None:
    """Compose the query for values of this shape; None if it has to be done for each anew."""
    lists = [value for value in values if type(value) in LISTS]
    if not all(_is_even(value) for value in lists):
        return None
    try:
        first, second = (_Trial.of(compose, values) for _ in range(2))
    except EmptyResultSet:
        return None
    if first.sql != second.sql or len(first.params) != len(second.params):
        return None
    places = list(_places(first, second))
    if None in places:
        return None
    compiler = first.compiler
    fields = [selected[0] for selected in compiler.select[: compiler.col_count]]
    converters = compiler.get_converters(fields)
    compiler.get_converters = lambda _: converters
    taken = tuple((at, place) for at, place in enumerate(places) if place not in (None, FIXED))
    return ComposedQuery(first.rows, compiler, first.sql, tuple(first.params), taken)


FIXED = -2


def _is_even(values: Any) -> bool:
    """Return whether a list is of values of one type, and no longer than it may be."""
    kinds = set(map(type, values))
    return len(kinds) == 1 and kinds <= PROBES.keys() and len(values) <= LONGEST_LIST


@dataclass(frozen=True)
class _Trial:
    """A query composed with probes in the place of its values."""

    rows: models.QuerySet[Any, Any]
    compiler: Any
    sql: str
    params: Sequence[Any]
    # As the database is given them: the probes, and the moments before and after.
    probes: Mapping[Any, int]
    begun: Any
    ended: Any

    @classmethod
    def of(
        cls, compose: Callable[..., models.QuerySet[Any, Any]], values: Sequence[object]
    ) -> "_Trial":
        probes = [_probe_for(value) for value in values]
        begun = timezone.now()
        rows = compose(*probes)
        connection = _unopened(rows.db)
        compiler = connection.ops.compiler(rows.query.compiler)(rows.query, connection, rows.db)
        sql, params = compiler.as_sql()
        ended = timezone.now()
        flat = {_prepared(probe, connection): at for at, probe in enumerate(_flat(probes))}
        span = _prepared(begun, connection), _prepared(ended, connection)
        return cls(rows, compiler, sql, params, flat, *span)

    def place(self, param: Any) -> int:
        """Return which value the parameter is, NOW, or FIXED."""
        if isinstance(param, Hashable) and param in self.probes:
            return self.probes[param]
        is_moment = type(param) is type(self.begun) and self.begun <= param <= self.ended
        return NOW if is_moment else FIXED


def _probe_for(value: Any) -> object:
    if type(value) in LISTS:
        [make] = (PROBES[kind] for kind in set(map(type, value)))
        return type(value)(make() for _ in range(_length(value)))
    return PROBES.get(type(value), lambda: value)()


def _places(first: _Trial, second: _Trial) -> Iterator[int | None]:
    """Yield what each parameter is, None for one that is not known."""
    for one, other in zip(first.params, second.params, strict=True):
        places = first.place(one), second.place(other)
        differs = places[0] != places[1] or (places[0] == FIXED and one != other)
        yield None if differs else places[0]


def _prepared(value: object, connection: Any) -> object:
    """Return the value as the database is given it."""
    if type(value) is UUID:
        return value if connection.features.has_native_uuid_field else value.hex
    if type(value) is datetime:
        return connection.ops.adapt_datetimefield_value(value)
    return value
