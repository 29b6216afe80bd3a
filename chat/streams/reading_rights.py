"""Repeated checks of the right to read an answer: streams outlive rights."""

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from django.utils import timezone

from memory.models import Turn
from memory.people.credentials import Credential, find_valid_credentials


@dataclass(frozen=True)
class Right:
    """The turn that a reader follows, and the credential that allows it."""

    credential: Credential
    # The turn; None for an answer that is not stored.
    turn_id: UUID | None = None


def is_valid(right: Right) -> bool:
    """Return whether the credential still allows its person to read the turn."""
    return right in select_valid([right])


def select_valid(rights: Collection[Right]) -> set[Right]:
    """Return the rights that still hold, with as many queries for all as for one."""
    let_in = find_valid_credentials({right.credential for right in rights})
    turns = [right.turn_id for right in rights if right.turn_id]
    visible = Turn.objects.filter(pk__in=turns, session__expires_at__gt=timezone.now())
    readable = set(visible.values_list("pk", "owner_id"))
    return {
        right
        for right in rights
        if right.credential in let_in
        and (right.turn_id is None or (right.turn_id, right.credential.user_id) in readable)
    }
