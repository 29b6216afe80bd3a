"""Search for many short texts in large data, in every encoding that they may have there.

Each text is searched raw, in UTF-16, in base64 at its three alignments, and in unpacked gzip and
zlib streams. Stored bytes are searched raw, in hexadecimal and in base64. All forms have at least
eight bytes, so one pass over the data's eight-byte windows finds the candidates.
"""

import re
import zlib
from base64 import b64encode
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

WINDOW = 8
PACKED = re.compile(rb"\x1f\x8b\x08|\x78[\x01\x5e\x9c\xda]")
MOST_UNPACKED = 4_000_000  # bytes of one stream
STEP = 512
Form = tuple[int, bytes]  # the number of a text, and one of its forms


@dataclass
class Needles:
    """The texts, followed by the stored bytes, searched by their numbers."""

    texts: list[str]
    stored: list[bytes] = field(default_factory=list)
    _forms: dict[int, list[Form]] = field(default_factory=lambda: defaultdict(list))
    _keys: NDArray[np.uint64] = field(default_factory=lambda: np.zeros(0, np.uint64))
    _low: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(65_536, np.bool_))

    def __post_init__(self) -> None:
        forms = [form for n, text in enumerate(self.texts) for form in _encode(n, text)]
        for number, data in enumerate(self.stored, start=len(self.texts)):
            forms += [
                (number, way) for way in (data, data.hex().encode(), *_encode_base64_forms(data))
            ]
        for number, form in forms:
            self._forms[_compute_window_key(form)].append((number, form))
        self._keys = np.array(sorted(self._forms), dtype=np.uint64)
        self._low[(self._keys & np.uint64(0xFFFF)).astype(np.intp)] = True

    def found_in(self, data: bytes) -> set[int]:
        """Return the numbers of the needles in the data, in any form, packed or not."""
        found = self._found_plainly(data)
        for unpacked in _unpack_streams(data):
            found |= self._found_plainly(unpacked)
        return found

    def _found_plainly(self, data: bytes) -> set[int]:
        return {
            number
            for at in self._candidates(data)
            for number, form in self._forms.get(_compute_window_key(data[at : at + WINDOW]), ())
            if data.startswith(form, at)
        }

    def _candidates(self, data: bytes) -> Iterator[int]:
        """Yield the positions of eight bytes with which one of the forms begins."""
        if not len(self._keys):
            return
        for shift in range(min(WINDOW, max(0, len(data) - WINDOW + 1))):
            count = (len(data) - shift) // WINDOW
            windows = np.frombuffer(data, dtype="<u8", count=count, offset=shift)
            likely = np.flatnonzero(self._low[(windows & np.uint64(0xFFFF)).astype(np.intp)])
            sure = likely[np.isin(windows[likely], self._keys)]
            yield from (int(place) * WINDOW + shift for place in sure)


def _compute_window_key(data: bytes) -> int:
    return int.from_bytes(data[:WINDOW], "little")


def _encode(number: int, text: str) -> Iterator[Form]:
    plain = text.encode()
    encodings = [
        plain,
        text.encode("utf-16-le"),
        text.encode("utf-16-be"),
        *_encode_base64_forms(plain),
    ]
    if (escaped := text.encode("ascii", "backslashreplace")) != plain:
        encodings.append(escaped)
    yield from ((number, data) for data in encodings if len(data) >= WINDOW)


def _encode_base64_forms(plain: bytes) -> Iterator[bytes]:
    """Yield the base64 of the text at each alignment, without its ragged edges."""
    for before in range(3):
        written = b64encode(bytes(before) + plain)
        first = (0, 2, 3)[before]
        last = (before + len(plain)) * 8 // 6
        yield written[first:last]


def _unpack_streams(data: bytes) -> Iterator[bytes]:
    """Yield the unpacked streams of gzip and zlib in the data, as far as they can be read."""
    for match in PACKED.finditer(data):
        unfolding = zlib.decompressobj(zlib.MAX_WBITS | 32)
        unfolded, at = bytearray(), match.start()
        try:
            while not unfolding.eof and at < len(data) and len(unfolded) < MOST_UNPACKED:
                unfolded += unfolding.decompress(data[at : at + STEP])
                at += STEP
        except zlib.error:
            pass
        if len(unfolded) >= WINDOW:
            yield bytes(unfolded)
