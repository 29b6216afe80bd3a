"""Sources: what a bibliography says of a document, as CSL-JSON.

`Document.csl` holds what the columns title, authors, year and url don't; the columns win.
"""

from citations.sources.first_page import find_identifiers
from citations.sources.items import (
    SOURCE_TYPES,
    Problem,
    SourceItem,
    clean_item,
    csl_item,
    find_year,
    item_columns,
)
from citations.sources.names import full_name, invert_name, parse_name

__all__ = [
    "SOURCE_TYPES",
    "Problem",
    "SourceItem",
    "clean_item",
    "csl_item",
    "find_identifiers",
    "find_year",
    "full_name",
    "invert_name",
    "item_columns",
    "parse_name",
]
