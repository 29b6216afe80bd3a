"""reStructuredText: rendered by docutils, then read as any page of HTML.

Nothing is fetched or included. Roles and directives that docutils doesn't know are Sphinx's: a role
keeps its text, a directive its argument and its content.
"""

import mimetypes
import re
from typing import Any, ClassVar

from docutils import nodes
from docutils.core import publish_parts
from docutils.parsers.rst import Directive, directives, roles
from docutils.parsers.rst.languages import en
from docutils.parsers.rst.states import Inliner
from docutils.statemachine import StringList

from citations.formats import html, plain
from citations.formats.cleaning import clean
from citations.formats.plain.encodings import decode_text
from citations.formats.reading import FileReading, Progress, ReadingLimits, glance

# In characters; longer text is read as plain text. docutils takes some seconds for a megabyte, and
# time quadratic in the length of a paragraph.
MOST, LONGEST_PARAGRAPH, LONGEST_WORD = 2_000_000, 32_000, 1000
GLANCE = 50_000  # first characters in which a title is sought
SETTINGS = {
    "_disable_config": True,
    "embed_stylesheet": False,
    "file_insertion_enabled": False,
    "halt_level": 5,
    "line_length_limit": MOST,
    "raw_enabled": False,
    "report_level": 5,
    "sectsubtitle_xform": False,
    "stylesheet_path": "",
    "syntax_highlight": "none",
    "toc_backlinks": False,
}
# docutils looks up types of pictures; this process has no access to the machine's list.
mimetypes.init(files=())
# Classifiers of a term, which lose their colon in docutils' HTML.
CLASSIFIER = '<span class="classifier">'
DIRECTIVE = re.compile(
    r"^[ \t]*\.\.[ \t]+(?:\|[^|\n]{1,80}\|[ \t]+)?([\w:+.-]{1,60})::", re.MULTILINE
)
ROLE = re.compile(r":([\w+.:-]{1,60}):`")
EMPTY = re.compile(r"\n[ \t]*\n")
WORD = re.compile(r"[!-~]+")
TARGET = re.compile(r"<[^<>]*>$")
# Directives that only configure the manual's builder, and those for programs.
SILENT = frozenset(
    "autosummary currentmodule default-domain highlight index literalinclude module"
    " py:currentmodule py:module tabularcolumns toctree".split()
)
VERSIONS = {
    "deprecated": "Deprecated since version",
    "versionadded": "Added in version",
    "versionchanged": "Changed in version",
    "versionremoved": "Removed in version",
}
PROGRAMS = frozenset("code-block console doctest ipython prompt testcode testoutput".split())


class AnyOption(dict[str, Any]):
    """Accepts every option unchanged."""

    def __missing__(self, name: str) -> Any:
        return directives.unchanged


class Unknown(Directive):
    """An unknown directive: its argument, and its content."""

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar = AnyOption(class_=directives.unchanged)

    def run(self) -> list[nodes.Node]:
        name, about = self.name.lower(), " ".join(" ".join(self.arguments).split())
        if name in SILENT:
            return []
        if name in PROGRAMS:
            return [nodes.literal_block("", "\n".join(self.content))]
        inside = nodes.Element()
        self.state.nested_parse(StringList(self.content), self.content_offset, inside)
        said = list(inside.children)
        if name in VERSIONS:
            text, _ = self.state.inline_text(f"{VERSIONS[name]} {about}", self.lineno)
            return [nodes.paragraph("", "", *text), *said]
        if not about or not said:
            return said  # alone it only marks the next element, which repeats the name
        term, meaning = nodes.term(about, about), nodes.definition("", *said)
        return [nodes.definition_list("", nodes.definition_list_item("", term, meaning))]


def strip_role(
    name: str, rawtext: str, text: str, lineno: int, inliner: Inliner, *more: Any
) -> tuple[list[nodes.Node], list[nodes.system_message]]:
    """Return the words of a reference, without its target."""
    shown = TARGET.sub("", text).rstrip().strip("~!") or text
    return [nodes.inline(rawtext, shown)], []


def inspect(data: bytes, limits: ReadingLimits, progress: Progress) -> FileReading:
    """Return the title, after checking for text."""
    page = render_page(clean(decode_text(data))[:GLANCE])
    return glance(html.read, page, limits) if page else plain.inspect(data, limits, progress)


def read(data: bytes, limits: ReadingLimits, progress: Progress) -> FileReading:
    """Return the text under its headings."""
    page = render_page(clean(decode_text(data)))
    return html.read(page, limits, progress) if page else plain.read(data, limits, progress)


def render_page(text: str) -> bytes | None:
    """Render the text as HTML, or return None if it is too long or too deep for docutils."""
    paragraph, word = max(map(len, EMPTY.split(text))), max(map(len, WORD.findall(text)), default=0)
    if len(text) > MOST or paragraph > LONGEST_PARAGRAPH or word > LONGEST_WORD:
        return None
    know(text)
    try:
        parts = publish_parts(text, writer="html5", settings_overrides=SETTINGS)
    except RecursionError:
        return None
    title = parts["title"]
    head = f"<title>{title}</title>" if title else ""
    body = parts["html_body"].replace(CLASSIFIER, f": {CLASSIFIER}")
    return f"<html><head>{head}</head><body><main>{body}</main></body></html>".encode()


def know(text: str) -> None:
    """Register the names in the text that docutils doesn't know."""
    for name in {name.lower() for name in DIRECTIVE.findall(text)} - set(en.directives):
        directives.register_directive(name, Unknown)
    for name in {name.lower() for name in ROLE.findall(text)} - set(en.roles):
        roles.register_local_role(name, strip_role)  # type: ignore[arg-type]
