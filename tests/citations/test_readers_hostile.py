"""Hostile files: each is refused with a code and words, soon, and hurts nobody."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from threading import BoundedSemaphore, Event, Thread

import psutil
import pytest
from django.db import connection

from chat.shapes.statuses import find_status
from citations.formats.kinds import MARKDOWN, PLAIN, RST
from citations.formats.reading import BadFile, ReadingLimits
from citations.ingestion.adding import add_document
from citations.models import Document
from citations.readers import SMALL, Unreadable, apart, file_failures, inspect_file, read_file
from memory.models import AuditEvent, Job
from memory.text.words import find_sentences
from tests.citations import files
from tests.citations.hostile import FILES, SLOW, Hostile
from tests.effort import computed_within, is_within
from tests.surroundings import PATIENCE, ROOT

SECONDS = 8.0  # of computing, children's included
MEGABYTES = 200


@contextmanager
def bounded() -> Iterator[None]:
    """Fail if it computes for too long, or if this process grows meanwhile."""
    process, over = psutil.Process(), Event()
    before, begun = process.memory_info().rss, computed()
    grown = [0]

    def watch() -> None:
        while not over.wait(0.02):
            grown.append(process.memory_info().rss - before)

    thread = Thread(target=watch)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
    assert is_within(SECONDS, computed() - begun)
    assert max(grown) < MEGABYTES * 1_000_000


def computed() -> float:
    """Return the processor time of this process and of its ended children, in seconds."""
    return sum(os.times()[:4])


@pytest.mark.parametrize("hostile", FILES.values(), ids=FILES)
def test_p44_a_hostile_file_is_refused_soon_and_in_words(hostile: Hostile):
    data = hostile.make()
    with bounded():
        refusal = outcome(data, hostile.name)
    assert (refusal.code if refusal else "read") in hostile.codes
    if refusal is not None:
        assert refusal.code in file_failures.MESSAGES
        assert "%" not in refusal.message
        assert hostile.name not in refusal.message


def outcome(data: bytes, name: str) -> Unreadable | None:
    try:
        read_file(data, inspect_file(data, name).media_type)
    except Unreadable as refusal:
        return refusal
    return None


@pytest.mark.django_db
@pytest.mark.parametrize(
    "name", ["truncated_pdf", "docx_of_a_billion_laughs", "archive_called_pdf"]
)
def test_a_refused_file_leaves_nothing(name, owner):
    for person in (None, owner):
        with pytest.raises(Unreadable):
            add_document(FILES[name].make(), file_name=FILES[name].name, owner=person)
    assert not Document.objects.exists()
    assert not Job.objects.exists()
    assert not AuditEvent.objects.filter(action__startswith="document").exists()


@pytest.mark.parametrize(
    "text",
    [
        "[" * 30_000,
        "![" * 15_000,
        ">" * 30_000,
        "|a" * 3000 + "|\n" + "|-" * 3000 + "|\n" + "|\n" * 6000,
        "- " * 15_000,
        "a" + " " * 1_000_000 + "b",
        "\n \t" * 300_000 + "a",
    ],
    ids=["brackets", "pictures", "quotes", "table", "lists", "spaces", "lines"],
)
def test_text_made_to_be_slow_is_read_or_refused_soon(text):
    for kind in (MARKDOWN, PLAIN, RST):
        for begin in (text, text[: SMALL.get(kind, SMALL[MARKDOWN])]):
            with bounded():
                assert refusal_of(begin.encode(), kind) in ("", "empty", "too_complex")


@pytest.mark.parametrize("name", SLOW)
def test_bytes_made_to_be_slow_are_told_and_read_soon(name):
    data, media_type = SLOW[name]
    # In a process of its own, because one expression can't be ended from without.
    code = "import sys; from citations.formats.kinds import detect_kind\n"
    code += "from citations.formats.plain.encodings import decode_text\n"
    code += "from citations.formats.cleaning import clean\n"
    code += "data = sys.stdin.buffer.read(); clean(decode_text(data)); print(detect_kind(data, ''))"
    with bounded():
        told = subprocess.run(
            [sys.executable, "-c", code],
            input=data,
            capture_output=True,
            cwd=ROOT,
            timeout=PATIENCE,
        )
    assert told.stdout.decode().strip() == media_type


def refusal_of(data: bytes, kind: str) -> str:
    try:
        inspect_file(data, "", media_type=kind)
        read_file(data, kind)
    except Unreadable as refusal:
        return refusal.code
    return ""


@pytest.mark.parametrize("text", ["A. " * 300_000, "." * 900_000, "a" * 900_000, "a.\n" * 300_000])
def test_text_made_to_be_slow_is_cut_into_sentences_soon(text):
    with bounded():
        assert find_sentences(text)


# --- The child ---------------------------------------------------------------------------------

HANG = "import time\ndef inspect(*_): time.sleep(600)\nread = inspect\n"
SPIN = "def inspect(*_):\n    while True: pass\n"
EAT = "def inspect(*_): return [bytearray(10**7) for _ in range(10**6)]\n"
CRASH = "import os\ndef inspect(*_): os.abort()\n"
FLOOD = "import sys\ndef inspect(*_):\n    while True: sys.stdout.write('x' * 10**6)\n"
RAISE = "def inspect(*_): raise KeyError('a secret')\n"
WRITE = "def inspect(*_): open('/tmp/throughline-child', 'w').write('x')\n"
LOOK = """
import os, sys
from citations.formats.reading import FileReading
def inspect(*_):
    said = [*sys.argv, *os.environ, *os.environ.values()]
    return FileReading(title=' '.join(said), authors=[m for m in sys.modules if 'django' in m])
