"""Cleaning: removes characters that are invisible to people or that a database can't hold."""

import re
import unicodedata
from urllib.parse import urlsplit

MAX_TITLE = 300
MAX_NAME, MAX_NAMES = 200, 50
MAX_URL = 2000
# Controls, soft hyphens, directions of writing, zero width, annotations, tags, lone surrogates.
INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffc\ud800-\udfff\U000e0000-\U000e0fff]"
)
# Joiners belong to Persian, Indic scripts and emoji; in English or in long runs they hide text.
JOINERS = re.compile(
    "(?<![^\x00-\x7f])\u200c+|(?<![^\x00-\x7f])\u200d+|[\u200c\u200d](?![^\x00-\x7f])"
    "|[\u200c\u200d\ufe00-\ufe0f]{3,}"
)
# Piles of combining marks. Text has a few on one letter, but normalising thousands takes quadratic
# time. Three are recognised by their decomposition only. A class with characters beyond U+FFFF is
# slow, so each kind of first mark has its own pattern; FAR is tested first.
_NEAR = "\u0f73\u0f75\u0f81" + "".join(filter(unicodedata.combining, map(chr, range(1 << 16))))
_FAR = "".join(filter(unicodedata.combining, map(chr, range(1 << 16, 0x1F000))))
FAR = re.compile("[\U00010000-\U0001efff]{31}")
PILE, FAR_PILE = (
    re.compile(f"([{first}][{_NEAR}{_FAR}]{{29}})[{_NEAR}{_FAR}]+") for first in (_NEAR, _FAR)
)
BREAKS = re.compile("\r\n?|[\x0b\x0c\u2028\u2029]")
# Titles made by programs: "Microsoft Word - Report.docx", "untitled", "slide 1".
PROGRAM = re.compile(
    r"^(?:microsoft (?:word|powerpoint|excel) ?- ?|powerpoint presentation$)", re.I
)
NO_TITLE = re.compile(
    r"^(?:untitled.*|(?:document |page )?title|document\d*|slide \d+|presentation\d*|no title"
    r"|unknown|none|null"
    r"|powerpoint-präsentation|présentation powerpoint|presentaci[oó]n de powerpoint"
    r"|apresentação do powerpoint|presentazione (?:standard di )?powerpoint|präsentation\d*"
    r"|folie \d+|dokument\d*)$",
    re.I,
)
SUFFIX = re.compile(r"\.(?:docx?|pdf|indd|tex|dvi|ps|pptx?|xlsx?|odt|rtf|qxd|p65|html?|txt)$", re.I)
NO_NAME = re.compile(
    r"^(?:unknown(?: author)?|admin(?:istrator)?|user|author|owner|none|null|anonymous|default"
    r"|openpyxl|xlsxwriter|apache poi|python-(?:docx|pptx)|docx4j|pandoc|phpexcel|phpspreadsheet"
    r"|(?:libre|open|only)office(?:\.org)?|microsoft(?: (?:office|corporation))?(?: user)?"
    r"|microsoft (?:word|excel|powerpoint)|\W*)(?:[ /][\d.]+)?$",
    re.I,
)


def clean(text: str) -> str:
    """Return the text with plain line ends and without invisible characters."""
    text = INVISIBLE.sub("", BREAKS.sub("\n", text))
    if text.isascii():
        return text
    text = PILE.sub(r"\1", JOINERS.sub("", text))
    if FAR.search(text):
        text = FAR_PILE.sub(r"\1", text)
    return unicodedata.normalize("NFC", text)


def clean_line(text: str, limit: int = MAX_TITLE) -> str:
    """Return the text as one clean line of at most so many characters."""
    line = " ".join(clean(text[: limit * 10]).split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def clean_title(text: str) -> str:
    """Return the cleaned title of a file's properties, or nothing if a program made it up."""
    title = PROGRAM.sub("", clean_line(text))
    letters, digits = (sum(map(kind, title)) for kind in (str.isalpha, str.isdigit))
    # "sag-39-3-4-0902-21:sag-0", "LOGO_POS_V_CMYK"
    is_code = " " not in title and (digits > max(letters, 6) or title.count("_") > 1)
    is_none = NO_TITLE.match(title) or SUFFIX.search(title) or letters < 3 or is_code
    return "" if is_none else title


def split_names(text: str) -> list[str]:
    """Split an author property into the names of people."""
    whole = clean_line(text, MAX_NAME * MAX_NAMES)
    parts = re.split(r";| and | & ", whole)
    if ";" not in whole and all(" " in name.strip() for name in split_by_comma(parts)):
        parts = split_by_comma(parts)  # "Jane Doe, John Roe", but not "Doe, Jane"
    return clean_names(parts)


def split_by_comma(parts: list[str]) -> list[str]:
    return [name for part in parts for name in part.split(",") if name.strip()]


def clean_names(parts: list[str]) -> list[str]:
    """Return the names of people, each once."""
    found = dict.fromkeys(clean_line(part, MAX_NAME) for part in parts[: MAX_NAMES * 2])
    return [name for name in found if not NO_NAME.match(name)][:MAX_NAMES]


def parse_http_address(text: str) -> str:
    """Return the text if it is an http address, else nothing."""
    address = clean(text).strip()
    if len(address) > MAX_URL or not re.fullmatch(r"https?://[^\s<>\"'\\]+", address, re.I):
        return ""
    try:
        return address if urlsplit(address).netloc else ""
    except ValueError:  # "http://[x", which can't be parsed
        return ""
