"""Escapes of roff: what stands behind a backslash becomes what is printed, or nothing."""

import re

from citations.formats.plain.lines import TAB

NAMED = {
    "em": "—",
    "en": "–",
    "hy": "-",
    "mi": "-",
    "bu": "•",
    "sq": "□",
    "ci": "○",
    "lh": "☜",
    "aq": "'",
    "cq": "’",
    "oq": "‘",
    "lq": "“",
    "rq": "”",
    "dq": '"',
    "Bq": "„",
    "bq": "‚",
    "ga": "`",
    "aa": "´",
    "ha": "^",
    "ti": "~",
    "rs": "\\",
    "sl": "/",
    "ba": "|",
    "or": "|",
    "co": "©",
    "rg": "®",
    "tm": "™",
    "sc": "§",
    "ps": "¶",
    "dg": "†",
    "dd": "‡",
    "de": "°",
    "at": "@",
    "sh": "#",
    "Do": "$",
    "eu": "€",
    "Po": "£",
    "ct": "¢",
    "Ye": "¥",
    "14": "¼",
    "12": "½",
    "34": "¾",
    "mu": "×",
    "di": "÷",
    "+-": "±",
    "<=": "≤",
    ">=": "≥",
    "!=": "≠",
    "->": "→",
    "<-": "←",
    "ua": "↑",
    "da": "↓",
    "rA": "⇒",
    "if": "∞",
    "mc": "µ",
    "ss": "ß",
    "pl": "+",
    "eq": "=",
    "**": "*",
    "lB": "[",
    "rB": "]",
    "lC": "{",
    "rC": "}",
    "la": "⟨",
    "ra": "⟩",
    "fi": "fi",
    "ff": "ff",
    "fl": "fl",
    "Fi": "ffi",
    "AE": "Æ",
    "ae": "æ",
    "OE": "Œ",
    "oe": "œ",
    "/O": "Ø",
    "/o": "ø",
    "oA": "Å",
    "oa": "å",
    "IJ": "Ĳ",
    "!": "¡",
    "r!": "¡",
    "r?": "¿",
    "Fo": "«",
    "Fc": "»",
    "fo": "‹",
    "fc": "›",
    "*a": "α",
    "*b": "β",
    "*p": "π",
    "*m": "μ",
    "*s": "σ",
    "*S": "Σ",
    "*W": "Ω",
    "Tm": "™",
    "R": "®",
    "lt": "<",
    "gt": ">",
    "Ba": "|",
    "Am": "&",
    "Lt": "<",
    "Gt": ">",
    "Le": "≤",
    "Ge": "≥",
    "Ne": "≠",
    "Pm": "±",
    "--": "—",
}
ACCENTS = {"'": "\u0301", "`": "\u0300", "^": "\u0302", ":": "\u0308", "~": "\u0303"}
ACCENTS |= {",": "\u0327"}
ESCAPE = re.compile(
    r"""\\(?:
    "(?P<comment>.*)
    | (?P<kept>[-'`.\\e~ 0_t|&^%/,:{})!?cdupra])
    | f(?:\[[^\]\s]{0,40}\]|\(..|.)
    | s(?:[-+]?\[[^\]]{0,10}\]|[-+]?'[^']{0,10}'|\([-+]?\d\d|[-+]?\d{1,2})
    | [hvwoblLDXZRACNH]'[^']{0,200}'
    | [nFgkmMVY](?:[-+]?\[[^\]]{0,40}\]|[-+]?\(..|[-+]?.)
    | \*(?:\[(?P<long>[^\]]{0,40})\]|\((?P<two>..)|(?P<one>.))
    | \[(?P<name>[^\]]{0,40})\]
    | \((?P<pair>..)
    | z
    | (?P<other>.)?
    )""",
    re.VERBOSE,
)
KEPT = {
    "-": "-",
    "'": "´",
    "`": "`",
    ".": ".",
    "\\": "\\",
    "e": "\\",
    "~": "\xa0",
    " ": " ",
    "0": " ",
    "_": "_",
    "t": "\t",
    "?": "?",
    "!": "!",
}
CODE = re.compile(r"u([0-9A-Fa-f]{4,6})(?:_([0-9A-Fa-f]{4,6}))?")
QUOTED = re.compile(r'"((?:[^"]|"")*)"?|((?:[^\s\\]|\\ |\\.|\\)+)')


def printed(text: str) -> str:
    """Return what is printed of a line of text."""
    if "\\" not in text:
        return text
    return ESCAPE.sub(character, text).replace("\xa0", " ")


def character(match: re.Match[str]) -> str:
    if (kept := match["kept"]) is not None:
        return KEPT.get(kept, "")
    name = match["name"] or match["pair"] or match["long"] or match["two"] or match["one"]
    if name is None:
        return match["other"] or ""
    if name in NAMED:
        return NAMED[name]
    if code := CODE.fullmatch(name):
        points = [int(each, 16) for each in code.groups() if each]
        return "".join(chr(point) for point in points if point < 0x110000)
    if len(name) == 2 and name[0] in ACCENTS and name[1].isalpha():
        return name[1] + ACCENTS[name[0]]
    return ""


def arguments(text: str) -> list[str]:
    """Return the arguments of a request: words, or what stands in quotation marks."""
    return [
        (quoted.replace('""', '"') if quoted or not bare else bare)
        for quoted, bare in QUOTED.findall(text)
    ]


def expanded(line: str) -> str:
    """Return a line of a display as it is printed."""
    return printed(line).expandtabs(TAB).rstrip()
