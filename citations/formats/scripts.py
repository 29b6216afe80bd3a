"""Superscripts and subscripts as plain text.

Those that change the meaning are kept: `2^31`, `H_2O`. A footnote's mark becomes `word[1]`, so that
it can't be read as part of a number.
"""

import re

# After a word of four letters or punctuation, a superscript is a footnote's mark, else an exponent.
WORD = re.compile(r"[^\W\d_]{4,}$|[.,;:!?)\]”’\"']$")
MARK = re.compile(r"\(?(?:\d{1,3}|[a-z*†‡§¶]{1,3})\)?(?:,\s?\d{1,3}){0,4}")
# Endings of ordinals, and signs, which keep their meaning in the line.
PLAIN = frozenset("st nd rd th er re e ème º ª o a TM SM".split())


def format_script(base: str, script: str, *, is_raised: bool) -> str:
    """Return a superscript or subscript as it is written after its base."""
    if base.endswith("L") and script == "A":  # the logo of LaTeX
        return script
    if not is_raised:
        return f"_{script}" if script[:1].isalnum() and base[-1:].isalnum() else script
    if MARK.fullmatch(script) and (WORD.search(base[-20:]) or not script[:1].isalnum()):
        return f"[{script.strip('()')}]"
    if script in PLAIN or not (base[-1:].isalnum() or base[-1:] in ")]"):
        return script
    return f"^{script}" if script[:1].isalnum() or script[:1] in "-−+(" else script
