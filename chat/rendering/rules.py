"""Rendering rules for marks, formulas and code in an answer's Markdown."""

from collections.abc import Sequence
from html import escape

from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from chat.rendering import formulas
from chat.rendering.code import MAX_LENGTH, render_code
from chat.rendering.drawing import EITHER, Drawing


def _render_drawn(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    drawing: Drawing = env["drawing"]
    return drawing.drawn[tokens[index].meta["index"]].html


def _render_formula(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    typed = tokens[index].content
    env["formulas"] = env.get("formulas", 0) + len(typed)
    is_enough = env["formulas"] > formulas.MAX_LENGTH
    return f"<code>{escape(typed)}</code>" if is_enough else formulas.render_formula(typed)


def _render_fence(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    """Render a code block in colours, unless these could split a placeholder."""
    content = tokens[index].content
    env["code"] = env.get("code", 0) + len(content)
    is_plain = env["code"] > MAX_LENGTH or EITHER.search(content)
    language = "" if is_plain else next(iter(tokens[index].info.split()), "")
    return f"<pre><code>{render_code(content, language)}</code></pre>\n"


def _render_run(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    """Render a text or a code span, underlined if it is part of an unsupported claim."""
    token = tokens[index]
    html = escapeHtml(token.content)
    html = f"<code>{html}</code>" if token.type == "code_inline" else html
    return (
        f'<span class="claim is-{token.meta["claim"].claim.state}">{html}</span>'
        if "claim" in token.meta
        else html
    )


RULES = {
    "begin": lambda *_: "",
    "code_inline": _render_run,
    "drawn": _render_drawn,
    "fence": _render_fence,
    "formula": _render_formula,
    "text": _render_run,
}
