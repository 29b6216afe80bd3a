"""Encodings: bytes become text in Unicode as their mark says, else UTF-8, else Windows' own.

UTF-16 without a mark is known by its zeros: they stand in one of two bytes, and in no other text.
"""

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE, BOM_UTF32_LE

from citations.formats.reading import BadFile

# The longer mark first: UTF-32's begins with UTF-16's.
MARKS = {
    BOM_UTF32_LE: "utf-32",
    BOM_UTF32_BE: "utf-32",
    BOM_UTF16_LE: "utf-16",
    BOM_UTF16_BE: "utf-16",
}
HIGH, ASCII_LETTER = re.compile(rb"[\x80-\xff]"), re.compile(rb"[A-Za-z]")
# Two bytes of UTF-8, which in other encodings stand together by chance.
PAIR = re.compile(rb"[\xc2-\xf4][\x80-\xbf]")
# Signs of windows-1252 that stand in no word: in a word they are letters of another encoding.
IN_WORD = re.compile(r"[^\W\d_][¡¢¤¥¦¨¬¯±²³¶¸¹¼½¾¿×÷][^\W\d_]")
# Of the first bytes of a text in UTF-16: the zeros beside spaces and line ends, at least.
LOOKED_AT, LEAST_ZEROS, LEAST_SPACES = 8192, 20, 100
CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ufffe\uffff]")
# Of as many letters, so many are beyond ASCII in languages of western Europe.
MOST_HIGH = 0.3


def decode_text(data: bytes) -> str:
    """Return the bytes as text, or raise BadFile."""
    encoding = encoding_of(data)
    if encoding == "utf-8-sig" and b"\x00" in data:
        raise BadFile("binary")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        text = western(data) if encoding == "utf-8-sig" else ""
        if not text:
            raise BadFile("not_utf8") from error
        return text


def encoding_of(data: bytes) -> str:
    """Return what the mark of a text says, or its zeros, else UTF-8."""
    marked = next((name for mark, name in MARKS.items() if data.startswith(mark)), "")
    return marked or unmarked(data[:LOOKED_AT]) or "utf-8-sig"


def unmarked(data: bytes) -> str:
    """Return which UTF-16 text is in that has no mark, or nothing if it is in another encoding."""
    high = (data[1::2].count(0), data[::2].count(0))
    if len(data) % 2 or min(high) or max(high) * LEAST_ZEROS < len(data) // 2:
        return ""
    encoding = "utf-16-le" if high[0] else "utf-16-be"
    text = data.decode(encoding, "ignore")
    spaces = text.count(" ") + text.count("\n")
    return encoding if spaces * LEAST_SPACES >= len(text) and not CONTROL.search(text) else ""


def western(data: bytes) -> str:
    """Return the text of windows-1252 or latin-1, or nothing if it is rather another encoding."""
    high = len(HIGH.findall(data))
    if high > MOST_HIGH * len(ASCII_LETTER.findall(data)) or 2 * len(PAIR.findall(data)) >= high:
        return ""
    try:
        text = data.decode("windows-1252")
    except UnicodeDecodeError:
        return ""
    return "" if IN_WORD.search(text) else text
