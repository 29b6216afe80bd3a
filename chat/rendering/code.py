"""Syntax highlighting with CSS classes: bounded, the lexer chosen by the fence's language."""

from html import escape

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.token import STANDARD_TYPES

# Many lexers have patterns of exponential time. These took at most a second for the longest code,
# made of one repeated sign or word.
LANGUAGES = set(
    """bash c c++ cpp cs csharp css diff dockerfile go haskell html ini java javascript js json
    kotlin latex make matlab php python py r ruby rust scala sh shell sql swift tex toml ts
    typescript xml yaml yml""".split()
)
MAX_LENGTH, MAX_LINE = 10_000, 200  # characters
CLASSES = set(STANDARD_TYPES.values()) - {""}
FORMATTER = HtmlFormatter(nowrap=True)


def render_code(code: str, language: str) -> str:
    """Return the code as HTML, without colours if it is long or its language is unknown."""
    is_long = len(code) > MAX_LENGTH or max(map(len, code.splitlines()), default=0) > MAX_LINE
    if language.lower() not in LANGUAGES or is_long:
        return escape(code)
    lexer = get_lexer_by_name(language.lower(), stripnl=False, ensurenl=False)
    return highlight(code, lexer, FORMATTER)
