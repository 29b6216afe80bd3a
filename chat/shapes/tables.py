"""The table of a structured answer as CSV, for spreadsheets."""

import csv
import re
from io import StringIO

from django.http import HttpResponse

from chat.shapes.resources.turns import turn_shape
from memory.errors import NotFound
from memory.models import Turn

# The beginning of a formula in a spreadsheet's cell, also after spaces. In many countries cells
# are split at semicolons.
FORMULA = re.compile(r"(^|[;\t\r\n])(?=[ \xa0]*[=+@\t\r\n\-\uff1d\uff0b\uff0d\uff20])")


def download_table(turn: Turn) -> HttpResponse:
    """Return a turn's table as CSV; raises NotFound without one. Load it by `load_citations`."""
    content = turn_shape(turn)["structured_output"]
    if content is None:
        raise NotFound
    written = StringIO()
    writer = csv.writer(written)
    writer.writerow([make_inert(column["title"]) for column in content["columns"]])
    for row in content["rows"]:
        cells = (" ".join([cell["text"], *(f"[{n}]" for n in cell["numbers"])]) for cell in row)
        writer.writerow(map(make_inert, cells))
    response = HttpResponse(f"\ufeff{written.getvalue()}", content_type="text/csv; charset=utf-8")
    name = f"{content['structure']}-{turn.pk}.csv"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def make_inert(text: str) -> str:
    """Return the cell's text changed so that it is no formula."""
    return FORMULA.sub(r"\1'", text)
