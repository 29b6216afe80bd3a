"""API tokens: made once, found by their hash, and deleted when they are revoked.

A token is 256 random bits and is looked up by its hash. A wrong token finds no row at all, so
nothing about an account can be guessed.
"""

from dataclasses import dataclass
from datetime import timedelta
from itertools import chain, count
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from knox.crypto import create_token_string, hash_token
from knox.settings import CONSTANTS

from memory import audit
from memory.errors import NotFound
from memory.jobs.batches import delete_in_batches
from memory.models import ApiToken, Scope, User
from memory.people.sign_in.second_factors import keep_enrolled
from memory.postgresql.scope import Purpose, whole_installation

MAX_NAME_LENGTH = 80
PAGE = 20
# A write at each request would make readers wait for writers.
USE_NOTED_EVERY = timedelta(minutes=1)
KEPT_EXPIRED = timedelta(days=30)


@dataclass(frozen=True)
class TokenList:
    """One page of tokens, newest first, and the id after which the next begins."""

    tokens: list[ApiToken]
    next: UUID | None


def get_default_lifetime() -> timedelta:
    """Return the default lifetime of a token."""
    return timedelta(days=settings.TOKEN_DAYS)


def issue(
    user: User, *, lifetime: timedelta | None, scope: Scope = Scope.WRITE, name: str = ""
) -> tuple[ApiToken, str]:
    """Make a token; return its row and the token itself, which is not stored."""
    token = create_token_string()
    row = ApiToken(
        user=user,
        name=name,
        scope=scope,
        digest=hash_token(token),
        token_key=token[: CONSTANTS.TOKEN_KEY_LENGTH],
        expiry=timezone.now() + lifetime if lifetime else None,
    )
    with transaction.atomic():
        row.save(force_insert=True)
        audit.record("token.made", actor=user.pk, subject=row)
    return row, token


def free_name(user: User, wanted: str) -> str:
    """Return the name, with a number if a token of the person's has this name already."""
    taken = {row.name for row in ApiToken.objects.filter(user=user)}
    wanted = wanted[:MAX_NAME_LENGTH]
    numbered = (f"{wanted[: MAX_NAME_LENGTH - 8]} ({number})" for number in count(2))
    return next(name for name in chain([wanted], numbered) if name not in taken)


def find_token(token: str) -> ApiToken | None:
    """Return the token's row with its person, unless it has expired or the person is locked out."""
    with whole_installation(Purpose.SIGN_IN):
        return _select_by_digest(str(hash_token(token))).first()


def _select_by_digest(digest: str) -> QuerySet[ApiToken]:
    named = ApiToken.objects.live().filter(digest=digest)
    return keep_enrolled(named, "user_id").select_related("user").order_by()


def note_use(row: ApiToken) -> None:
    """Note that the token is in use, at most once a minute even with concurrent requests."""
    now = timezone.now()
    if row.last_used_at is None or row.last_used_at <= now - USE_NOTED_EVERY:
        unseen = ApiToken.objects.filter(pk=row.pk, last_used_at=row.last_used_at)
        unseen.update(last_used_at=now)


def list_tokens(user: User, *, after: UUID | None = None) -> TokenList:
    """Return the person's tokens after the given one, newest first; one query."""
    rows = ApiToken.objects.owned(user).order_by("-id")
    if after:
        rows = rows.filter(id__lt=after)
    tokens = list(rows[: PAGE + 1])
    return TokenList(tokens[:PAGE], tokens[PAGE - 1].pk if len(tokens) > PAGE else None)


def get_own_token(user: User, token_id: UUID) -> ApiToken:
    """Return the person's own token, or raise NotFound as for one that doesn't exist."""
    row = ApiToken.objects.owned(user).filter(pk=token_id).first()
    if row is None:
        raise NotFound
    return row


def revoke(row: ApiToken, *, actor: User) -> None:
    """Revoke the token: the next request with it is refused; raises NotFound without one."""
    with transaction.atomic():
        gone, _by_model = ApiToken.objects.filter(pk=row.pk).delete()
        if not gone:  # another request was first
            raise NotFound
        audit.record("token.revoked", actor=actor.pk, subject=row)


def purge_expired() -> int:
    """Delete tokens that expired a while ago; return how many."""
    old = ApiToken.objects.filter(expiry__lt=timezone.now() - KEPT_EXPIRED)
    return delete_in_batches(old.order_by("expiry"))
