"""The join of a cut answer and its continuation."""

from dataclasses import dataclass

from memory.text.words import split_words

# So much of the second is looked at before any of it is given out.
HELD = 240
# So many words may stand on both sides of the seam.
MOST_DOUBLED = 30
# A second piece that begins with so many words of the first's beginning has begun anew.
ANEW = 6
# The last word of a text that was cut may be half a word, or half a number; it is at most so long.
LONGEST_WORD = 40
JOINING = frozenset("'’.,%-_/:")
LIST_SIGNS = ("- ", "* ", "• ", "# ", "## ", "### ", "> ", "| ", "|")


def find_last_word(text: str) -> int:
    """Return where the word begins that the text ends with: it may still go on."""
    at, lowest = len(text), max(0, len(text) - LONGEST_WORD)
    while at > lowest and (text[at - 1] in JOINING or _is_spaced(text[at - 1])):
        at -= 1
    return at if at > lowest or len(text) < LONGEST_WORD else len(text)


def _is_spaced(letter: str) -> bool:
    """Return whether it is a letter of a script that puts spaces between words."""
    return letter.isalnum() and not ("\u0e00" <= letter <= "\u0eff" or letter >= "\u2e80")


def is_whole(word: str) -> bool:
    """Return whether nothing is missing of the last word of a text that was cut."""
    return word.rstrip("*_)\"'”’").endswith((".", "!", "?")) and not word[0].isdigit()


@dataclass
class Seam:
    """Gives out a second piece so that the end of the first is not said twice."""

    first: str
    has_begun_anew: bool = False
    _held: str = ""
    _is_joined: bool = False

    def feed(self, piece: str) -> str:
        """Return the part of the second piece that is certain."""
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
    """Return how much of the second's beginning is what the first ends with, in characters."""
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
    """Return a word as it is compared: without its signs, unless it is made of them."""
    return word.strip(".,;:!?*_()\"'“”").casefold() or word


def _find_space(first: str, second: str) -> str:
    """Return the white space between the pieces."""
    if not first or first[-1].isspace() or second[0].isspace():
        return ""
    if second.startswith(LIST_SIGNS):
        return "\n"
    if second[0] in ".,;:!?)]”’%" or not (_is_spaced(first[-1]) or first[-1].isascii()):
        return ""
    return " "
