"""Keyset pagination: each page begins after a position in the order, so pages never shift."""

import re
from collections.abc import Sequence
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError

from chat.protocol.parsing import parse_id
from memory.conversations import listing
from memory.errors import NotFound

Row = TypeVar("Row", bound=Any)

POSITION = re.compile(r"[0-9]{1,9}")


def cut_page(rows: QuerySet[Row] | Sequence[Row], limit: int) -> tuple[list[Row], Row | None]:
    """Return the rows of a page, and the last of them if more follow; at most one query."""
    found = list(rows[: limit + 1])
    return found[:limit], found[limit - 1] if len(found) > limit else None


def position_page(rows: QuerySet[Row], field: str, page: Any) -> tuple[list[Row], str | None]:
    """Return the rows after the page's cursor, in the field's order, and the next cursor."""
    behind = parse_position(page["cursor"], first=0)
    following = rows.filter(**{f"{field}__gt": behind}).order_by(field)
    found, last = cut_page(following, page["limit"])
    return found, str(getattr(last, field)) if last else None


def read_newest_page(
    rows: QuerySet[Row], moment: str, *, cursor: str, limit: int
) -> tuple[list[Row], str | None]:
    """Return the rows after the cursor, newest first, and the next cursor."""
    following = listing.get_following(rows, check_cursor(cursor), moment)
    found, last = cut_page(following, limit)
    return found, listing.make_cursor(getattr(last, moment), last.pk) if last else None


def check_cursor(cursor: str) -> str:
    """Return the cursor, which may be empty; raises ValidationError if it is malformed."""
    try:
        if cursor:
            listing.place(cursor)
    except NotFound as error:
        raise _make_error() from error
    return cursor


def parse_position(cursor: str, *, first: int) -> int:
    """Return the position in a cursor, or `first` without one; raises ValidationError."""
    if cursor and not POSITION.fullmatch(cursor):
        raise _make_error()
    return int(cursor or first)


def parse_row_id(cursor: str) -> UUID | None:
    """Return the id in a cursor, or None without one; raises ValidationError."""
    try:
        return parse_id(cursor) if cursor else None
    except NotFound as error:
        raise _make_error() from error


def _make_error() -> ValidationError:
    return ValidationError({"cursor": [_("This isn't a cursor of this list.")]})
