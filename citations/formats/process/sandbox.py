"""The sandbox of a parser's process, enforced by the kernel where possible: no network, no files.

Landlock allows reading only Python and its libraries, and no writing or executing. Seccomp blocks
the system calls of networks, other processes and other programs. Both need no rights and can't be
undone. Where the kernel lacks one of them, the other and the limits remain.
"""

import ctypes
import os
import platform
import struct
import sys
from collections.abc import Iterable

NO_NEW_PRIVILEGES, SET_SECCOMP, FILTER = 38, 22, 2  # of prctl
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the same on every machine
ASK_VERSION, BENEATH = 1, 1
# All of Landlock's first version: execute, write, read files and folders, remove, make. Truncation
# came with its third.
EVERY_ACCESS = (1 << 13) - 1
TRUNCATE, TRUNCATE_SINCE = 1 << 14, 3
READ = 1 << 2 | 1 << 3
# Folders that Python may still load from: its own, and those of the system's libraries.
SYSTEM = ("/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib", "/lib64", "/etc/ld.so.cache")
SHARED = ("/usr/share/fonts", "/usr/local/share/fonts", "/usr/share/zoneinfo", "/etc/localtime")
DEVICES = ("/dev/null", "/dev/urandom")
OURS = ("citations", "memory")

# By machine: its number for seccomp, the numbers of the blocked calls, and that of prlimit64.
# In turn: sockets (socket, socketpair, bind, listen, accept, accept4, connect, sendto, sendmsg,
# sendmmsg), programs (execve, execveat), other processes (ptrace, process_vm_readv,
# process_vm_writev, kill, tkill, tgkill, rt_sigqueueinfo, rt_tgsigqueueinfo, pidfd_send_signal,
# pidfd_getfd), ways around (io_uring_setup, io_uring_enter, bpf, mount, unshare, setns,
# userfaultfd, perf_event_open, add_key, request_key, keyctl), and file calls outside Landlock
# (truncate; chmod, chown, utime and variants; setxattr, removexattr and variants).
CALLS: dict[str, tuple[int, tuple[int, ...], int]] = {
    "x86_64": (
        0xC000003E,
        (
            *(41, 53, 49, 50, 43, 288, 42, 44, 46, 307, 59, 322),
            *(101, 310, 311, 62, 200, 234, 129, 297, 424, 438),
            *(425, 426, 321, 165, 272, 308, 323, 298, 248, 249, 250),
            *(76, 90, 91, 268, 452, 92, 93, 94, 260, 132, 235, 261, 280),
            *(188, 189, 190, 463, 197, 198, 199, 466),
        ),
        302,
    ),
    "aarch64": (
        0xC00000B7,
        (
            *(198, 199, 200, 201, 202, 242, 203, 206, 211, 269, 221, 281),
            *(117, 270, 271, 129, 130, 131, 138, 240, 424, 438),
            *(425, 426, 280, 40, 97, 268, 282, 241, 217, 218, 219),
            *(45, 52, 53, 452, 54, 55, 88),
            *(5, 6, 7, 463, 14, 15, 16, 466),
        ),
        261,
    ),
}
X32_CALLS = 0x40000000
LOAD, EQUAL, AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
ALLOWED, REFUSED = 0x7FFF0000, 0x00050001  # with EPERM
FIRST_ARGUMENT = 16  # the lower half of a call's argument, in a filter's view

_libc = ctypes.CDLL(None, use_errno=True)


def apply_sandbox(path: Iterable[str]) -> list[str]:
    """Block network, programs and all files but code for this process; return the restrictions."""
    zero = _long(0)
    if sys.platform != "linux" or _libc.prctl(NO_NEW_PRIVILEGES, _long(1), zero, zero, zero):
        return []
    held = {"landlock": _restrict_files(_list_readable_folders(path)), "seccomp": _restrict_calls()}
    return [name for name, is_held in held.items() if is_held]


def get_landlock_version() -> int:
    """Return the version of the kernel's Landlock, or 0 if there is none."""
    if sys.platform != "linux":
        return 0
    version = _libc.syscall(_long(CREATE_RULESET), None, ctypes.c_size_t(0), _long(ASK_VERSION))
    return max(int(version), 0)


def _list_readable_folders(path: Iterable[str]) -> Iterable[str]:
    """Yield the folders of Python's path; of the product's own folder, only its code."""
    yield from (sys.base_prefix, *SYSTEM, *SHARED, *DEVICES)
    for folder in path:
        parts = [os.path.join(folder, name) for name in OURS]
        yield from parts if os.path.isdir(parts[0]) else [folder]


def _restrict_files(readable: Iterable[str]) -> bool:
    if not get_landlock_version():
        return False
    cut_short = TRUNCATE if get_landlock_version() >= TRUNCATE_SINCE else 0
    handled = struct.pack("Q", EVERY_ACCESS | cut_short)
    rules = _libc.syscall(
        _long(CREATE_RULESET), handled, ctypes.c_size_t(len(handled)), ctypes.c_uint32(0)
    )
    if rules < 0:
        return False
    for place in readable:
        _allow_reading(rules, place)
    is_held = _libc.syscall(_long(RESTRICT_SELF), ctypes.c_int(rules), ctypes.c_uint32(0)) == 0
    os.close(rules)
    return is_held


def _allow_reading(rules: int, place: str) -> None:
    try:
        beneath = os.open(place, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    access = READ if os.path.isdir(place) else 1 << 2
    rule = struct.pack("=Qi", access, beneath)
    _libc.syscall(
        _long(ADD_RULE), ctypes.c_int(rules), ctypes.c_int(BENEATH), rule, ctypes.c_uint32(0)
    )
    os.close(beneath)


def _restrict_calls() -> bool:
    if platform.machine() not in CALLS:
        return False
    machine, calls, limit = CALLS[platform.machine()]
    # Load the machine and refuse any other; load the call and compare it with each. Limits may be
    # set only for the process itself, which the first argument shows.
    refuse = len(calls) + 8
    program = [(LOAD, 0, 0, 4), (EQUAL, 0, refuse - 2, machine), (LOAD, 0, 0, 0)]
    program += [(AT_LEAST, refuse - 4, 0, X32_CALLS)]
    program += [(EQUAL, refuse - 5 - n, 0, call) for n, call in enumerate(calls)]
    program += [(EQUAL, 0, 2, limit), (LOAD, 0, 0, FIRST_ARGUMENT), (EQUAL, 0, 1, 0)]
    program += [(RETURN, 0, 0, ALLOWED), (RETURN, 0, 0, REFUSED)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in program))
    described = struct.pack("HxxxxxxP", len(program), ctypes.addressof(code))
    return bool(_libc.prctl(SET_SECCOMP, _long(FILTER), described, _long(0), _long(0)) == 0)


def _long(number: int) -> ctypes.c_long:
    return ctypes.c_long(number)
