"""URLs of the application."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.contrib.auth.decorators import login_required
from django.templatetags.static import static
from django.urls import include, path
from django.utils.functional import lazy
from django.views.generic import RedirectView

from chat.api.schema.generator import Docs, Schema
from config import health
from config.metrics.page import metrics
from memory.people.sign_in.by_mail import confirming, forgotten
from memory.people.sign_in.links import sign_in_once

admin.autodiscover()
# The sign-in page with its exact lock-out is the only way in, to the admin as well.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
# The own password is changed where each guess at the old one is counted.
admin.site.password_change = RedirectView.as_view(  # type: ignore[method-assign,assignment]
    pattern_name="account_change_password"
)

handler400 = "chat.protocol.error_pages.bad_request"
handler403 = "chat.protocol.error_pages.forbidden"
handler404 = "chat.protocol.error_pages.missing"
handler500 = "chat.protocol.error_pages.broken"

urlpatterns = [
    path("healthz", health.live, name="healthz"),
    path("readyz", health.ready, name="readyz"),
    path("metrics", metrics, name="metrics"),
    # Browsers request it on every site.
    path("favicon.ico", RedirectView.as_view(url=lazy(static, str)("icons/favicon.svg"))),
    path("admin/", admin.site.urls),
    path("account/link/<str:encoded_id>/<str:token>", sign_in_once, name="sign_in_once"),
    # Before allauth's pages, which announce a message even without a mail server.
    path("account/confirm-email/", confirming, name="account_email_verification_sent"),
    path("account/password/reset/", forgotten, name="account_reset_password"),
    path("account/", include("allauth.urls")),
    path("api/v1/", include("chat.api.urls")),
    path("api/schema", Schema.as_view(), name="schema"),
    path("api/schema/", Schema.as_view()),
    path("api/docs", login_required(Docs.as_view()), name="docs"),
    path("api/docs/", login_required(Docs.as_view())),
    path("", include("chat.urls")),
]
