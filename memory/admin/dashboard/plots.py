"""Bars drawn as SVG on the server: without scripts, readable without colours and by ear."""

from dataclasses import dataclass

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from memory.admin.dashboard.figures import Plot

WIDTH, HEIGHT = 440, 190
TOP, BOTTOM, LEFT = 24, 28, 8
GAP = 0.28  # of a bar's slot
WIDEST = 80
MOST_LABELS = 8


@dataclass(frozen=True)
class _Bar:
    x: float
    width: float
    middle: float


def draw_plot(plot: Plot) -> SafeString:
    """Return the plot as SVG; its parts are described by titles, and by a table beside it."""
    highest = max((sum(values) for values in zip(*_list_values(plot), strict=True)), default=0)
    place = (WIDTH - 2 * LEFT) / max(1, len(plot.labels))
    width = min(WIDEST, place * (1 - GAP))
    middles = [LEFT + (number + 0.5) * place for number in _list_positions(plot)]
    bars = [_Bar(middle - width / 2, width, middle) for middle in middles]
    parts = format_html_join(
        "", "{}", ((_draw_column(plot, bars, highest, at),) for at in _list_positions(plot))
    )
    return format_html(
        '<svg class="plot" viewBox="0 0 {} {}" role="img" aria-label="{}">'
        '<line class="plot-base" x1="{}" x2="{}" y1="{}" y2="{}"></line>{}</svg>',
        *(WIDTH, HEIGHT, plot.title, LEFT, WIDTH - LEFT, HEIGHT - BOTTOM, HEIGHT - BOTTOM, parts),
    )


def _list_values(plot: Plot) -> list[list[int]]:
    return [values for name, values in plot.series]


def _list_positions(plot: Plot) -> range:
    return range(len(plot.labels))


def _draw_column(plot: Plot, bars: list[_Bar], highest: int, at: int) -> SafeString:
    bar, y = bars[at], float(HEIGHT - BOTTOM)
    scale = (HEIGHT - BOTTOM - TOP) / highest if highest else 0.0
    drawn_parts = []
    for part, (name, values) in enumerate(plot.series):
        height = values[at] * scale
        y -= height
        drawn_parts.append(
            (
                part,
                _format_pixels(bar.x),
                _format_pixels(y),
                _format_pixels(bar.width),
                _format_pixels(height),
                name,
                values[at],
            )
        )
    rectangles = format_html_join(
        "",
        '<rect class="part-{}" x="{}" y="{}" width="{}" height="{}"><title>{}: {}</title></rect>',
        (drawn for drawn in drawn_parts if drawn[-1]),
    )
    total = sum(values[at] for values in _list_values(plot))
    number = _draw_text(bar.middle, y - 6, f"{total:,}" if total else "", "plot-number")
    # Counted from the right, so that today has a label.
    is_labelled = (len(plot.labels) - 1 - at) % -(-len(plot.labels) // MOST_LABELS) == 0
    label = _draw_text(bar.middle, HEIGHT - 8, plot.labels[at] if is_labelled else "", "plot-label")
    return format_html("{}{}{}", rectangles, number, label)


def _draw_text(x: float, y: float, text: str, kind: str) -> SafeString:
    return format_html(
        '<text class="{}" x="{}" y="{}">{}</text>', kind, _format_pixels(x), _format_pixels(y), text
    )


def _format_pixels(value: float) -> str:
    # Not localised: a comma would end the number.
    return f"{value:.1f}"
