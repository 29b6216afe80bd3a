"""Names: what a question writes letter by letter, and what holds it letter by letter, too."""

import re

from memory.text.words import STOP_WORDS, symbols

# "code 23", "2.32.4", "5".
NUMBERED = re.compile(r"(?<![\w.-])(?:([^\W\d_]{2,20}) )?(\d+(?:\.\d+){0,4})(?![\w-])")
NAME = re.compile(r"(?<![\w-])(?:-{1,2}[^\W_]\w*|[^\W_]\w*(?=[-_.]\w))(?:[-_.]\w+)*")
ACRONYM = re.compile(r"(?<![\w-])[A-Z][A-Z\d]{1,7}(?![\w-])")
VERSION = re.compile(r"\d+(?:\.\d+)+")
# What is written in signs: "$#", "*/5", "c++"; what a sentence may have for a mark or a word
# ("salt & pepper"); and what may stand around signs.
SIGNS = re.compile(r"[^\w\s.-]")
MARKS = re.compile(r"[?!]+|[&+=]")
BEFORE_SIGNS, BEHIND_SIGNS = r"(?<![^\s\"'`‘’“”(])", r"(?![^\s\"'`‘’“”),.;:?!])"


def literal_names(question: str) -> list[str]:
    """Return the names of options, files and variables in a question, acronyms, versions, what is
    written in signs, and what has a number: the number alone, if it isn't a digit.
    """
    acronyms = [] if question.isupper() else ACRONYM.findall(question)
    numbers = [
        number if len(number) > 1 else f"{what} {number}"
        for what, number in NUMBERED.findall(question)
        if len(number) > 1 or (what and what.lower() not in STOP_WORDS)
    ]
    signs = [each for each in signs_in(question) if SIGNS.search(each)]
    return list(dict.fromkeys([*NAME.findall(question), *acronyms, *numbers, *signs]))


def signs_in(question: str) -> list[str]:
    """Return what a question writes in signs, without what may be a mark of its sentence."""
    return [each for each in symbols(question) if not MARKS.fullmatch(each)]


def names_in(question: str) -> list[re.Pattern[str]]:
    """Return what finds each of the question's names.

    An option of one letter is another one without its dash, or in capitals.
    """
    return [name_pattern(name) for name in literal_names(question)]


def name_pattern(name: str) -> re.Pattern[str]:
    """Return what finds the name where it is no part of another one."""
    if SIGNS.search(name):
        return re.compile(f"{BEFORE_SIGNS}{re.escape(name)}{BEHIND_SIGNS}", re.IGNORECASE)
    bare = re.escape(name.lstrip("-"))
    if " " in name:  # "code 1", which may begin an entry without its word
        number = bare.rpartition(" ")[2]
        return re.compile(
            rf"(?im)(?<![\w.-]){bare}(?![\w-]|\.\d)|^[^\w\n]{{0,8}}{number}(?:\.0){{0,2}}"
            r"(?=\s+[^\W\d]|\s-\s)"
        )
    if name[-1].isdigit() and NUMBERED.fullmatch(name):
        return re.compile(rf"(?<![\w.-]){bare}(?:\.0)?(?![\w-]|\.\d)", re.IGNORECASE)
    if len(name.lstrip("-")) == 1:
        return re.compile(rf"(?<![\w-]){name}(?![\w-])")
    return re.compile(rf"(?<!\w)(?:--?)?{bare}(?![\w-])", re.IGNORECASE)
