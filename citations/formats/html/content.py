"""Content: the main text of a page, without navigation.

Navigation is found by structure: parts that the page marks as such, blocks that are nearly all
links, and lists of links within the page itself.
"""

import re
from dataclasses import dataclass
from typing import Any

from lxml import etree

UNSEEN = frozenset(
    "head script style noscript template nav footer iframe object embed audio video map"
    " button datalist dialog title annotation annotation-xml rt rp".split()
)
UNSEEN_ROLES = frozenset(
    "navigation banner contentinfo search menu menubar complementary doc-toc dialog alertdialog"
    " toolbar tablist".split()
)
HIDING_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|(?:font-size|opacity)\s*:\s*0(?![.\d])", re.I
)
# Names of classes and ids of navigation: if most of the block is links, and in any case.
LINKS = re.compile(
    r"\b(?:nav\w*|\w*nav|menu\w*|sidebar\w*|\w*sidebar|toc\w*|\w*toc|contents?|tableofcontents|bread\w*"
    r"|crumbs?|path|footer|header|related|links?|pagination|pager|prev\w*|next|index|languages?|tabs?|share|social)\b",
    re.I,
)
NEVER = re.compile(
    r"\b(?:cookie\w*|consent\w*|gdpr|breadcrumbs?|headerlink|skip-?\w*|sr-only|visually-hidden"
    r"|sphinxsidebar|linenos?|lineno\w*|navheader|navfooter|nav-panel|navtree|edit-?link\w*|newsletter"
    r"|screen-reader-text|noprint)\b",
    re.I,
)
PERMALINKS = frozenset("¶ # § 🔗 ↩ ↩︎ ↑ ^ permalink more...".split())
WHOLE = frozenset("html body main article".split())
BLOCKS = frozenset("div ul ol dl table section p aside center td form header details".split())
# Shares of a block's characters that are links.
MOST, NEARLY_ALL = 0.5, 0.9
LABEL = 30


@dataclass(slots=True)
class Weight:
    """The amount of text in an element, and of links."""

    text: int = 0
    linked: int = 0
    links: int = 0
    inner: int = 0  # links within the page

    @property
    def share(self) -> float:
        return self.linked / self.text if self.text else 0.0


Weights = dict[Any, Weight]


def find_content(root: Any) -> tuple[Any, Weights]:
    """Return the page's main element, and the weight of each element in it."""
    weights = weigh_elements(root)
    whole = weights[root].text
    for found in main_parts(root):
        if weights[found].text >= 0.25 * whole:
            return found, weights
    return root, weights


def main_parts(root: Any) -> list[Any]:
    """Return the elements marked as the main part, if unique, in order of preference."""
    ways = (
        list(root.iter("main")),
        [each for each in root.iter("div", "section") if each.get("role") == "main"],
        list(root.iter("article")),
    )
    return [found[0] for found in ways if len(found) == 1]


def weigh_elements(root: Any) -> Weights:
    """Weigh each element, in one walk."""
    weights: Weights = {root: Weight()}
    open_: list[Any] = []
    in_link = 0
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if not isinstance(element.tag, str):
            continue
        if event == "start":
            own = weights[element] = Weight()
            open_.append(element)
            if element.tag == "a" and element.get("href"):
                in_link += 1
                own.links = 1
                own.inner = int(element.get("href", "").startswith("#"))
            add_content(own, element.text, in_link)
            continue
        open_.pop()
        own = weights[element]
        if element.tag == "a" and element.get("href"):
            in_link -= 1
        if open_:
            above = weights[open_[-1]]
            above.text += own.text
            above.linked += own.linked
            above.links += own.links
            above.inner += own.inner
            add_content(above, element.tail, in_link)
    return weights


def add_content(weight: Weight, text: str | None, in_link: int) -> None:
    count = len(text.strip()) if text else 0
    weight.text += count
    weight.linked += count if in_link else 0


def is_unseen(element: Any, weights: Weights) -> bool:
    """Return whether the element is no text, or is navigation."""
    tag = element.tag
    if not isinstance(tag, str) or tag in UNSEEN or element.get("role") in UNSEEN_ROLES:
        return True
    if tag in WHOLE:
        return False
    name = f"{element.get('class') or ''} {element.get('id') or ''}"
    if NEVER.search(name):
        return True
    if tag == "a":
        return (element.text or "").strip().lower() in PERMALINKS and not len(element)
    return tag in BLOCKS and is_way(element, name, weights.get(element))


def is_hidden(element: Any) -> bool:
    """Return whether a browser would not show the element."""
    style = element.get("style")
    is_styled = style is not None and HIDING_STYLE.search(style) is not None
    return is_styled or element.get("hidden") is not None


def is_way(element: Any, name: str, weight: Weight | None) -> bool:
    """Return whether a block is navigation, by its links."""
    if weight is None or not weight.links:
        return False
    if weight.share >= MOST and LINKS.search(name):
        return True
    is_all = weight.share >= NEARLY_ALL or weight.text - weight.linked <= LABEL
    return is_all and weight.links >= 3 and weight.inner >= 0.8 * weight.links
