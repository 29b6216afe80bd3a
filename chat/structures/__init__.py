"""Structures: answers as tables and lists, typed, cited and checked.

Each is one module of chat.structures.kinds and one template of templates/structures.
"""

from chat.structures.choosing import (
    PROSE as PROSE,
)
from chat.structures.definition import (
    EarlierOutput as EarlierOutput,
    Evidence as Evidence,
    Question as Question,
    Structure as Structure,
)
from chat.structures.registry import (
    assemble as assemble,
    find_structure as find_structure,
    load_structures as load_structures,
)
