"""A parser's process can neither read anyone's files, nor reach anyone, nor run anything."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from citations.checks import reading_is_confined
from citations.formats.process import sandbox
from citations.readers.apart import OPTIONS
from tests.surroundings import ROOT

pytestmark = [
    pytest.mark.skipif(not sandbox.get_landlock_version(), reason="the kernel has no Landlock"),
]
TRIES = """
import ctypes, json, os, resource, signal, socket, sys
sys.path[:] = json.loads(sys.argv[1])
from citations.formats.process import child
child.confine(memory=1 << 30, seconds=20)

def of(act):
    try:
        act()
    except OSError as error:
        return type(error).__name__
    return "done"

libc = ctypes.CDLL(None, use_errno=True)
TGKILL = {"x86_64": 234, "aarch64": 131}[os.uname().machine]

def call(number, *numbers):
    if libc.syscall(*(ctypes.c_long(each) for each in (number, *numbers))) < 0:
        raise OSError(ctypes.get_errno(), "refused")

secret = sys.argv[2]
found = {
    "read": of(lambda: open(secret).read()),
    "list": of(lambda: os.listdir(os.path.dirname(secret))),
    "environment of others": of(lambda: open(f"/proc/{os.getppid()}/environ", "rb").read()),
    "write": of(lambda: open(secret + ".new", "w")),
    "remove": of(lambda: os.remove(secret)),
    "rename": of(lambda: os.rename(secret, secret + ".old")),
    "cut short": of(lambda: os.truncate(secret, 0)),
    "cut short while opening": of(lambda: os.open(secret, os.O_RDONLY | os.O_TRUNC)),
    "rights": of(lambda: os.chmod(secret, 0o666)),
    "owner": of(lambda: os.chown(secret, os.getuid(), os.getgid())),
    "time": of(lambda: os.utime(secret, (0, 0))),
    "attribute": of(lambda: os.setxattr(secret, "user.one", b"1")),
    "attribute removed": of(lambda: os.removexattr(secret, "user.one")),
    "TCP": of(lambda: socket.create_connection(("127.0.0.1", int(sys.argv[3])), timeout=2)),
    "UDP": of(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM)),
    "unix": of(lambda: socket.socket(socket.AF_UNIX)),
    "run": of(lambda: os.execv("/bin/true", ["true"])),
    "kill": of(lambda: os.kill(os.getppid(), 0)),
    "kill a thread": of(lambda: call(TGKILL, os.getppid(), os.getppid(), 0)),
    "limit others": of(lambda: resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE)),
    "own limits": of(lambda: resource.getrlimit(resource.RLIMIT_NOFILE)),
    "import": of(lambda: __import__("decimal") and __import__("lxml.html")),
    "own code": of(lambda: __import__("citations.formats.html.markdown")),
}
print(json.dumps(found))
"""


def tried(secret: Path) -> dict[str, str]:
    path = json.dumps([os.path.abspath(folder) for folder in sys.path])
    done = subprocess.run(
        [sys.executable, *OPTIONS, "-c", TRIES, path, str(secret), "9"],
        capture_output=True,
        text=True,
        check=True,
        cwd="/",
    )
    found: dict[str, str] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("inside", [False, True], ids=["elsewhere", "in the product's folder"])
def test_nothing_but_code_is_within_reach(tmp_path: Path, inside: bool) -> None:
    folder = ROOT / "var" if inside else tmp_path
    folder.mkdir(exist_ok=True)
    secret = folder / f"secret-{os.getpid()}"
    secret.write_text("a key")
    try:
        found = tried(secret)
        assert {found.pop(own) for own in ("import", "own code", "own limits")} == {"done"}
        assert set(found.values()) == {"PermissionError"}, found
        assert secret.read_text() == "a key"
    finally:
        secret.unlink()


def test_a_kernel_without_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert reading_is_confined(None) == []
    monkeypatch.setattr(sandbox, "get_landlock_version", lambda: 0)
    assert [warning.id for warning in reading_is_confined(None)] == ["throughline.W014"]
