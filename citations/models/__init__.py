"""The rows of documents, of the passages they are cut into, and of the citations of answers."""

from citations.models.claims import Citation, Claim, Source
from citations.models.documents import Document, OriginalFile
from citations.models.pages import DrawnPage
from citations.models.passages import (
    EmbedderRecord,
    Passage,
    PassageVectors,
    PassageWords,
    UnitVectors,
)
from citations.models.sessions import (
    DocumentStanding,
    OfferedDocument,
    SessionDocument,
    TurnDocument,
)

__all__ = [
    "Citation",
    "Claim",
    "Document",
    "DocumentStanding",
    "DrawnPage",
    "EmbedderRecord",
    "OfferedDocument",
    "OriginalFile",
    "Passage",
    "PassageVectors",
    "PassageWords",
    "SessionDocument",
    "Source",
    "TurnDocument",
    "UnitVectors",
]
