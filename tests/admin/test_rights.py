"""Rights at the admin: nothing without being given it, and nobody reaches above themselves."""

import pytest
from django.apps import apps
from django.contrib.auth.models import Group, Permission
from django.test import Client
from django.urls import reverse

from memory import holds
from memory.forgetting.retention.previews import preview, proposed
from memory.models import LegalHold, RetentionPolicy, User
from memory.people.staff.roles import ROLES, ensure_roles, list_effective_rights
from tests.admin.conftest import words
from tests.isolation.routes import STAFF, Route, routes
from tests.memory.retained import session_of
from tests.people import person

# One engine is enough: tests/migrations opens each page of the admin on either.
pytestmark = pytest.mark.django_db
# The pages of every admin user: the frame, the own password, and the permitted lists.
FRAME = """
    index login logout password_change password_change_done autocomplete jsi18n view_on_site
    app_list search
""".split()


def granted(*codenames: str) -> Client:
    """Return the browser of someone at the admin who has been given these rights."""
    clerk = person("clerk", is_staff=True)
    clerk.user_permissions.set(Permission.objects.filter(codename__in=codenames))
    client = Client()
    client.force_login(clerk)
    return client


def addresses_of(route: Route) -> list[str]:
    """Return the route's address for a row that there is, and for one that there isn't."""
    label = route.name.removeprefix("admin:").split("_")[:2]
    models = {(model._meta.app_label, model._meta.model_name): model for model in apps.get_models()}
    model = models.get((label[0], label[1])) if len(label) == 2 else None
    ids = list(model._base_manager.values_list("pk", flat=True)[:2]) if model else []
    return [
        route.path(dict.fromkeys(route.parameters, pk))
        for pk in [*ids, "01970000-0000-7000-8000-00000000ffff", "research"]
    ]


def test_staff_without_grants_see_and_do_nothing(owner: User, boss: User) -> None:
    session = session_of(owner, turns=1)
    holds.place(session, reason="A case", author=boss)
    preview(proposed("research", lifetime=86_400), author=boss)
    client = granted()
    frame = {f"admin:{name}" for name in FRAME}
    knocked = 0
    for route in routes():
        if route.access != STAFF or route.name in frame:
            continue
        for path in addresses_of(route):
            for method in (client.get, client.post):
                answer = method(path)
                knocked += 1
                # A row that isn't there leads back to the first page; an unknown address to 404.
                assert answer.status_code in (302, 403, 404), (route.name, path)
                elsewhere = ("/admin/", f"{path}change/")
                went = answer.headers.get("Location")
                assert answer.status_code != 302 or went in elsewhere, (route.name, path)
    assert knocked > 100
    assert "has no rights yet" in words(client.get(reverse("admin:index")))
    assert LegalHold.objects.active().count() == 1


def test_each_right_is_given_by_itself(owner: User, boss: User) -> None:
    hold = holds.place(owner, reason="A case", author=boss)
    client = granted("view_legalhold")
    assert "A case" in words(client.get(reverse("admin:memory_legalhold_change", args=[hold.pk])))
    assert client.get(reverse("admin:memory_legalhold_add")).status_code == 403
    release = reverse("admin:memory_legalhold_release", args=[hold.pk])
    assert client.post(release).status_code == 403
    shown = words(client.get(reverse("admin:index")))
    assert "Legal holds" in shown
    assert "Policies" not in shown
    assert "Data requests" not in shown


def test_nobody_reaches_above_themselves(boss: User, owner: User) -> None:
    client = granted("view_user", "change_user", "delete_user")
    clerk = User.objects.get(username="clerk")
    other = person("other", is_staff=True)
    for someone in (boss, clerk, other):
        for act in ("change_tier", "suspend", "readmit"):
            place = reverse(f"admin:memory_user_{act}", args=[someone.pk])
            assert client.post(place, {"tier": "research"}).status_code == 403, (someone, act)
    form = {"username": "boss", "email": "", "is_superuser": "on", "is_staff": "on"}
    place = reverse("admin:memory_user_change", args=[boss.pk])
    assert client.post(place, form).status_code == 403
    for someone in (boss, other, owner):
        link = reverse("admin:memory_user_send_link", args=[someone.pk])
        assert client.post(link).status_code == (403 if someone.is_staff else 302)
    place = reverse("admin:memory_user_change", args=[owner.pk])
    assert client.post(place, form | {"username": "owner"}).status_code == 302
    owner.refresh_from_db()
    assert (owner.is_superuser, owner.is_staff) == (False, False)


def test_only_a_superuser_gives_roles_and_rights(at_admin: Client, owner: User) -> None:
    ensure_roles()
    role = Group.objects.get(name="Retention")
    right = Permission.objects.get(codename="view_auditevent")
    place = reverse("admin:memory_user_change", args=[owner.pk])
    given = {"groups": [role.pk], "user_permissions": [right.pk], "is_staff": "on"}
    clerk = granted("view_user", "change_user")
    assert 'name="groups"' not in clerk.get(place).content.decode()
    clerk.post(place, {"username": "owner"} | given)
    assert not owner.groups.exists()
    page = at_admin.get(place).content.decode()
    assert "Retention" in page
    assert "Can add permission" not in page
    assert at_admin.post(place, {"username": "owner"} | given).status_code == 302
    owner = User.objects.get(pk=owner.pk)
    assert owner.is_staff
    assert owner.has_perms(["memory.add_legalhold", "memory.view_auditevent"])
    assert not owner.has_perm("memory.delete_user")


@pytest.mark.parametrize("name", list(ROLES))
def test_each_role_sees_its_pages_and_no_others(name: str) -> None:
    ensure_roles()
    ensure_roles()
    clerk = person("clerk", is_staff=True)
    clerk.groups.add(Group.objects.get(name=name))
    assert clerk.get_all_permissions() == set(ROLES[name].split())
    client = Client()
    client.force_login(clerk)
    shown = words(client.get(reverse("admin:index")))
    assert "has no rights yet" not in shown
    seen = {right for right in ROLES[name].split() if ".view_" in right}
    for right in list_effective_rights():
        app, _dot, model = right.replace("view_", "").partition(".")
        if ".view_" in right:
            listed = client.get(reverse(f"admin:{app}_{model}_changelist"))
            assert listed.status_code == (200 if right in seen else 403), right


def test_nothing_is_done_by_a_link_alone(at_admin: Client, boss: User, owner: User) -> None:
    hold = holds.place(session_of(owner), reason="A case", author=boss)
    run = preview(proposed("research", lifetime=86_400), author=boss).run
    for name, pk in (
        ("memory_legalhold_release", hold.pk),
        ("memory_user_suspend", owner.pk),
        ("memory_user_send_link", owner.pk),
        ("memory_user_readmit", owner.pk),
        ("memory_retentionrun_confirm", run.pk),
        ("memory_retentionrun_again", run.pk),
        ("memory_retentionrun_stop", run.pk),
    ):
        assert at_admin.get(reverse(f"admin:{name}", args=[pk])).status_code in (200, 403)
    owner.refresh_from_db()
    assert owner.is_active
    assert LegalHold.objects.active().count() == 1
    assert RetentionPolicy.objects.count() == 0
