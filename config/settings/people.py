"""Accounts, signing in, and consent."""

from config.settings.machine import COMPLIANCE, HTTPS, TRUSTED_PROXIES, env

AUTH_USER_MODEL = "memory.User"
AUTHENTICATION_BACKENDS = ["memory.people.adapters.AccountBackend"]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
SIGNUP = env.str("SIGNUP", default="closed")
# With open sign-up, an address has to be confirmed before the first sign-in.
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if SIGNUP == "open" else "optional"
CONSENT_PRESUMED = env.list("CONSENT_PRESUMED", default=["store", "improve"])
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "chat:home"
PASSWORD_RESET_TIMEOUT = 3600
ACCOUNT_LOGOUT_REDIRECT_URL = "account_login"
ACCOUNT_ADAPTER = "memory.people.adapters.AccountAdapter"
ACCOUNT_FORMS = {
    "signup": "memory.people.forms.SignUp",
    "change_password": "memory.people.forms.ChangePassword",
    "set_password": "memory.people.forms.SetPassword",
    "user_token": "memory.people.forms.ResetLink",
}
ACCOUNT_LOGIN_METHODS = ["username", "email"]
ACCOUNT_PASSWORD_RESET_TOKEN_GENERATOR = "memory.people.sign_in.signed_links.reset_tokens"
# Not the user name: a report that one is taken would reveal accounts.
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_CHANGE_EMAIL = True
# None: the form offers the choice; under COMPLIANCE, closing the browser signs out.
ACCOUNT_SESSION_REMEMBER = False if COMPLIANCE else None
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_RATE_LIMITS = {"login_failed": "5/5m/key,50/5m/ip"}
ACCOUNT_PREVENT_ENUMERATION = True
# Only a proxy of yours may name the client's address: the trusted count is the whole setting.
ALLAUTH_TRUSTED_PROXY_COUNT = TRUSTED_PROXIES
MFA_ADAPTER = "memory.people.adapters.FactorAdapter"
MFA_FORMS = {"activate_totp": "memory.people.forms.ActivateTotp"}
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "Throughline"
# Browsers offer passkeys on plain HTTP to localhost alone.
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not HTTPS
DEFAULT_TIER = env.str("DEFAULT_TIER", default="default")
EMAIL_CONFIG = env.email_url("EMAIL_URL", default="consolemail://")
vars().update(EMAIL_CONFIG)
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.str("EMAIL_FROM", default="Throughline <throughline@localhost>")
# Kinds of acts of admins that another admin has to approve (memory.people.staff.approvals).
SECOND_APPROVAL = env.list("SECOND_APPROVAL", default=[])
# Seconds between the confirmation of a request for erasure and its beginning.
ERASURE_GRACE = 86_400

# --- Single sign-on: off unless a provider is named -----------------------------------------------
OIDC_SERVER_URL = env.str("OIDC_SERVER_URL", default="")
OIDC_CLIENT_ID = env.str("OIDC_CLIENT_ID", default="")
OIDC_CLIENT_SECRET = env.str("OIDC_CLIENT_SECRET", default="")
OIDC_NAME = "Single sign-on"
OIDC_SIGNUP = env.str("OIDC_SIGNUP", default=SIGNUP)
SOCIALACCOUNT_ADAPTER = "memory.people.adapters.ProviderAdapter"
SOCIALACCOUNT_PROVIDERS = {
    "openid_connect": {
        "OAUTH_PKCE_ENABLED": True,
        "APPS": [
            {
                "provider_id": "oidc",
                "name": OIDC_NAME,
                "client_id": OIDC_CLIENT_ID,
                "secret": OIDC_CLIENT_SECRET,
                "settings": {"server_url": OIDC_SERVER_URL},
            }
        ],
    }
}
SOCIALACCOUNT_EMAIL_AUTHENTICATION_AUTO_CONNECT = True
SOCIALACCOUNT_EMAIL_VERIFICATION = ACCOUNT_EMAIL_VERIFICATION
