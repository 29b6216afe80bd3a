"""Risk assessment: possible harms, their severity, and the evidence."""

from typing import Annotated, ClassVar

from django.utils.translation import gettext_lazy as _, gettext_noop
from pydantic import Field

from chat.structures.definition import Question, Structure
from chat.structures.outputs import WORD, Claim, Output, Row, Rows, Text, allow_words
from memory.text.words import extract_terms

LEVELS = (gettext_noop("high"), gettext_noop("medium"), gettext_noop("low"))


class Risk(Row):
    name: Text = Field(default="", description="the risk, in a few words")
    severity: Annotated[str, allow_words(*LEVELS), WORD] = Field(
        default="", description="high, medium or low"
    )
    evidence: Claim = Field(default="", description="what the passages say about it, with [n]")
    mitigation: Claim = Field(
        default="", description="what the passages offer against it, with [n], or empty"
    )


class Risks(Output):
    titles: ClassVar = {
        "name": _("Risk"),
        "severity": _("Severity"),
        "evidence": _("Evidence"),
        "mitigation": _("Mitigation"),
    }

    rows: Rows[Risk] = ()


def order_by_concern(output: Output, question: Question) -> Output:
    """Put risks first that the question or an earlier assessment named."""
    named = [name for each in question.history for name in each.names]
    concerns = set(extract_terms(" ".join([question.text, *named])))
    rows = sorted(output.rows, key=lambda row: concerns.isdisjoint(extract_terms(row.name)))
    return output.model_copy(update={"rows": rows})


STRUCTURE = Structure(
    name="risk_assessment",
    label=_("Risk assessment"),
    output=Risks,
    instruction="List the risks, concerns and gaps that the passages show, the gravest first.",
    examples={
        "en": [
            "What are the risks of hiring Ana?",
            "Are there any red flags in this CV?",
            "Assess the risks of this contract",
            "What could go wrong with this supplier?",
            "Which concerns should we have about the migration?",
            "Tell me the problems with this candidate",
        ],
        "es": [
            "¿Qué riesgos hay al contratar a Ana?",
            "¿Hay señales de alarma en este currículum?",
            "Evalúa los riesgos de este contrato",
            "¿Qué podría salir mal con este proveedor?",
            "Dime los problemas de este candidato",
        ],
        "de": [
            "Welche Risiken hat dieser Vertrag?",
            "Gibt es Warnzeichen in diesem Lebenslauf?",
            "Was könnte bei diesem Lieferanten schiefgehen?",
        ],
        "fr": [
            "Quels sont les risques de ce contrat ?",
            "Y a-t-il des signaux d'alerte dans ce CV ?",
            "Qu'est-ce qui pourrait mal tourner avec ce fournisseur ?",
        ],
    },
    adapt=order_by_concern,
    takes_up=["risk_assessment"],
)
