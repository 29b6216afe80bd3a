"""Backups: made under load, opened by their key alone, and put back without what was erased."""

import json
import shutil
import threading
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from django.conf import LazySettings
from django.core.management import CommandError, call_command

from chat.installation.backups import making, sealed_files
from chat.installation.backups.sealed_files import BackupError, Head, read_pieces, written
from memory.models import User
from tests.servers import URLS, Web
from tests.surroundings import PROGRAMS, wait_until

KEY = urlsafe_b64encode(b"k" * 32).decode()
Said = dict[str, list[str]]
HEAD = Head("content", "sqlite", "1", "2026-01-01", "00" * 16)
# The text of each conversation, opened with the keys.
SAID = """
import json
from memory.models import Session
print(json.dumps({
    str(session.pk): [session.title] + [
        turn.query + turn.response
        for turn in session.turns.order_by("position") if turn.status == "complete"
    ]
    for session in Session.objects.all()
}))
"""


# --- The drill ------------------------------------------------------------------------------------


def test_what_is_backed_up_under_load_is_read_elsewhere_without_what_was_erased(
    start_web: Callable[..., Web], tmp_path: Path
) -> None:
    web = start_web(SECRET_KEY="s" * 50, BACKUP_KEY=KEY)
    web.environment["PATH"] = f"{PROGRAMS}:{web.environment['PATH']}"
    kept, gone, during = (begin(web, title) for title in ("Kept", "Gone", "While it is made"))
    for session in (kept, gone):
        ask(web, session, "What is the Determination Date?")
    with asking_all_the_time(web, during):
        parts = [word for part in making.PARTS for word in ("--part", part)]
        made = web.manage("backup", str(tmp_path), *parts)
    assert made.count("opened and whole") == 3
    files = {path.name.partition("-")[0]: path for path in sorted(tmp_path.rglob("*.backup"))}
    assert set(files) == {"content", "keys", "secrets"}
    assert all(path.stat().st_mode & 0o077 == 0 for path in files.values())
    assert not any(b"Determination" in path.read_bytes() for path in files.values())
    before = said(web)
    assert web.client("owner").delete(f"/api/v1/sessions/{gone}").status_code == 204

    # Content was lost; the keys, with their ledger, were not.
    ledger = elsewhere(web, "ledger", KEYS_DATABASE_URL=keys_of(web))
    shutil.copy(web.data_dir / "master.key", ledger.data_dir)
    assert "have been deleted" in ledger.manage("restore", str(files["content"]))
    now = said(ledger)
    assert gone not in now
    everything_is_read(ledger, kept, during, before, now)

    # All was lost: what is left is the three files and their key.
    whole = elsewhere(web, "whole")
    whole.manage("restore", *map(str, files.values()))
    now = said(whole)
    assert gone in now
    everything_is_read(whole, kept, during, before, now)


# As many events as the worker would have anchored twice.
ACTS = """
from memory import audit
from memory.audit.integrity import keeping
for number in range(200):
    audit.record("test.act", actor=None)
    if number % 100 == 99:
        keeping.extend_and_anchor()
"""
CUT = """
from memory.audit import append_only
from memory.models import AuditAnchor, AuditEvent, AuditLink
last = list(AuditLink.objects.order_by("-number")[:150])
with append_only.deletion_allowed():
    AuditEvent.objects.filter(pk__in=[link.event_id for link in last]).delete()
    AuditLink.objects.filter(number__in=[link.number for link in last]).delete()
AuditAnchor.objects.filter(number__gte=last[-1].number).delete()
"""


def test_a_restore_states_what_of_the_audit_log_it_gives_up(
    start_web: Callable[..., Web], tmp_path: Path
) -> None:
    web = start_web(SECRET_KEY="s" * 50, BACKUP_KEY=KEY)
    web.stop()
    web.environment["PATH"] = f"{PROGRAMS}:{web.environment['PATH']}"
    web.python(ACTS)
    web.manage("backup", str(tmp_path), "--part", "content")
    (content,) = tmp_path.glob("content-*")
    web.python(ACTS)
    assert "given up" not in web.manage("audit", "verify")
    web.manage("restore", "--over", str(content))
    made_at = sealed_files.read_head(content).made_at
    for _time in range(2):
        said = web.manage("audit", "verify")
        assert f"from the backup of {made_at}" in said
        assert "2 anchors: given up by the restore of" in said
        assert "nothing was changed" in said
        web.python(ACTS)
    web.python(CUT)
    with pytest.raises(AssertionError, match="are missing, up to"):
        web.manage("audit", "verify")


def everything_is_read(web: Web, kept: str, during: str, before: Said, now: Said) -> None:
    assert now[kept] == before[kept]
    assert "fifteenth day" in now[kept][1]
    assert before[during][: len(now[during])] == now[during], "as far as it had come"
    try:
        web.start()
        turns = web.client("owner").get(f"/api/v1/sessions/{kept}/history").json()["turns"]
        assert "fifteenth day" in turns[0]["response"]
        assert ask(web, kept, "And what happens if it falls on a weekend?").status_code == 201
    finally:
        web.stop()


def said(web: Web) -> Said:
    """Return what each conversation says, by its id: its title, then its turns."""
    found: Said = json.loads(web.python(SAID).splitlines()[-1])
    return found


def begin(web: Web, title: str) -> str:
    answer = web.client("owner").post("/api/v1/sessions", json={"title": title})
    return str(answer.json()["session_id"])