"""


@pytest.fixture
def act(tmp_path, monkeypatch):
    """Have code of the test run in the child, in the place of a format."""
    bounds = apart.ChildBounds(memory=1 << 29, seconds=1, patience=PATIENCE, answer=1 << 20)
    monkeypatch.setitem(apart.BOUNDS, "inspect", bounds)
    # The child gets the path that is ours, so the folder stands in for citations.formats.x.
    package = tmp_path / "citations" / "formats"
    package.mkdir(parents=True)
    for name in ("citations", "citations/formats"):
        (tmp_path / name / "__init__.py").write_text(f"__path__ += [{str(ROOT / name)!r}]\n")
    monkeypatch.syspath_prepend(tmp_path)

    def run(code: str, data: bytes = b"data"):
        (package / "x.py").write_text(code)
        return apart.run_apart("inspect", "x", data, ReadingLimits(pages=1), apart.ignore_progress)

    return run


@pytest.mark.parametrize(
    ("code", "refusal"),
    [
        (HANG, "too_complex"),
        (SPIN, "too_complex"),
        (EAT, "too_complex"),
        (CRASH, "too_complex"),
        (FLOOD, "too_complex"),
        (RAISE, "broken"),
        (WRITE, "broken|too_complex"),
    ],
    ids=["hangs", "spins", "eats", "crashes", "floods", "raises", "writes"],
)
def test_a_parser_that_goes_wrong_is_ended_and_leaves_no_process(act, code, refusal, monkeypatch):
    if code == HANG:
        monkeypatch.setitem(apart.BOUNDS, "inspect", replace(apart.BOUNDS["inspect"], patience=2))
    before = set(psutil.Process().children(recursive=True))
    with bounded(), pytest.raises(BadFile, match=refusal):
        act(code, b"data" * 1_000_000)
    assert set(psutil.Process().children(recursive=True)) <= before


def test_the_child_knows_neither_our_environment_nor_django_nor_the_file_s_name(act, monkeypatch):
    monkeypatch.setenv("MASTER_KEY", "canary-key")
    reading = act(LOOK)
    assert "canary-key" not in reading.title
    assert "SETTINGS" not in reading.title
    assert reading.authors == []


LONG = """
import time
from citations.formats.reading import FileReading
def inspect(*_):
    return FileReading(title='x' * 30_000_000)
