"""The handling of each field of a model, declared on the model itself: its kind, and its erasure.

    handling: ClassVar = Handling(person="owner", trace="model language")

Every field is of exactly one kind. Most kinds follow from the field's class: sealed fields are
content, ids and foreign keys are links, times, numbers and choices are traces. All others, such as
unsealed text, are declared by name, and so is each exception (otherwise
tests/promises/test_p12_data_map.py fails). The kinds and the path to the person determine how a row
is erased and what an export contains of it (memory.personal_data.data_map).
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from django.db.models import Q


class Kind(StrEnum):
    """The kind of data in a field."""

    CONTENT = "content"  # a person's words and uploads, and the answers to them
    IDENTITY = "identity"  # a person's identity and origin
    SECRET = "secret"  # credentials, and keys that open something
    TRACE = "trace"  # a person's acts, with time and size; states and settings
    LINK = "link"  # ids that connect rows
    SYSTEM = "system"  # nothing personal


# Instead of names: every field of the model.
ALL = "*"
EXPORTED = frozenset({Kind.CONTENT, Kind.IDENTITY, Kind.TRACE, Kind.LINK})


@dataclass(frozen=True)
class Handling:
    """The owner of a model's rows, and the kinds of those fields whose class doesn't determine it.

    Names are separated by spaces. In a model without an owner, traces and links count as system
    fields.
    """

    # The lookup from a row to its person: "owner", "turn__owner"; empty if rows have no owner.
    person: str = ""
    content: str = ""
    identity: str = ""
    secret: str = ""
    trace: str = ""
    link: str = ""
    system: str = ""
    # Fields excluded from exports although their kind is exported: they are technical. Or ALL.
    withheld: str = ""
    # The reason why rows outlive their person; empty: they don't.
    stays: str = ""
    # The deletion of rows that no lookup leads to, in words.
    goes: str = ""
    # Whether everybody may read rows without an owner: those of the shared library.
    shared: bool = False
    # The condition for further rows of the person, beside the lookup.
    also: Callable[[UUID], Q] | None = None
    # The condition for the rows in a package made now; without it, all the person's rows.
    exported: Callable[[], Q] | None = None
    # Whether rows without content are portable too: decisions.
    portable: bool = False

    @property
    def is_of_people(self) -> bool:
        """Whether rows belong to people, or are about them."""
        return bool(self.person or self.stays or self.goes)

    def declared(self) -> dict[str, list[Kind]]:
        """Return the kinds under which a field is declared by name; valid is at most one."""
        found: dict[str, list[Kind]] = {}
        for kind in Kind:
            for name in getattr(self, kind.value).split():
                found.setdefault(name, []).append(kind)
        return found
