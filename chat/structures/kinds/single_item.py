"""Single item: the profile of a person, a product or a document."""

from collections.abc import Sequence
from typing import ClassVar

from django.utils.translation import gettext_lazy as _
from pydantic import Field

from chat.structures.definition import Breadth, Evidence, Question, Structure
from chat.structures.outputs import Claim, Output, Row, Rows
from chat.structures.quoting import select_best_document, select_by_heading


class Detail(Row):
    name: str = Field(default="", description="what it is about, such as experience")
    value: Claim = Field(default="", description="what the passages say, with [n]")


class Profile(Output):
    titles: ClassVar = {"name": _("Aspect"), "value": _("What the documents say")}

    rows: Rows[Detail] = ()


def quote_details(question: Question, passages: Sequence[Evidence]) -> Output | None:
    """Quote the best unit of each section of the document that fits best."""
    found = select_by_heading(select_best_document(passages))
    rows = [Detail(name=heading, value=best.quote) for heading, best in found.items()]
    return Profile(rows=rows) if rows else None


STRUCTURE = Structure(
    name="single_item",
    label=_("Profile"),
    output=Profile,
    instruction="Describe the one person, product or document asked about, aspect by aspect.",
    examples={
        "en": [
            "Tell me about Ana Ribeiro",
            "Give me the profile of this candidate",
            "Describe the product Atlas in detail",
            "What do we know about María García?",
            "Show me everything about this supplier",
            "Introduce the candidate from Madrid",
        ],
        "es": [
            "Háblame de Ana Ribeiro",
            "Dame el perfil de esta candidata",
            "Describe el producto Atlas en detalle",
            "¿Qué sabemos de María García?",
            "Muéstrame todo sobre este proveedor",
        ],
        "de": [
            "Erzähl mir etwas über Ana Ribeiro",
            "Gib mir das Profil dieser Bewerberin",
            "Was wissen wir über das Produkt Atlas?",
        ],
        "fr": [
            "Parle-moi d'Ana Ribeiro",
            "Donne-moi le profil de cette candidate",
            "Que savons-nous du produit Atlas ?",
        ],
    },
    quote=quote_details,
    breadth=Breadth.ONE_DOCUMENT,
)
