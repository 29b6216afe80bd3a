"""Superscripts, subscripts and struck runs as plain text.

What changes the meaning is kept: `2^31`, `H_2O`, `[struck out: 120] 95`. A footnote's mark becomes
`word[1]`, so that it can't be read as part of a number.
"""

import re

# After a word of four letters or punctuation, a superscript is a footnote's mark, else an exponent.
WORD = re.compile(r"[^\W\d_]{4,}$|[.,;:!?)\]”’\"']$")
MARK = re.compile(r"\(?(?:\d{1,3}|[a-z*†‡§¶]{1,3})\)?(?:,\s?\d{1,3}){0,4}")
# Endings of ordinals, and signs, which keep their meaning in the line.
PLAIN = frozenset("st nd rd th er re e ème º ª o a TM SM".split())
LONGEST = 20  # characters: more that is raised is a line of its own
STRUCK = "[struck out: "
SEAM = f"]{STRUCK}"  # of struck runs that follow one another


def format_run(base: str, run: str, position: str = "", *, is_struck: bool = False) -> str:
    """Write a run, "super…" or "sub…", behind the text before it; a struck one is marked."""
    script = run.strip()
    if position.startswith("su") and 0 < len(script) <= LONGEST:
        run = format_script(base, script, is_raised=position.startswith("super"))
    return f"{STRUCK}{run}]" if is_struck and script else run


def format_script(base: str, script: str, *, is_raised: bool) -> str:
    """Return a superscript or subscript as it is written after its base."""
    if not is_raised:
        return f"_{script}" if script[:1].isalnum() and base[-1:].isalnum() else script
    if MARK.fullmatch(script) and (WORD.search(base[-20:]) or not script[:1].isalnum()):
        return f"[{script.strip('()')}]"
    if script in PLAIN or not (base[-1:].isalnum() or base[-1:] in ")]"):
        return script
    return f"^{script}" if script[:1].isalnum() or script[:1] in "-−+(" else script
