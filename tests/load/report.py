"""The report of a load: a table, and JSON."""

import json
from collections.abc import Mapping
from pathlib import Path

from tests.load.figures import Figures

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "asked": ("asked",),
    "taken": ("taken",),
    "refused (blindly)": ("refused", "refused_blindly"),
    "lost": ("lost",),
    "failed": ("failed",),
    "first text, s (95 %)": ("first_median", "first_p95"),
    "end, s (95 %)": ("end_median", "end_p95"),
    "page 95 %, s (at rest)": ("page_p95", "page_rest_p95"),
    "turns/s": ("turns_a_second",),
    "web ms a turn": ("web_ms_a_turn",),
    "web ms a token": ("web_ms_a_token",),
    "CPU s: web": ("web_seconds",),
    "worker": ("worker_seconds",),
    "model": ("model_seconds",),
    "clients": ("client_seconds",),
    "web MB": ("web_megabytes",),
}


def table(found: Mapping[str, Figures]) -> str:
    """Return the figures by scenario, one row each."""
    rows = [["", *COLUMNS], ["---"] * (len(COLUMNS) + 1)]
    for name, figures in found.items():
        values = figures.as_dict()
        rows.append([name, *(cell([values[each] for each in own]) for own in COLUMNS.values())])
    return "\n".join(f"| {' | '.join(row)} |".replace("|  |", "| |") for row in rows)


def cell(values: list[float | int | None]) -> str:
    """Return one number, and in brackets what belongs to it."""
    first, *more = (number(value) for value in values)
    return f"{first} ({', '.join(more)})" if more else first


def number(value: float | int | None) -> str:
    if value is None:
        return "–"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.2f}" if abs(value) < 10 else f"{value:,.0f}"


def write(folder: Path, engine: str, found: Mapping[str, Figures]) -> None:
    """Leave the figures as JSON in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    figures = {name: each.as_dict() for name, each in found.items()}
    file = folder / f"{engine.lower()}.json"
    kept = json.loads(file.read_text()) if file.exists() else {}
    file.write_text(json.dumps(kept | figures, indent=2) + "\n")
