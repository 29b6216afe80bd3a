"""Given: the text of an answer as far as it was given out, put together piece by piece."""

from dataclasses import dataclass, field

from memory.text.citation_markers import Code

# So much of a line and of the end is looked at.
KEPT = 64


@dataclass
class GivenText:
    """The text that was given out, and what has to be known of its end."""

    length: int = 0
    # How its last line begins, whether that has any sign, and its last characters.
    line: str = ""
    is_blank: bool = True
    end: str = ""
    code: Code = field(default_factory=Code)
    # What was given since the last look.
    fresh: list[str] = field(default_factory=list)
    _pieces: list[str] = field(default_factory=list)

    def add(self, text: str) -> None:
        self.fresh.append(text)
        self._pieces.append(text)
        self.length += len(text)
        _, newline, last = text.rpartition("\n")
        self.line = last[:KEPT] if newline else (self.line + text[:KEPT])[:KEPT]
        self.is_blank = (bool(newline) or self.is_blank) and not last.strip()
        self.end = (self.end + text[-KEPT:])[-KEPT:]
        self.code.feed(text)

    @property
    def text(self) -> str:
        """All of it."""
        self._pieces = ["".join(self._pieces)]
        return self._pieces[0]