"""
SLOWLY = """
import sys, time
def inspect(*_):
    for _ in range(40):
        sys.stdout.write('x' * 10_000); sys.stdout.flush(); time.sleep(0.05)
"""


def test_one_long_line_is_put_together_in_little_time(act, monkeypatch):
    bounds = apart.ChildBounds(memory=1 << 29, seconds=20, patience=PATIENCE, answer=100 << 20)
    monkeypatch.setitem(apart.BOUNDS, "inspect", bounds)
    told = computed_within(2, lambda: act(LONG), time.process_time)
    assert len(told.title) == 30_000_000


def test_a_lease_is_held_while_one_line_goes_on_and_on(act, monkeypatch):
    told = []
    monkeypatch.setattr(apart, "TICK", 0.2)
    monkeypatch.setattr(apart, "ignore_progress", lambda *so_far: told.append(so_far))
    monkeypatch.setitem(
        apart.BOUNDS,
        "inspect",
        apart.ChildBounds(memory=1 << 29, seconds=9, patience=PATIENCE, answer=1 << 20),
    )
    with pytest.raises(BadFile, match="broken"):
        act(SLOWLY)
    assert len(told) >= 5


@pytest.fixture
def no_place(monkeypatch):
    """Have every place be taken."""
    places = BoundedSemaphore(1)
    places.acquire()
    monkeypatch.setattr(apart, "_places", places)
    monkeypatch.setattr(apart, "TICK", 0.1)
    return places


@pytest.mark.django_db(transaction=True)
def test_who_waits_for_a_place_holds_no_connection_and_is_told_that_it_is_busy(
    no_place, monkeypatch
):
    monkeypatch.setitem(apart.BOUNDS, "inspect", replace(apart.BOUNDS["inspect"], queue=0.3))
    Document.objects.exists()
    held = []
    acquire = no_place.acquire

    def waited(**timeout: float) -> bool:
        held.append(connection.connection)
        return acquire(**timeout)

    monkeypatch.setattr(no_place, "acquire", waited)
    with pytest.raises(Unreadable) as refusal:
        add_document(files.pdf(["One."]), file_name="a.pdf")
    assert (refusal.value.code, find_status(refusal.value)) == ("busy", 503)
    assert "Try again" in refusal.value.message
    assert held
    if connection.vendor != "sqlite":  # which keeps a database in memory open
        assert set(held) == {None}
    assert not Document.objects.exists()


def test_a_job_waits_for_its_place_and_holds_its_lease(no_place):
    told = []

    def progress(*so_far: int) -> None:
        told.append(so_far)
        if len(told) == 3:
            no_place.release()

    reading = apart.run_apart("read", "pdf", files.pdf(["One."]), ReadingLimits(pages=1), progress)
    assert reading.sections[0].text == "One."
    assert told[:3] == [(0, 0)] * 3


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of its parent's end")
def test_the_child_ends_with_its_parent(act, tmp_path):
    (tmp_path / "citations" / "formats" / "x.py").write_text(HANG)
    code = "import sys\nfrom citations.readers import apart\n"
    code += "from citations.formats.reading import ReadingLimits\n"
    code += "apart.run_apart('inspect', 'x', b'data', ReadingLimits(pages=1))"
    path = f"{tmp_path}{os.pathsep}{ROOT}"  # and a folder of its own, because '' comes first
    parent = subprocess.Popen(
        [sys.executable, "-c", "import django; django.setup()\n" + code],
        env=os.environ | {"PYTHONPATH": path},
        cwd=tmp_path,
    )
    child = wait_for_child(parent.pid)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    child.wait(timeout=PATIENCE)


def wait_for_child(pid: int) -> psutil.Process:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        for child in psutil.Process(pid).children():
            # It has confined itself, and before that said that it follows its parent.
            if child.rlimit(psutil.RLIMIT_FSIZE) == (0, 0):
                return child
        time.sleep(0.05)
    raise AssertionError("no child was started")
