"""The rows of documents, of the passages they are cut into, and of the citations of answers."""

from citations.models.claims import (
    Citation as Citation,
    Claim as Claim,
    Source as Source,
)
from citations.models.documents import (
    Document as Document,
    OriginalFile as OriginalFile,
)
from citations.models.pages import (
    DrawnPage as DrawnPage,
)
from citations.models.passages import (
    EmbedderRecord as EmbedderRecord,
    Passage as Passage,
    PassageVectors as PassageVectors,
    PassageWords as PassageWords,
    UnitVectors as UnitVectors,
)
from citations.models.sessions import (
    DocumentStanding as DocumentStanding,
    OfferedDocument as OfferedDocument,
    SessionDocument as SessionDocument,
    TurnDocument as TurnDocument,
)
