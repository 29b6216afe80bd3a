"""Bibliographies in eight citation formats: `format_bibliography(items, style, language)`.

The items are CSL-JSON. The styles are those of citationstyles.org, unchanged (NOTICE).
"""

from citations.bibliography.formatting import Entry, format_bibliography, format_item
from citations.bibliography.styles import STYLES

__all__ = ["STYLES", "Entry", "format_bibliography", "format_item"]
