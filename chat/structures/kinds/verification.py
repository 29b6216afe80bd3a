"""Verification: statements, and the documents' evidence for or against each."""

from collections.abc import Sequence
from typing import Annotated, ClassVar

from django.conf import settings
from django.utils.translation import gettext_lazy as _, gettext_noop
from pydantic import Field

from chat.structures.definition import Evidence, Question, Structure
from chat.structures.outputs import WORD, Claim, Output, Row, Rows, Text, allow_words
from chat.structures.quoting import quote_criterion, split_statements
from citations.attribution.checking import check_claims

# Most units that are checked, the likeliest first.
MOST_UNITS = 20
VERDICTS = (gettext_noop("confirmed"), gettext_noop("contradicted"), gettext_noop("not stated"))


class Verdict(Row):
    name: Text = Field(default="", description="the statement to check")
    verdict: Annotated[str, allow_words(*VERDICTS), WORD] = Field(
        default="", description="confirmed, contradicted or not stated"
    )
    evidence: Claim = Field(default="", description="what the passages say to it, with [n]")


class Verification(Output):
    titles: ClassVar = {"name": _("Statement"), "verdict": _("Verdict"), "evidence": _("Evidence")}

    rows: Rows[Verdict] = ()


def quote_evidence(question: Question, passages: Sequence[Evidence]) -> Output | None:
    """Quote the best evidence for each statement; the check of claims decides on it."""
    rows = [judge_statement(said, passages) for said in split_statements(question.text)]
    return Verification(rows=rows) if rows and passages else None


def judge_statement(said: str, passages: Sequence[Evidence]) -> Verdict:
    """Return the statement with its supporting quotation, if any."""
    units = sorted(passages, key=lambda each: -each.score)[:MOST_UNITS]
    (scores,) = check_claims([said], [each.text for each in units]) if units else ([],)
    best = max(range(len(units)), key=lambda at: scores[at].score, default=None)
    if best is None or scores[best].score < settings.CITATION_THRESHOLD:
        return Verdict(name=said, verdict=VERDICTS[-1], evidence=quote_criterion(said, passages))
    return Verdict(name=said, verdict=VERDICTS[0], evidence=units[best].quote)


STRUCTURE = Structure(
    name="verification",
    label=_("Verification"),
    output=Verification,
    instruction="Check each statement of the question against the passages.",
    examples={
        "en": [
            "Is it true that Ana has seven years of experience?",
            "Verify that the contract ends in 2027",
            "Check whether María worked at Banco Meridiano",
            "Confirm these statements against the documents",
            "Did Juan really lead a team of ten people?",
            "Fact-check: the product supports single sign-on",
        ],
        "es": [
            "¿Es cierto que Ana tiene siete años de experiencia?",
            "Verifica que el contrato termina en 2027",
            "Comprueba si María trabajó en el Banco Meridiano",
            "Confirma estas afirmaciones con los documentos",
            "¿De verdad Juan dirigió un equipo de diez personas?",
        ],
        "de": [
            "Stimmt es, dass Ana sieben Jahre Erfahrung hat?",
            "Prüfe, ob der Vertrag 2027 endet",
            "Bestätige diese Aussagen anhand der Dokumente",
        ],
        "fr": [
            "Est-il vrai qu'Ana a sept ans d'expérience ?",
            "Vérifie que le contrat se termine en 2027",
            "Confirme ces affirmations avec les documents",
        ],
    },
    quote=quote_evidence,
)
