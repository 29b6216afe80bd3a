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
    """What a field holds."""

    CONTENT = "content"  # what a person said, uploaded or was told
    IDENTITY = "identity"  # who a person is, and from where they come
    SECRET = "secret"  # what lets someone in, or opens something
    TRACE = "trace"  # what they did, when and how much; states and settings
    LINK = "link"  # ids that tie rows together
    SYSTEM = "system"  # nothing of anyone


# In the place of names: every field of the model.
ALL = "*"
EXPORTED = frozenset({Kind.CONTENT, Kind.IDENTITY, Kind.TRACE, Kind.LINK})


@dataclass(frozen=True)
class Handling:
    """Whose the rows of a model are, and those of its fields by kind whose class doesn't tell it.

    Names have spaces between. In a model that is nobody's, what would be a trace or a link is
    system.
    """

    # The lookup from a row to its person: "owner", "turn__owner"; empty if rows are nobody's.
    person: str = ""
    content: str = ""
    identity: str = ""
    secret: str = ""
    trace: str = ""
    link: str = ""
    system: str = ""
    # Fields that no export has although their kind is exported: they only run the machine. Or ALL.
    withheld: str = ""
    # Why rows outlive their person, in words; empty: they don't.
    stays: str = ""
    # How rows go that no lookup leads to, in words.
    goes: str = ""
    # Whether rows of no person are everybody's to read: those of the shared library.
    shared: bool = False
    # Rows that are the person's by more than the lookup, as the condition for them.
    also: Callable[[UUID], Q] | None = None
    # Which of the person's rows a package has that is made now, as the condition; without it, all.
    exported: Callable[[], Q] | None = None
    # Whether another instance takes rows in although nothing in them was said: decisions.
    portable: bool = False

    @property
    def is_of_people(self) -> bool:
        """Whether rows are anyone's, or say something about anyone."""
        return bool(self.person or self.stays or self.goes)

    def declared(self) -> dict[str, list[Kind]]:
        """Return the kinds that fields are declared as by name; right is at most one."""
        found: dict[str, list[Kind]] = {}
        for kind in Kind:
            for name in getattr(self, kind.value).split():
                found.setdefault(name, []).append(kind)
        return found
