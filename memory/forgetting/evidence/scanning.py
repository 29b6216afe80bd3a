"""Search in every store of the installation for erased text.

A store that can't be read from here is reported as not searched. There are two passes: first the
bytes of all stores (memory.forgetting.evidence.stores), then, for the finds alone, the legitimate
copies elsewhere (memory.forgetting.evidence.known_elsewhere).
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from memory.forgetting.evidence import known_elsewhere
from memory.forgetting.evidence.byte_search import Needles
from memory.forgetting.evidence.sampling import Samples
from memory.forgetting.evidence.stores import list_stores
from memory.jobs import Pulse

MOST_FILES = 20  # that are named


@dataclass
class Store:
    """A searched store: its size, and the number of samples found in it."""

    name: str
    size: int = 0
    found: int = 0
    is_readable: bool = True
    is_database: bool = False
    # Its files that an operator has declared foreign to this installation.
    not_ours: list[str] = field(default_factory=list)
    # The samples found, by file.
    samples: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))

    def leave(self, numbers: set[int]) -> None:
        """Count these samples alone."""
        left = {file: found & numbers for file, found in self.samples.items()}
        self.samples = defaultdict(set, {file: found for file, found in left.items() if found})
        self.found = len(set().union(*self.samples.values()))

    def serialize(self) -> dict[str, Any]:
        """Return it in the form for the request and the certificate."""
        if not self.is_readable:
            return {"store": self.name, "searched": False}
        files = [] if self.is_database else sorted(filter(None, self.samples))[:MOST_FILES]
        said = {"store": self.name, "searched": True, "bytes": self.size, "found": self.found}
        named = {"files": files, "not_ours": self.not_ours}
        return said | {name: those for name, those in named.items() if those}


def search(
    samples: Samples,
    *,
    not_ours: Mapping[str, list[str]] = MappingProxyType({}),
    pulse: Pulse = lambda: None,
) -> list[Store]:
    """Search all stores for the samples, except legitimate copies elsewhere and foreign files."""
    needles = Needles(samples.texts, samples.sealed)
    stores = []
    for place in list_stores():
        is_readable = place.blocks is not None
        store = Store(place.name, is_readable=is_readable, is_database=place.is_database)
        store.not_ours = not_ours.get(place.name, [])
        for file, block in place.blocks or ():
            pulse()
            if file in store.not_ours:
                continue
            store.size += len(block)
            if here := needles.found_in(block):
                store.samples[file] |= here
        stores.append(store)
    found = {number for store in stores for some in store.samples.values() for number in some}
    texts = {number: samples.texts[number] for number in found if number < len(samples.texts)}
    excused = known_elsewhere.find_excused_texts(list(texts.values()), pulse)
    left = {number for number in found if texts.get(number) not in excused}
    for store in stores:
        store.leave(left)
    if samples.names:  # too short to be searched for in bytes
        in_rows = known_elsewhere.find_left_names(samples.names)
        stores.append(Store("names in rows", found=len(in_rows), is_database=True))
    return stores
