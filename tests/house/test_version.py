"""One version, and a changelog whose newest entry is of it."""

import re
from pathlib import Path

from django.conf import settings
from django.test import Client

from config.version import __version__
from memory.models import User

ROOT = Path(__file__).parents[2]
RELEASE = re.compile(r"^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)$", re.MULTILINE)


def test_the_newest_entry_of_the_changelog_is_of_this_version() -> None:
    releases = RELEASE.findall((ROOT / "CHANGELOG.md").read_text())
    assert releases[0][0] == __version__
    assert releases == sorted(
        releases, key=lambda each: [int(part) for part in each[0].split(".")], reverse=True
    )
    assert len({version for version, _ in releases}) == len(releases)


def test_nothing_else_says_the_version() -> None:
    said = re.compile(rf"[\"']{re.escape(__version__)}[\"']")
    files = [
        path
        for app in ("config", "memory", "citations", "chat")
        for path in (ROOT / app).rglob("*.py")
    ]
    assert [path.name for path in files if said.search(path.read_text())] == ["version.py"]


def test_the_schema_is_of_this_version(owner: User, client: Client) -> None:
    client.force_login(owner)
    assert client.get("/api/schema").json()["info"]["version"] == __version__


def test_the_admin_says_which_version_runs(owner: User, client: Client) -> None:
    owner.is_staff = owner.is_superuser = True
    owner.save()
    client.force_login(owner)
    assert settings.VERSION in client.get("/admin/").content.decode()
