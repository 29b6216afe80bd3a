"""Security headers, cookies, and the size of requests."""

from csp.constants import NONCE, NONE, SELF, UNSAFE_EVAL, UNSAFE_INLINE

from config.environment import get_origin
from config.settings.machine import ALLOWED_HOSTS, COMPLIANCE, HTTPS, TRUSTED_PROXIES, env
from config.settings.people import OIDC_SERVER_URL

SESSION_ENGINE = "memory.people.sign_in.web_sessions"
# Minutes without an act of the person after which a browser is signed out; 0: never.
IDLE_MINUTES = env.float("IDLE_MINUTES", default=15 if COMPLIANCE else 0)
# Regardless of activity, a browser stays signed in no longer than a long working day.
SESSION_COOKIE_AGE = 43_200 if COMPLIANCE else 1_209_600
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
# Probes speak plain HTTP from inside.
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if TRUSTED_PROXIES else None
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "chat.protocol.error_pages.expired_form"
# A proxy may change the Host header.
CSRF_TRUSTED_ORIGINS = [f"https://{host}" for host in ALLOWED_HOSTS if HTTPS and host != "*"]
MAX_BODY_BYTES = 1_048_576
DATA_UPLOAD_MAX_MEMORY_SIZE = MAX_BODY_BYTES
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    },
}
# django-unfold and Swagger UI evaluate and style inline; only their own pages allow it.
LOOSER_POLICIES: dict[str, dict[str, list[object]]] = {
    "/admin/": {
        "script-src": [SELF, UNSAFE_EVAL, NONCE],
        "style-src": [SELF, UNSAFE_INLINE],
        "img-src": [SELF, "data:"],
    },
    # The provider's sign-in redirects these forms to itself.
    **(
        {
            path: {"form-action": [SELF, get_origin(OIDC_SERVER_URL)]}
            for path in ("/account/login/", "/account/oidc/")
        }
        if OIDC_SERVER_URL
        else {}
    ),
    # The QR code for an authenticator app is drawn into the page.
    "/account/2fa/": {"img-src": [SELF, "data:"]},
    "/api/docs": {
        "script-src": [SELF, NONCE],
        "style-src": [SELF, UNSAFE_INLINE],
        "img-src": [SELF, "data:"],
    },
}
