"""Titles: recognises document titles, headings and captions by their words."""

import re

PARTS = re.compile(
    r"(?:\d+(?:\.\d+)*\.?\s+)?(?:"
    r"abstract|summary|about|overview|introduction|intro|background|preface|preamble|foreword|motivation|why"
    r"|features?|highlights|key features|getting started|quick ?start|installation|installing"
    r"|install|installation and usage"
    r"|how to install|setup|use|usage|basic usage|how to use|examples?|requirements?|prerequisites"
    r"|dependencies|documentation|docs|support|license|licen[cs]ing|contributing|contributors|credits"
    r"|acknowledge?ments|authors?|status|notes?|news|description|synopsis|name|demo|index|unreleased"
    r"|next|latest|table of contents|contents|toc"
    r"|einleitung|einführung|vorwort|präambel|zusammenfassung|inhalt(?:sverzeichnis)?|überblick|funktionen"
    r"|introducción|resumen|prólogo|preámbulo|índice|contenidos?|instalación|características|uso"
    r"|résumé|avant-propos|préambule|sommaire|table des matières|fonctionnalités"
    r")[:.!?]?",
    re.IGNORECASE,
)
VERSION = re.compile(
    r"\W*(?:version|release[ds]?|v)?\.?\s*\[?v?(?:\d+(?:\.\w+)+|\d{4}-\d\d-\d\d)\b[^a-z]*"
    r"(?:\(?unreleased\)?|(?:\d*\s*[a-z]{3,9}\s*[\d, ]+))?\W*",
    re.IGNORECASE,
)
CONTENTS = re.compile(
    r"(?:table of |list of )?(?:contents|figures|tables)|índice(?: general)?|contenidos?"
    r"|inhalt(?:sverzeichnis)?|sommaire|table des matières|sumário|indice|содержание|оглавление"
    r"|içindekiler|目录",
    re.IGNORECASE,
)
OWNED = re.compile(r"(?:copyright\b|©|\(c\))", re.IGNORECASE)
LONGEST = 80

# Longest heading without markup, and the mark of a question, which is dropped.
LONGEST_HEADING = 150
ASKED = re.compile(r"Q(?:uestion)?\s?\d{0,3}\s?[.:)]\s+", re.IGNORECASE)
EXAMPLE = re.compile(r"(?:example|beispiel|ejemplo|exemple|procedure)\s\d", re.IGNORECASE)
LETTERS = re.compile(r"[^\W\d_]{2,}")

NAMES = (
    "table tabla tabela tabella tabelle tableau figure figura figur abbildung abb fig exhibit box"
    " listing cuadro grafik graph schaubild таблица рисунок рис tablo şekil 表 图 圖 جدول شكل"
).split()
# "Table 3: ...", "Fig. 2.1 ...", "Tabla 4 – ...": the number, then a mark or a capital letter.
CAPTION = re.compile(
    rf"(?:{'|'.join(NAMES)})\.?\s?(?:\d{{1,3}}|[A-Z])(?:[.-]\d{{1,3}}){{0,3}}"
    r"(?:\s?[.:–—|-]|\.?\s(?-i:[A-ZÀ-ÞА-Я]))",
    re.IGNORECASE,
)
LONGEST_CAPTION = 600


def can_be_title(heading: str) -> bool:
    """Return whether a heading can be the document's title, and not that of a mere part."""
    line = heading.strip()[:LONGEST]
    is_part = PARTS.fullmatch(line) or VERSION.fullmatch(line) or OWNED.match(line)
    return bool(line) and not is_part


def is_contents_title(heading: str) -> bool:
    """Return whether a heading is the title of a table of contents."""
    return CONTENTS.fullmatch(heading[:LONGEST].strip()) is not None


def find_heading(text: str) -> str:
    """Return the text of a line that reads as a heading, or nothing."""
    line = ASKED.sub("", " ".join(text.split()), count=1)
    letters = sum(map(str.isalpha, line[:LONGEST_HEADING]))
    is_worded = LETTERS.search(line) is not None and 2 * letters >= len(line.replace(" ", ""))
    is_worded = is_worded and (line[0].isalnum() or line[0] in "¿“«„")
    is_heading = len(line) <= LONGEST_HEADING and is_worded
    is_other = is_caption(line) or EXAMPLE.match(line) is not None
    return line if is_heading and not is_other and line[-1] not in ".,;:!" else ""


def is_caption(text: str) -> bool:
    """Return whether a short paragraph is a caption, by its first words."""
    return len(text) <= LONGEST_CAPTION and CAPTION.match(text) is not None
