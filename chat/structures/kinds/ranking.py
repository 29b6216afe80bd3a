"""Ranking: items in order, by one measure or by reasons."""

from collections.abc import Sequence
from typing import ClassVar

from django.utils.translation import gettext_lazy as _
from pydantic import Field

from chat.structures.definition import Breadth, Evidence, Question, Structure
from chat.structures.outputs import Claim, Output, Row, Rows, Text
from chat.structures.quoting import rank_rows


class Ranked(Row):
    name: Text = Field(default="", description="the item, the best first")
    value: Claim = Field(default="", description="the figure or fact that decides, with [n]")
    reason: Claim = Field(default="", description="why it stands there, with [n]")


class Ranking(Output):
    titles: ClassVar = {"name": _("Item"), "value": _("What decides"), "reason": _("Why")}

    overview: Claim = Field(default="", description="who is first, and by what, with [n]")
    rows: Rows[Ranked] = ()


def rank_by_figure(question: Question, passages: Sequence[Evidence]) -> Output | None:
    """Rank items by the only figure that the question asks for; None if there isn't one."""
    found = rank_rows(question.text, passages)
    rows = [Ranked(name=name, value=figure) for name, figure in found]
    return Ranking(rows=rows) if len(rows) > 1 else None


STRUCTURE = Structure(
    name="ranking",
    label=_("Ranking"),
    output=Ranking,
    instruction="Rank the items for what is asked, the best first, at most ten.",
    examples={
        "en": [
            "Who is the best for Backend?",
            "Rank the candidates by experience",
            "What are the top three suppliers?",
            "Which offer is the cheapest?",
            "Order the products by price",
            "Who has the most years of experience?",
        ],
        "es": [
            "¿Quién es el mejor para Backend?",
            "Ordena los candidatos por experiencia",
            "¿Cuáles son los tres mejores proveedores?",
            "¿Qué oferta es la más barata?",
            "¿Quién tiene más años de experiencia?",
        ],
        "de": [
            "Wer ist am besten für das Backend?",
            "Ordne die Bewerber nach Erfahrung",
            "Welches Angebot ist das günstigste?",
        ],
        "fr": [
            "Qui est le meilleur pour le backend ?",
            "Classe les candidats par expérience",
            "Quelle offre est la moins chère ?",
        ],
    },
    quote=rank_by_figure,
    breadth=Breadth.EACH_DOCUMENT,
)
