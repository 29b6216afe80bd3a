"""Known browsers: those in which a person has signed in before.

Guesses from elsewhere must not lock a person out, since anyone may know a user name. So a browser
that signs in gets a cookie, signed for its person, and its guesses are counted by the cookie. The
cookie gives no access: a thief may only guess as often as from one address. A session makes one
such cookie, even if requests come without it, and an API token none.
"""

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare, salted_hmac

from memory.models import User

COOKIE, SECONDS = "known", 400 * 86_400
SALT = "memory.people.sign_in.known_browsers"
LONGEST = 200


def find_nonce(request: HttpRequest, person: User) -> str:
    """Return the nonce of a browser that is known as the person's; empty if it isn't."""
    nonce, _colon, signature = request.COOKIES.get(COOKIE, "")[:LONGEST].partition(":")
    return nonce if nonce and constant_time_compare(signature, _sign_nonce(nonce, person)) else ""


def make_known(request: HttpRequest, response: HttpResponse, person: User) -> None:
    """Give the browser of a signed-in person its cookie, unless it has one."""
    is_browser = request.session.get(SESSION_KEY) == str(person.pk)
    if not is_browser or find_nonce(request, person):
        return
    nonce = salted_hmac(SALT, str(request.session.session_key), algorithm="sha256").hexdigest()
    response.set_cookie(
        COOKIE,
        f"{nonce}:{_sign_nonce(nonce, person)}",
        max_age=SECONDS,
        httponly=True,
        secure=settings.SESSION_COOKIE_SECURE,
        samesite="Lax",
    )


def _sign_nonce(nonce: str, person: User) -> str:
    return salted_hmac(f"{SALT}:{person.pk}", nonce, algorithm="sha256").hexdigest()
