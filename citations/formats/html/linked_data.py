"""Linked data: the metadata of a work in a page's schema.org JSON-LD."""

import json
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

MOST_SCRIPTS, LARGEST, MOST_NODES = 5, 200_000, 200
WORKS = ("article", "posting", "book", "thesis", "report", "webpage")


def read_linked_data(root: Any) -> dict[str, list[str]]:
    """Return the metadata of the first work in the page's JSON-LD, prefixed by schema:."""
    scripts = root.iterfind(".//script[@type='application/ld+json']")
    for script in islice(scripts, MOST_SCRIPTS):
        for node in islice(_list_nodes(script.text or ""), MOST_NODES):
            if str(node.get("@type", "")).lower().endswith(WORKS):
                return _describe_node(node)
    return {}


def _list_nodes(text: str) -> Iterator[Mapping[str, Any]]:
    try:
        value = json.loads(text) if len(text) <= LARGEST else None
    except (ValueError, RecursionError):
        return
    graph = value.get("@graph", value) if isinstance(value, dict) else value
    for node in graph if isinstance(graph, list) else [graph]:
        if isinstance(node, dict):
            yield node


def _describe_node(node: Mapping[str, Any]) -> dict[str, list[str]]:
    said = {
        "schema:type": [str(node["@type"])],
        "schema:author": _list_names(node.get("author")),
        "schema:title": _list_names(node.get("headline") or node.get("name")),
        "schema:publisher": _list_names(node.get("publisher")),
        "schema:ispartof": _list_names(node.get("isPartOf")),
        "schema:datepublished": _list_names(node.get("datePublished")),
        "language": _list_names(node.get("inLanguage")),
        "isbn": _list_names(node.get("isbn")),
        "identifier": _list_names(node.get("identifier")),
    }
    return {name: values for name, values in said.items() if values}


def _list_names(value: Any) -> list[str]:
    """Return texts, or the names or values of objects, from one or a list of them."""
    values = value if isinstance(value, list) else [value]
    named = [
        each.get("name", each.get("value")) if isinstance(each, dict) else each for each in values
    ]
    return [each for each in named if isinstance(each, str) and each.strip()]
