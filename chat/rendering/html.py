"""An answer as HTML: Markdown whose only links are our own citations, sanitised last.

A model's text may not fetch, run or link anything. Raw HTML, images and reference definitions are
off; links become their text with the address beside it, as text; nh3 then keeps an allow-list of
tags and only our own attributes. Citations are placeholders at known offsets, which survive
Markdown (chat.rendering.drawing).
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from html import escape
from itertools import pairwise

import nh3
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from chat.rendering import formulas, rules
from chat.rendering.code import CLASSES
from chat.rendering.drawing import (
    BEGIN,
    BEGINNING,
    CLOSE,
    EITHER,
    OPEN,
    PLACEHOLDER,
    SPANS,
    Drawing,
    ShownCitation,
    insert_placeholders,
    read_placeholder,
)
from chat.rendering.inert import take_formula, take_image
from citations.models import Citation, Claim
from memory.models.conversations import CitationStyle

TAGS = set(
    """a span sup p br strong em s code pre ul ol li blockquote h3 h4 h5 h6 hr
    table thead tbody tr th td""".split()
)
TAGS |= formulas.TAGS
ATTRIBUTES = {"a": {"class", "href", "id", "aria-label"}, "ol": {"start"}, "th": {"class"}}
ATTRIBUTES["span"] = {"class", "title"}
ATTRIBUTES["td"] = ATTRIBUTES["th"]
ATTRIBUTES["p"] = {"class"}
ATTRIBUTES |= formulas.ATTRIBUTES
ALIGNED, UNBROKEN = ("align-left", "align-center", "align-right"), "unbroken"
CELL_CLASSES = {*ALIGNED, UNBROKEN, *(f"{each} {UNBROKEN}" for each in ALIGNED)}
# A short cell with a digit is a date or an amount, in which lines must not break.
SHORT, DIGIT = 20, re.compile(r"\d")
# The page has h1 and h2; an answer's headings continue from h3 without gaps.
FIRST_HEADING, DEEPEST_HEADING = 3, 6
# The line with a quotation's place, such as "Constitution › 5.2 Appointment · p. 4": emphasised
# as a whole, or with a path of headings or a page.
PLACE = "place"
# A paragraph of citation numbers only, as behind a quoted block of code; it is set close to it.
NUMBERS = "numbers"
PATH_OR_PAGE = re.compile(r" › |· ?pp?\. ?[0-9]")
PAGE = re.compile(r"(· ?pp?\.) (?=[0-9])")
LONGEST_PLACE = 300


def render_answer(
    response: str,
    citations: Iterable[Citation],
    claims: Iterable[Claim] = (),
    *,
    style: str = CitationStyle.INLINE,
    turn: int = 0,
) -> SafeString:
    """Return the answer, of the turn at a position, as HTML whose only links are citations."""
    drawing = Drawing()
    placed = [ShownCitation(each, style, turn) for each in citations]
    text = insert_placeholders(response, placed, claims, drawing)
    html = _make_parser().render(text, {"drawing": drawing})
    clean = nh3.clean(
        html,
        tags=TAGS,
        attributes=ATTRIBUTES,
        attribute_filter=_make_attribute_filter(drawing.placed),
        url_schemes=set(),
        link_rel=None,
    )
    # A marker inside code or a link's address stays as it was written.
    shown = PLACEHOLDER.sub(lambda found: read_placeholder(found, drawing), clean)
    return mark_safe(BEGINNING.sub("", shown))  # noqa: S308


def frame_html(html: str, *, copy: str) -> SafeString:
    """Return an answer's HTML with tables and code in scrollable frames, code with a button."""
    for tag in ("<blockquote", "<ul", "<ol"):  # bars and bullets are on their text's side
        html = html.replace(tag, f'{tag} dir="auto"')
    for tag, name, button in (("table", _("Table"), ""), ("pre", _("Code"), copy)):
        scrolls = f'class="frame-scrolls" tabindex="0" role="group" aria-label="{escape(name)}"'
        opening = f'<div class="frame">{button}<div {scrolls}><{tag}>'
        # Sanitised HTML has these tags in this form only; in texts they are escaped.
        html = html.replace(f"<{tag}>", opening).replace(f"</{tag}>", f"</{tag}></div></div>")
    return mark_safe(html)  # noqa: S308


def _make_attribute_filter(
    placed: Sequence[ShownCitation],
) -> Callable[[str, str, str], str | None]:
    """Return nh3's attribute filter: links of these citations, our classes, list numbers."""
    links = {one.link for one in placed}
    ids = {one.id for one in placed}

    def allowed(tag: str, attribute: str, value: str) -> str | None:
        keep = {
            ("a", "href"): value in links,
            ("a", "class"): value in ("citation", "footnote"),
            ("a", "id"): value in ids,
            ("a", "aria-label"): True,
            ("p", "class"): value in (PLACE, NUMBERS),
            ("ol", "start"): value.isdecimal(),
            ("span", "class"): value in SPANS or value in CLASSES,
            ("span", "title"): True,
            ("th", "class"): value in CELL_CLASSES,
            ("td", "class"): value in CELL_CLASSES,
        }
        is_ours = keep.get((tag, attribute))
        return value if is_ours or formulas.is_attribute_allowed(tag, attribute, value) else None

    return allowed


