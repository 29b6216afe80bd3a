"""Django's test client as a browser of this product: its cookie holds the secret of its session."""

from django.conf import settings
from django.http import HttpRequest
from django.test.client import ClientMixin

from memory.people.sign_in.web_sessions import Key, SessionStore


def cookies_hold_secrets() -> None:
    """Let every test client find its session by the hash of its cookie, as the middleware does."""
    set_cookies = ClientMixin._set_login_cookies

    def session(client: ClientMixin) -> SessionStore:
        if cookie := client.cookies.get(settings.SESSION_COOKIE_NAME):
            return SessionStore(Key(cookie.value))
        made = SessionStore()
        made.save()
        client.cookies[settings.SESSION_COOKIE_NAME] = made.session_key.secret
        return made

    def set_login_cookies(client: ClientMixin, request: HttpRequest) -> None:
        set_cookies(client, request)
        cookie = client.cookies[settings.SESSION_COOKIE_NAME]
        secret = request.session.session_key.secret
        cookie.set(cookie.key, secret, secret)

    ClientMixin.session = property(session)
    ClientMixin._set_login_cookies = set_login_cookies