def ask(web: Web, session: str, query: str):
    return web.client("owner").post(f"/api/v1/sessions/{session}/turns", json={"query": query})


@contextmanager
def asking_all_the_time(web: Web, session: str) -> Iterator[None]:
    """Let someone ask one question after the other meanwhile; none of them may fail."""
    is_over, statuses = threading.Event(), list[int]()

    def go_on() -> None:
        while not is_over.wait(0.05):  # one who types, not one who takes the processor
            statuses.append(ask(web, session, "Hello!").status_code)

    someone = threading.Thread(target=go_on)
    someone.start()
    try:
        wait_until(lambda: statuses, what="a first answer")
        yield
    finally:
        is_over.set()
        someone.join()
    assert len(statuses) > 3
    assert set(statuses) == {201}


def elsewhere(web: Web, name: str, **environment: str) -> Web:
    """Return an empty installation on the same engine, with the same people's tokens."""
    folder = web.data_dir.parent / f"{web.data_dir.name}-{name}"
    folder.mkdir(mode=0o700)
    urls = {
        variable: empty_database(web.environment[variable], name)
        for variable in URLS
        if variable in web.environment and variable not in environment
    }
    own = {name: web.environment[name] for name in ("SECRET_KEY", "BACKUP_KEY", "PATH")}
    return Web(folder, web.tokens, **own | urls | environment)


def keys_of(web: Web) -> str:
    return web.environment.get("KEYS_DATABASE_URL") or f"sqlite:///{web.data_dir}/keys.sqlite3"


def empty_database(url: str, name: str) -> str:
    known = urlsplit(url)
    made = f"{known.path[1:]}_{name}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{made}" TEMPLATE template0')
    return known._replace(path=f"/{made}").geturl()


# --- The file -------------------------------------------------------------------------------------


@pytest.fixture
def small_pieces(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.BACKUP_KEY = KEY
    monkeypatch.setattr(sealed_files, "PIECE", 16)


def sealed(folder: Path, content: bytes) -> Path:
    path = folder / "a.backup"
    with written(path, HEAD) as take:
        for byte in content:
            take(bytes([byte]))
    return path


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("length", [0, 1, 15, 16, 17, 32, 100])
def test_what_was_written_is_read_again(tmp_path: Path, length: int) -> None:
    content = bytes(range(length))
    path = sealed(tmp_path, content)
    assert b"".join(read_pieces(path)) == content
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.usefixtures("small_pieces")
def test_a_file_that_was_cut_changed_or_put_together_anew_is_refused(tmp_path: Path) -> None:
    path = sealed(tmp_path, bytes(range(64)))
    whole = path.read_bytes()
    start = whole.index(b"}\n") + 2
    pieces = [whole[at : at + 32] for at in range(start, len(whole), 32)]
    assert len(pieces) == 4
    spoilt = [whole[:end] for end in range(start, len(whole))]
    spoilt += [whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :] for at in range(len(whole))]
    spoilt += [whole[:start] + b"".join(pieces[number] for number in order) for order in ORDERS]
    spoilt += [whole + b"\0", whole + pieces[-1], whole.replace(b'"content"', b'"keys"')]
    for content in spoilt:
        path.write_bytes(content)
        with pytest.raises(BackupError):
            list(read_pieces(path))


ORDERS = [(0, 1, 3), (1, 0, 2, 3), (0, 1, 2, 2, 3), (3,), (0, 2, 1, 3), (0, 1, 2)]


@pytest.mark.usefixtures("small_pieces")
def test_another_key_opens_nothing_and_an_unfinished_file_is_gone(
    tmp_path: Path, settings: LazySettings
) -> None:
    path = sealed(tmp_path, b"content")
    settings.BACKUP_KEY = urlsafe_b64encode(b"o" * 32).decode()
    with pytest.raises(BackupError, match="another BACKUP_KEY"):
        list(read_pieces(path))
    path.unlink()
    with pytest.raises(RuntimeError), written(path, HEAD):
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []


# --- What is refused ------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("key", "says"), [("", "Set BACKUP_KEY"), ("c2hvcnQ=", "5 bytes"), ("ü", "base64")]
)
def test_without_a_key_of_the_operator_nothing_is_written(
    tmp_path: Path, settings: LazySettings, key: str, says: str
) -> None:
    settings.BACKUP_KEY = key
    with pytest.raises(CommandError, match=says):
        call_command("backup", str(tmp_path))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.django_db
@pytest.mark.usefixtures("small_pieces")
def test_a_backup_is_not_made_where_it_would_be_lost_with_the_data(settings: LazySettings) -> None:
    with pytest.raises(CommandError, match="inside DATA_DIR"):
        call_command("backup", str(settings.DATA_DIR / "backups"))


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.django_db
def test_what_is_no_backup_or_of_another_kind_is_refused_before_anything_is_touched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for part in making.PARTS:
        monkeypatch.setattr(making.get_store(part).__class__, "put_back", None)
    strange = tmp_path / "strange.backup"
    strange.write_bytes(b"something else\n")
    no_database = sealed(tmp_path, b"no database")
    for path, says in (
        (strange, "no backup"),
        (tmp_path / "missing", "can't be read"),
        (no_database, "no database|was made on sqlite"),
    ):
        with pytest.raises(CommandError, match=says):
            call_command("restore", "--over", str(path))


@pytest.mark.django_db
def test_nothing_is_put_where_something_is(owner: User) -> None:
    with pytest.raises(BackupError, match="something already: content, keys"):
        making._refuse_to_write_over(["content", "keys"])
