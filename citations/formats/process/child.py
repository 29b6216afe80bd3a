"""The child process in which a file is parsed; citations.readers.apart starts and ends it.

It gets the file on standard input and answers in lines of JSON: its progress, and last the reading
or the failure. The file's name and words are in no argument, no environment and no log.
"""

import ctypes
import importlib
import json
import os
import resource
import signal
import sys
from contextlib import suppress
from functools import partial
from typing import Any

from citations.formats.process.sandbox import apply_sandbox
from citations.formats.reading import BadFile, ReadingLimits, glance

DEATH_OF_PARENT = 1  # PR_SET_PDEATHSIG


def main(order: dict[str, Any]) -> None:
    """Carry out the order: the `stage` of the `format`, within the limits."""
    fmt = importlib.import_module(f"citations.formats.{order['format']}")
    confine(memory=order["memory"], seconds=order["seconds"])
    data, limits = sys.stdin.buffer.read(), ReadingLimits(**order["limits"])
    try:
        stage = getattr(fmt, order["stage"], None) or partial(glance, fmt.read)
        tell({"reading": stage(data, limits, tell_progress).packed()})
    except BadFile as refusal:
        tell({"refused": refusal.code})
    except (MemoryError, RecursionError):
        tell({"refused": "too_complex"})
    os._exit(0)  # skip deallocation of the parsed objects


def confine(*, memory: int, seconds: int) -> None:
    """Restrict this process to the needs of parsing, and bound them."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(DEATH_OF_PARENT, signal.SIGKILL)
    bounds = {
        resource.RLIMIT_AS: memory,
        resource.RLIMIT_CPU: seconds,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NOFILE: 16,
        resource.RLIMIT_NPROC: 0,
    }
    for name, bound in bounds.items():
        with suppress(ValueError, OSError):  # not every system has every limit
            resource.setrlimit(name, (bound, bound))
    apply_sandbox(sys.path)


def tell_progress(done: int, total: int) -> None:
    tell({"done": done, "total": total})


def tell(answer: dict[str, Any]) -> None:
    sys.stdout.buffer.write(json.dumps(answer, ensure_ascii=False).encode() + b"\n")
    sys.stdout.buffer.flush()
