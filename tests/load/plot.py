"""A picture of a scenario: how many had asked, had their first text, and had their answer, when."""

from collections.abc import Sequence
from html import escape

from tests.load.scenarios import Run

WIDTH, HEIGHT = 720, 360
LEFT, RIGHT, TOP, BOTTOM = 56, 16, 64, 40
COLOURS = {
    "asked": "#8a8f98",
    "first text": "#2f6fde",
    "answered": "#1f9d61",
    "refused": "#d9822b",
    "lost or failed": "#d64545",
}


def picture(title: str, run: Run) -> str:
    """Return the run as SVG."""
    curves = moments(run)
    most = max(1, len(run.asked))
    last = max([1.0, *(at for curve in curves.values() for at in curve)])
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="20" font-size="15">{escape(title)}</text>',
        *_axes(last, most),
    ]
    for place, (name, curve) in enumerate(curves.items()):
        parts += _curve(name, curve, place, last, most)
    return "\n".join([*parts, "</svg>"]) + "\n"


def moments(run: Run) -> dict[str, list[float]]:
    """Return when each thing happened, in order."""
    found: dict[str, list[float]] = {name: [] for name in COLOURS}
    for asked in run.asked:
        found["asked"].append(asked.sent)
        if asked.first is not None:
            found["first text"].append(asked.first)
        if asked.taken and asked.whole and asked.ended is not None:
            found["answered"].append(asked.ended)
        elif asked.refused_after is not None:
            found["refused"].append(asked.sent + asked.refused_after)
        else:
            found["lost or failed"].append(asked.ended or asked.sent)
    return {name: sorted(curve) for name, curve in found.items()}


def _axes(last: float, most: int) -> list[str]:
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    parts = [
        f'<path d="M{LEFT} {TOP}V{bottom}H{right}" fill="none" stroke="#444"/>',
        f'<text x="{right}" y="{bottom + 32}" text-anchor="end">seconds</text>',
    ]
    for share in (0.25, 0.5, 0.75, 1):
        x, y = _place(last * share, most * share, last, most)
        parts += [
            f'<path d="M{LEFT} {y}H{right}" stroke="#e3e5e8"/>',
            f'<text x="{LEFT - 6}" y="{y + 4}" text-anchor="end">{most * share:,.0f}</text>',
            f'<text x="{x}" y="{bottom + 16}" text-anchor="middle">{last * share:,.0f}</text>',
        ]
    return parts


def _curve(name: str, curve: Sequence[float], place: int, last: float, most: int) -> list[str]:
    colour, x = COLOURS[name], LEFT + 125 * place
    label = f"{name} ({len(curve):,})"
    parts = [
        f'<path d="M{x} 40h18" stroke="{colour}" stroke-width="3"/>',
        f'<text x="{x + 22}" y="44">{label}</text>',
    ]
    if curve:
        steps = [_place(at, number, last, most) for number, at in enumerate(curve, 1)]
        start = _place(curve[0], 0, last, most)
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in [start, *steps])
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
    return parts


def _place(at: float, count: float, last: float, most: int) -> tuple[float, float]:
    x = LEFT + at / last * (WIDTH - LEFT - RIGHT)
    y = HEIGHT - BOTTOM - count / most * (HEIGHT - TOP - BOTTOM)
    return round(x, 1), round(y, 1)
