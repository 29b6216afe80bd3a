"""Comparison: items side by side, a column for each criterion."""

from collections.abc import Sequence
from typing import ClassVar

from django.utils.translation import gettext as translated, gettext_lazy as _
from pydantic import Field

from chat.structures.definition import Breadth, Evidence, Question, Structure, keep_items
from chat.structures.outputs import Cell, Claim, Claims, Column, Output, Row, Rows, Text, Texts
from chat.structures.quoting import NOT_STATED, find_shared_headings, gather_items, quote_each


class Item(Row):
    name: Text = Field(default="", description="the item")
    values: Claims = Field(
        default=(), description="what the passages say on each criterion, in order, with [n]"
    )

    @property
    def texts(self) -> list[str]:
        """The name, and a text for each criterion."""
        return [self.name, *self.values]


class Comparison(Output):
    titles: ClassVar = {"name": _("Item")}

    criteria: Texts = Field(default=(), description="criterion")
    rows: Rows[Item] = ()
    conclusion: Claim = Field(default="", description="what the comparison comes to, with [n]")

    @property
    def columns(self) -> list[Column]:
        """The items, and a column for each criterion."""
        named = [
            Column(f"criterion_{at}", each[:1].upper() + each[1:], is_claim=True)
            for at, each in enumerate(self.criteria, 1)
        ]
        return [Column("name", str(self.titles["name"])), *named]

    @property
    def table(self) -> list[list[Cell]]:
        """The rows, filled up to a cell for each criterion."""
        width = len(self.columns)
        return [[*cells, *[Cell("")] * (width - len(cells))][:width] for cells in super().table]


def keep_frame(output: Output, question: Question) -> Output:
    """Drop items that the question excludes, and keep the earlier order."""
    order = {name.casefold(): at for at, name in enumerate(question.items)}
    kept = keep_items(output, question)
    rows = sorted(kept.rows, key=lambda row: order.get(row.name.casefold(), len(order)))
    return kept.model_copy(update={"rows": rows})


def quote_side_by_side(question: Question, passages: Sequence[Evidence]) -> Output | None:
    """Quote the best unit for each item and criterion, or state that there is none."""
    items = gather_items(question, passages)
    criteria = list(question.criteria) or find_shared_headings(items)
    if len(items) < 2 or not criteria:
        return None
    quoted = [quote_each(each, items) for each in criteria]
    if not any(map(any, quoted)):  # they may use other words
        return None
    rows = [
        Item(name=name, values=[each or translated(NOT_STATED) for each in values])
        for name, *values in zip(items, *quoted, strict=True)
    ]
    return Comparison(criteria=criteria, rows=rows)


STRUCTURE = Structure(
    name="comparison",
    label=_("Comparison"),
    output=Comparison,
    instruction=(
        "Compare the items. Choose at most five criteria. Where the passages say nothing on one,"
        ' write "not stated".'
    ),
    examples={
        "en": [
            "Compare Frontend candidates",
            "Compare Ana and Juan",
            "What is the difference between plan A and plan B?",
            "How do the two contracts differ?",
            "Atlas versus Hermes: pros and cons",
            "Put the three offers side by side",
        ],
        "es": [
            "Compara los candidatos de Frontend",
            "Compara a Ana con Juan",
            "¿Cuál es la diferencia entre el plan A y el plan B?",
            "¿En qué se diferencian los dos contratos?",
            "Atlas frente a Hermes: ventajas e inconvenientes",
        ],
        "de": [
            "Vergleiche die Bewerber",
            "Was ist der Unterschied zwischen Plan A und Plan B?",
            "Stelle die drei Angebote gegenüber",
        ],
        "fr": [
            "Compare les candidats",
            "Quelle est la différence entre le plan A et le plan B ?",
            "Mets les trois offres côte à côte",
        ],
    },
    quote=quote_side_by_side,
    adapt=keep_frame,
    breadth=Breadth.EACH_DOCUMENT,
)
