"""Where each door is."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

from config import health
from memory.views import sign_in_once

admin.autodiscover()
# The sign-in page with its exact lock-out is the only door, to the admin as well.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

urlpatterns = [
    path("healthz", health.live, name="healthz"),
    path("readyz", health.ready, name="readyz"),
    path("admin/", admin.site.urls),
    path("account/link/<str:encoded_id>/<str:token>", sign_in_once, name="sign_in_once"),
    path("account/", include("allauth.urls")),
    path("", include("chat.urls")),
]
