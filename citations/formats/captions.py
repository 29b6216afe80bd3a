"""Captions: the line that says what a table or a figure shows."""

import re

NAMES = (
    "table tabla tabela tabella tabelle tableau figure figura figur abbildung abb fig exhibit box"
    " listing cuadro grafik graph schaubild таблица рисунок рис tablo şekil 表 图 圖 جدول شكل"
).split()
# "Table 3: ...", "Fig. 2.1 ...", "Tabla 4 – ...": the number, and then a mark or a capital letter.
CAPTION = re.compile(
    rf"(?:{'|'.join(NAMES)})\.?\s?(?:\d{{1,3}}|[A-Z])(?:[.-]\d{{1,3}}){{0,3}}"
    r"(?:\s?[.:–—|-]|\.?\s(?-i:[A-ZÀ-ÞА-Я]))",
    re.IGNORECASE,
)
LONGEST = 600


def is_caption(text: str) -> bool:
    """Return whether a short paragraph is a caption by the way it begins."""
    return len(text) <= LONGEST and CAPTION.match(text) is not None
