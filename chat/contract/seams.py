"""The join of a cut answer and its continuation."""

from dataclasses import dataclass

from memory.text.words import split_words

# Characters of the second piece that are held back to look for an overlap.
HELD = 240
# Most words of an overlap.
MOST_DOUBLED = 30
# Equal first words by which the second piece is taken to be a new beginning.
ANEW = 6
# Longest word, in characters, that may be cut at the end of the first piece.
LONGEST_WORD = 40
JOINING = frozenset("'’.,%-_/:")
LIST_SIGNS = ("- ", "* ", "• ", "# ", "## ", "### ", "> ", "| ", "|")


def find_last_word(text: str) -> int:
    """Return the offset of the text's last word, which may be incomplete."""
    at, lowest = len(text), max(0, len(text) - LONGEST_WORD)
    while at > lowest and (text[at - 1] in JOINING or _is_spaced(text[at - 1])):
        at -= 1
    return at if at > lowest or len(text) < LONGEST_WORD else len(text)


def _is_spaced(letter: str) -> bool:
    """Return whether the letter belongs to a script that separates words by spaces."""
    return letter.isalnum() and not ("\u0e00" <= letter <= "\u0eff" or letter >= "\u2e80")


def is_whole(word: str) -> bool:
    """Return whether the last word of a cut text is complete."""
    return word.rstrip("*_)\"'”’").endswith((".", "!", "?")) and not word[0].isdigit()


@dataclass
class Seam:
    """Joins the second piece to the first without repeating the first one's end."""

    first: str
    has_begun_anew: bool = False
    _held: str = ""
    _is_joined: bool = False

    def feed(self, piece: str) -> str:
        """Add a piece; return the text that can be released."""
        if self._is_joined:
            return "" if self.has_begun_anew else piece
        self._held += piece
        return self._join() if len(self._held) >= HELD else ""

    def close(self) -> str:
        return "" if self._is_joined else self._join()

    def _join(self) -> str:
        self._is_joined = True
        head, self._held = self._held, ""
        said = split_words(self.first)
        self.has_begun_anew = len(said) > 2 * ANEW and split_words(head)[:ANEW] == said[:ANEW]
        if self.has_begun_anew:
            return ""
        fresh = head[_count_overlap(self.first, head) :].lstrip(" \t")
        if not fresh.strip():
            return ""
        return _find_space(self.first, fresh) + fresh


def _count_overlap(first: str, second: str) -> int:
    """Return the number of characters at the second's beginning that repeat the first's end."""
    start = len(second) - len(second.lstrip(" …."))
    tail = first[-HELD * 2 :].split()[-MOST_DOUBLED:]
    ends, at = [], start
    for word in second[start:].split()[:MOST_DOUBLED]:
        at = second.index(word, at) + len(word)
        ends.append((word, at))
    for length in range(min(len(tail), len(ends)), 0, -1):
        if [_strip_signs(word) for word in tail[-length:]] == [
            _strip_signs(word) for word, _ in ends[:length]
        ]:
            return ends[length - 1][1]
    return start


def _strip_signs(word: str) -> str:
    """Return the word in lower case without punctuation, unless it is nothing else."""
    return word.strip(".,;:!?*_()\"'“”").casefold() or word


def _find_space(first: str, second: str) -> str:
    """Return the white space to insert between the pieces."""
    if not first or first[-1].isspace() or second[0].isspace():
        return ""
    if second.startswith(LIST_SIGNS):
        return "\n"
    if second[0] in ".,;:!?)]”’%" or not (_is_spaced(first[-1]) or first[-1].isascii()):
        return ""
    return " "
