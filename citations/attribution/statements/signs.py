"""Signs: how an answer's lines begin and end, and words that state nothing."""

import re

QUOTED = ">"
# Bullets, numbers and check boxes, which are no part of a line's text.
ITEM = re.compile(r"[ \t]*(?:(?:[-*+•–]|\d{1,3}[.)])[ \t]+)(?:\[[ xX]\][ \t]+)?")
HEADING = re.compile(
    r"[ \t]{0,3}#{1,6}(?:[ \t]|$)|[ \t]*(?:\*\*[^*\n]{1,80}\*\*|__[^_\n]{1,80}__)[ \t]*$"
)
SEPARATOR = re.compile(r"[ \t]*\|?(?:[ \t]*:?-{2,}:?[ \t]*\|?)+[ \t]*$")
# The place of a quotation: a line that is all emphasised, or has a path or a page.
PLACE = re.compile(
    r"[ \t]*(?:\*[^*\n]+\*|[—–-][^\n]{1,200}|[^\n]{0,200}(?: › |· ?pp?\. ?\d)[^\n]{0,200})[ \t]*$"
)
ENDING = " \t\n.!?…。！？"
CLOSING = " \t\n\"'”’»)]*_~"
BEFORE_SIGN = re.compile(r"(?<! ) ([.,;:!?])")
SHORT_ITEM = 8  # words: a longer item doesn't need its introduction
# "According to passage [3], …" and "Passage [3] says that": no part of the claim.
_PASSAGES = r"(?:passages?|sources?|documents?|docs?|pasajes?|fuentes?|quellen?|extraits?)"
ATTRIBUTED = re.compile(
    r"(?:(?:according to|as (?:stated|described|noted|mentioned|said|shown) (?:in|by)|in|per|from"
    r"|based on|laut|gemäß|nach|según|selon|d'après)[ \t]{1,3})?(?:(?:the|la|el|der|le)[ \t]{1,3})?"
    rf"{_PASSAGES}\b[ \t\x00]*(?:(?:and|und|y|et|,)[ \t\x00]*){{0,9}}"
    r"(?:(?:says?|states?|notes?|mentions?|explains?|confirms?|sagt|besagt|dice|indica|dit|indique)"
    r"[ \t]{1,3}(?:that|dass|que)?)?[ \t,:]*",
    re.IGNORECASE,
)
# Refusals, courtesies and bare assent, which are no claims.
EMPTY = re.compile(
    r"(?:however|unfortunately|sorry|but|leider|lamentablemente|malheureusement|i'm sorry|[,:;\s])*"
    r"(?:(?:the|these|this|none of the|no|die|der|das|los|las|el|les|le|la|ningun[oa]?)\s+"
    r"(?:\w+\s+){0,3}(?:passages?|documents?|library|sources?|context|text|excerpts?|information|"
    r"passagen?|dokumente?|quellen?|bibliothek|pasajes?|documentos?|fuentes?|biblioteca|extraits?)\s+"
    r"(?:\w+\s+){0,3}?(?:do(?:es)?\s+not|don't|doesn't|cannot|can't|says?\s+nothing|nothing|not|"
    r"nicht|nichts|kein|keine|keinen|no|ne)\b"
    r"|(?:there\s+is|i\s+have|we\s+have)\s+(?:no|not\s+enough)\s+(?:\w+\s+){0,2}(?:information|mention|passage|answer)"
    r"|i\s+(?:do\s+not|don't|cannot|can't|could\s+not|couldn't|am\s+(?:not\s+able|unable))\b"
    r"|(?:please\s+)?(?:let\s+me\s+know|feel\s+free|don't\s+hesitate)\b|i\s+hope\b|i'?m\s+happy\b"
    r"|(?:hello|hi|hey|sure|certainly|of\s+course|thank\s+you|thanks|you're\s+welcome|great\s+question"
    r"|yes|no|hallo|gerne|natürlich|danke|hola|claro|gracias|bonjour|merci|bien\s+sûr|ja|nein|sí"
    r"|oui|non)\b[\s,]*(?:\w+[\s,]*){0,3}[.!…]*$"
    r"|(?:ich\s+hoffe|espero\s+que|j'espère|lassen\s+sie\s+mich|si\s+necesita|n'hésitez)\b)",
    re.IGNORECASE,
)