# --- Markdown ------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _make_parser() -> MarkdownIt:
    markdown = MarkdownIt("js-default", {"html": False, "linkify": False, "typographer": False})
    markdown.disable(["image", "reference"])
    markdown.inline.ruler.before("escape", "formula", take_formula)
    markdown.inline.ruler.before("link", "no_image", take_image)
    markdown.core.ruler.push("throughline", _rewrite)
    for kind, rule in rules.RULES.items():
        markdown.add_render_rule(kind, rule)
    return markdown


def _rewrite(state: StateCore) -> None:
    """Replace links by text and placeholders by marks, and adapt blocks to the pages."""
    _mark_places(state.tokens)
    _mark_numbers(state.tokens)
    _mark_cells(state.tokens)
    above: list[int] = []  # levels of the enclosing headings
    for token in state.tokens:
        if token.type == "heading_open":
            written = int(token.tag[1:])
            above = [level for level in above if level < written] + [written]
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(FIRST_HEADING + len(above) - 1, DEEPEST_HEADING)}"
        if token.type == "inline":
            flat = _drop_links(token.children or [])
            token.children = [piece for child in flat for piece in _split_placeholders(child)]
    _underline(state.tokens, state.env["drawing"])


def _mark_places(tokens: Sequence[Token]) -> None:
    """Mark each paragraph that gives the place of the quotation before it."""
    for before, opening, inline in zip(tokens, tokens[1:], tokens[2:], strict=False):
        follows = (before.type, opening.type) == ("blockquote_close", "paragraph_open")
        if follows and _is_place_line(inline):
            opening.attrs["class"] = PLACE
            for child in inline.children or []:  # "p." and its number stay on one line
                child.content = PAGE.sub("\\1\u00a0", child.content)


def _mark_numbers(tokens: Sequence[Token]) -> None:
    """Mark each paragraph that consists of citation numbers."""
    for opening, inline in pairwise(tokens):
        is_one = opening.type == "paragraph_open" and PLACEHOLDER.search(inline.content)
        if is_one and not EITHER.sub("", inline.content).strip():
            opening.attrs["class"] = NUMBERS


def _mark_cells(tokens: Sequence[Token]) -> None:
    """Mark each cell with its alignment, and whether it holds a date or an amount."""
    for token, inline in pairwise(tokens):
        if token.type not in ("th_open", "td_open"):
            continue
        align = str(token.attrs.pop("style", "")).rpartition(":")[2]
        held = EITHER.sub("", inline.content).strip()
        is_unbroken = len(held) <= SHORT and DIGIT.search(held) is not None
        if names := [f"align-{align}"] * bool(align) + [UNBROKEN] * is_unbroken:
            token.attrs["class"] = " ".join(names)


def _is_place_line(inline: Token) -> bool:
    line = EITHER.sub("", inline.content).strip()
    if len(line) > LONGEST_PLACE or "\n" in line:
        return False
    kinds = [
        child.type
        for child in inline.children or []
        if child.type != "text" or EITHER.sub("", child.content).strip()
    ]
    emphasised = kinds[:1] == ["em_open"] and kinds.index("em_close") == len(kinds) - 1
    return emphasised or (bool(PATH_OR_PAGE.search(line)) and line[-1:] not in ".!?:")


def _drop_links(children: Iterable[Token]) -> list[Token]:
    """Replace links by their text and, if it differs, the address."""
    plain: list[Token] = []
    opened: list[tuple[str, int]] = []
    for child in children:
        if child.type == "link_open":
            opened.append((str(child.attrs.get("href", "")), len(plain)))
        elif child.type == "link_close" and opened:
            address, start = opened.pop()
            shown = "".join(token.content for token in plain[start:])
            if address and address.removeprefix("mailto:") != shown:
                plain.append(_make_text(f" ({address})"))
        else:
            plain.append(child)
    return plain


def _split_placeholders(child: Token) -> list[Token]:
    """Split a text at its placeholders; other tokens stay whole."""
    if child.type != "text":
        return [child]
    pieces: list[Token] = []
    for index, part in enumerate(EITHER.split(child.content)):
        if index % 2:
            kind = "begin" if part[0] == BEGIN else "drawn"
            number = int(part.strip(f" {OPEN}{CLOSE}{BEGIN}"))
            pieces.append(Token(kind, "", 0, meta={"index": number}))
        elif part:
            pieces.append(_make_text(part))
    return pieces


def _underline(tokens: Iterable[Token], drawing: Drawing) -> None:
    """Mark the text of unsupported claims that have both a beginning and an end."""
    inlines = [token for token in tokens if token.type == "inline"]
    ends: dict[int, int] = {}
    begun: dict[int, int] = {}
    runs = [child for token in inlines for child in token.children or []]
    for at, child in enumerate(runs):
        if child.type == "begin":
            begun.setdefault(child.meta["index"], at)
        elif child.type == "drawn":
            ends.setdefault(child.meta["index"], at)
    for index, first in begun.items():
        for child in runs[first : ends.get(index, first)]:
            if child.type in ("text", "code_inline"):
                child.meta = {"claim": drawing.drawn[index]}


def _make_text(content: str) -> Token:
    return Token("text", "", 0, content=content)
