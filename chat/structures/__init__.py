"""Structures: answers as tables and lists, typed, cited and checked.

Each is one module of chat.structures.kinds and one template of templates/structures.
"""

from chat.structures.choosing import PROSE
from chat.structures.definition import EarlierOutput, Evidence, Question, Structure
from chat.structures.registry import assemble, find_structure, load_structures

__all__ = [
    "PROSE",
    "EarlierOutput",
    "Evidence",
    "Question",
    "Structure",
    "assemble",
    "find_structure",
    "load_structures",
]
