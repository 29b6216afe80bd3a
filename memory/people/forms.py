"""allauth's forms whose guesses or codes would escape its counters, or whose timing would leak."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import (
    ChangePasswordForm,
    SetPasswordForm,
    SignupForm,
    UserTokenForm,
)
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from django import forms
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from memory.models import Consent, Purpose, User
from memory.people.adapters import SIGN_UP_SECONDS
from memory.people.sign_in.allauth_internals import (
    TOTP,
    raise_if_reauthentication_required,
    ratelimit,
)
from memory.people.sign_in.links import (
    get_confirmed_address,
    has_signed_in_by_link,
    is_mail_printed,
)
from memory.personal_data import consent

GUESSES = "5/5m/key"
ASKED = (Purpose.STORE, Purpose.RECALL, Purpose.IMPROVE)


class ConsentField(forms.BooleanField):
    """A consent to a purpose; the first of a group has a heading above it."""

    heading: str | Promise = ""


class SignUp(SignupForm):  # type: ignore[misc]
    """Asks for consents, none of which is ticked.

    Sets a fixed time for its response, since a new account takes longer to make than a known
    address.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        context.request.answer_due = time.monotonic() + SIGN_UP_SECONDS
        for purpose in ASKED:
            text = consent.get_text(purpose, consent.get_version(purpose))
            self.fields[purpose.value] = ConsentField(label=text, required=False)
            if purpose == ASKED[0]:
                self.fields[purpose.value].heading = _("What you allow")

    def save(self, request: HttpRequest) -> User:
        """Make the account, and record the consents given and refused."""
        user: User = super().save(request)
        given = {purpose: self.cleaned_data[purpose.value] for purpose in ASKED}
        consent.decide(user, given, source=Consent.Source.SIGN_UP)
        return user


class ChangePassword(ChangePasswordForm):  # type: ignore[misc]
    """Counts the old password as a guess like any other; after a sign-in by link none is needed.

    An operator of the server made that link, and could have set the password as well.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.is_by_link = has_signed_in_by_link(context.request)
        # Otherwise a new one is mailed, or a contact is named.
        self.can_be_mailed = not is_mail_printed() and bool(get_confirmed_address(self.user))
        self.fields["oldpassword"].help_text = ""  # the page shows it where it applies
        if self.is_by_link:
            del self.fields["oldpassword"]

    def clean_oldpassword(self) -> str:
        old: str = self.cleaned_data["oldpassword"]
        if not get_adapter().reauthenticate(self.user, old):
            raise get_adapter().validation_error("enter_current_password")
        return old


class SetPassword(SetPasswordForm):  # type: ignore[misc]
    """A first password is a new credential, so it needs a fresh proof."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        raise_if_reauthentication_required(context.request, app="allauth.account")


class ResetLink(UserTokenForm):  # type: ignore[misc]
    """The key of a password reset, with at most five guesses in five minutes."""

    def clean(self) -> Any:
        user = self._get_user(self.cleaned_data.get("uidb36"))
        with _counted(f"reset:{user.pk if user else ''}"):
            return super().clean()


@contextmanager
def _counted(key: str) -> Iterator[None]:
    """Count a guess before it is verified, and revert that if it was right."""
    usage = ratelimit.consume(
        context.request,
        app="memory",
        action="guess",
        config={"guess": GUESSES},
        key=key,
        limit_get=True,
    )
    if usage is None:
        raise ImmediateHttpResponse(ratelimit.respond_429(context.request))
    yield
    usage.rollback()


class ActivateTotp(ActivateTOTPForm):  # type: ignore[misc]
    """The code that proves a new authenticator can't be used for signing in."""

    def clean_code(self) -> str:
        code: str = super().clean_code()
        app = TOTP(Authenticator(user=self.user, type=Authenticator.Type.TOTP))
        if not app._mark_code_used(code):
            raise get_adapter().validation_error("incorrect_code")
        return code
