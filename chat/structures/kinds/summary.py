"""Summary: the main points of documents."""

from collections.abc import Sequence
from typing import ClassVar

from django.utils.translation import gettext_lazy as _
from pydantic import Field

from chat.structures.definition import Breadth, Evidence, Question, Structure
from chat.structures.outputs import Claim, Output, Row, Rows, Text
from chat.structures.quoting import select_best_document, select_by_heading


class Point(Row):
    name: Text = Field(default="", description="the topic, in one to three words")
    point: Claim = Field(default="", description="the point, in one sentence, with [n]")


class Summary(Output):
    titles: ClassVar = {"name": _("Topic"), "point": _("Point")}

    overview: Claim = Field(default="", description="all of it in one sentence, with [n]")
    rows: Rows[Point] = ()


def quote_points(question: Question, passages: Sequence[Evidence]) -> Output | None:
    """Quote the first unit of each section of the document that fits best."""
    found = select_by_heading(select_best_document(passages), first=True)
    rows = [Point(name=heading, point=best.quote) for heading, best in found.items()]
    return Summary(rows=rows) if rows else None


STRUCTURE = Structure(
    name="summary",
    label=_("Summary"),
    output=Summary,
    instruction="Summarise what is asked about, at most seven points.",
    examples={
        "en": [
            "Summarise this document",
            "Give me the key points of the contract",
            "Give an overview of the report",
            "What are the main takeaways?",
            "Sum up the document in a few points",
            "Outline the most important findings",
        ],
        "es": [
            "Resume este documento",
            "Dame los puntos clave del contrato",
            "Haz un resumen general del informe",
            "¿Cuáles son las conclusiones principales?",
            "Resume el documento en pocos puntos",
        ],
        "de": [
            "Fasse dieses Dokument zusammen",
            "Nenne die wichtigsten Punkte des Vertrags",
            "Gib einen Überblick über den Bericht",
        ],
        "fr": [
            "Résume ce document",
            "Donne-moi les points clés du contrat",
            "Donne un aperçu du rapport",
        ],
    },
    quote=quote_points,
    breadth=Breadth.ONE_DOCUMENT,
)
