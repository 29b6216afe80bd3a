"""Sources as entries of a bibliography."""

from typing import Annotated, TypedDict

from chat.shapes.resources.vocabulary import Id
from citations.bibliography.cited import CitedDocument


class EntryAnswer(TypedDict):
    number: Annotated[int, "The n of [n]."]
    document_id: Annotated[Id | None, "Null if the document was removed."]
    title: str | None
    authors: list[str]
    year: int | None
    container: Annotated[str | None, "The journal, book or site that it stands in."]
    url: Annotated[str | None, "Its address, or that of its DOI."]
    text: Annotated[str, "Its entry in the style."]
    html: Annotated[str, "The same, with its italics and links."]


class CitedEntryAnswer(EntryAnswer):
    relevance: Annotated[float, "Of the citation that is borne out best, 0 to 1."]
    turns: Annotated[list[int], "The positions of the turns whose answers cite it."]


def entry_shape(cited: CitedDocument, style: str, language: str) -> EntryAnswer:
    """Return a document with its entry; only the number is left of a removed one."""
    document, item = cited.document, cited.item
    entry = cited.format(style, language)
    doi = f"https://doi.org/{item['DOI']}" if item.get("DOI") else None
    return {
        "number": cited.number,
        "document_id": str(document.pk) if document else None,
        "title": document.title if document else None,
        "authors": document.authors if document else [],
        "year": document.year if document else None,
        "container": item.get("container-title"),
        "url": item.get("URL") or doi,
        "text": entry.text,
        "html": entry.html,
    }


def cited_entry_shape(cited: CitedDocument, style: str, language: str) -> CitedEntryAnswer:
    """Return a document that a session cites, with the turns that use it."""
    entry = entry_shape(cited, style, language)
    return {**entry, "relevance": cited.score, "turns": [*cited.turns]}
