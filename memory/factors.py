"""Second factors: their secrets are sealed under their person's key, as words are."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any
from uuid import UUID

from allauth.core import context
from allauth.mfa.adapter import DefaultMFAAdapter
from django.utils.translation import gettext as _

from memory.sealing import seal, unseal

PLACE = "mfa"


class FactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """Keeps the secrets of authenticator apps and recovery codes unreadable in the database."""

    def encrypt(self, text: str) -> str:
        owner: UUID = context.request.user.pk
        sealed = seal(text.encode(), owner=owner, place=PLACE)
        return f"{owner.hex}:{urlsafe_b64encode(sealed).decode()}"

    def decrypt(self, encrypted_text: str) -> str:
        owner, _colon, sealed = encrypted_text.partition(":")
        return unseal(urlsafe_b64decode(sealed), owner=UUID(owner), place=PLACE).decode()

    def generate_authenticator_name(self, user: Any, type: Any) -> str:
        return _("Passkey")
