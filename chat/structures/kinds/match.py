"""Match: items against a description, such as candidates against a role."""

from typing import Annotated, ClassVar

from django.utils.translation import gettext_lazy as _, gettext_noop
from pydantic import Field

from chat.structures.definition import Breadth, Structure
from chat.structures.outputs import WORD, Claim, Output, Row, Rows, Text, allow_words

FITS = (gettext_noop("strong"), gettext_noop("partial"), gettext_noop("weak"))


class Candidate(Row):
    name: Text = Field(default="", description="the item")
    fit: Annotated[str, allow_words(*FITS), WORD] = Field(
        default="", description="strong, partial or weak"
    )
    meets: Claim = Field(default="", description="the requirements that it meets, with [n]")
    lacks: Claim = Field(default="", description="the requirements that it lacks, with [n]")


class Match(Output):
    titles: ClassVar = {
        "name": _("Item"),
        "fit": _("Fit"),
        "meets": _("Meets"),
        "lacks": _("Lacks"),
    }

    rows: Rows[Candidate] = ()
    conclusion: Claim = Field(default="", description="which fits best, with [n]")


STRUCTURE = Structure(
    name="match",
    label=_("Match"),
    output=Match,
    instruction="Hold each item against the requirements of the description, the best fit first.",
    examples={
        "en": [
            "Does Ana match the frontend role?",
            "How well do the candidates fit this job description?",
            "Who meets the requirements of the backend position?",
            "Check the offers against our requirements",
            "Which product fits these specifications?",
            "Match the applicants to the vacancy",
        ],
        "es": [
            "¿Encaja Ana en el puesto de frontend?",
            "¿Qué tal encajan los candidatos en esta oferta de empleo?",
            "¿Quién cumple los requisitos del puesto de backend?",
            "Contrasta las ofertas con nuestros requisitos",
            "¿Qué producto se ajusta a estas especificaciones?",
        ],
        "de": [
            "Passt Ana zur Frontend-Stelle?",
            "Wer erfüllt die Anforderungen der Stelle?",
            "Welches Produkt passt zu diesen Vorgaben?",
        ],
        "fr": [
            "Ana correspond-elle au poste de frontend ?",
            "Qui remplit les exigences du poste ?",
            "Quel produit répond à ces spécifications ?",
        ],
    },
    breadth=Breadth.EACH_DOCUMENT,
)
