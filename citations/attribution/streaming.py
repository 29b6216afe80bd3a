"""Streaming: the labels of an answer become the session's numbers in one pass.

Text is given out once it can't change any more, so half a marker never shows and the stored text is
the streamed one. The result doesn't depend on how the stream is cut.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from django.conf import settings

from citations.attribution import markers as forms
from citations.attribution.offers import GivenText, Judged, Marker, Offer
from citations.models import Claim

# Maximum number of markers in an answer; others are removed.
MOST_MARKERS = 300
SPACE = re.compile(r"\s+")
_PLAIN = rf"[^\s{re.escape(forms.OPENING)}]+"
WORDS = re.compile(rf"{_PLAIN}(?: {_PLAIN})*")
# An open bracket that more text could close to a false marker.
OPENED = re.compile(r"\[\^?\d{0,3}\Z")


@dataclass
class Citing:
    """Turns the labels of an answer into the session's numbers while it streams."""

    offers: Mapping[int, Offer]
    numbers: dict[UUID, int]
    next_number: int
    # The rows of the session's sources, by number.
    source_ids: Mapping[int, int] = field(default_factory=dict)
    # Whether MAX_CITATIONS applies.
    is_bounded: bool = True
    markers: list[Marker] = field(default_factory=list)
    removed: int = 0
    # Passages and places of lines of sources, which belong to no claim.
    hints: list[Offer] = field(default_factory=list)
    asides: list[tuple[int, int]] = field(default_factory=list)
    # The claims of the finished answer, once checked, and the passages cited in addition.
    judged: Sequence[Judged] = ()
    added: list[Offer] = field(default_factory=list)
    _given: GivenText = field(default_factory=GivenText)
    # Undecided text: white space, and after it a possible marker.
    _space: list[str] = field(default_factory=list)
    _rest: str = ""
    # The heading of a list of sources, until an entry has words; whether the list continues.
    _heading: str = ""
    _lists: bool = False
    # The passages that have a marker.
    _cited: set[int] = field(default_factory=set)

    @property
    def text(self) -> str:
        """The answer as far as it is final."""
        return self._given.text

    def is_borne_out(self, *, partly: bool = False) -> bool:
        """Return whether a passage supports any statement, or a marker names one unchecked."""
        state = Claim.State
        enough = [state.SUPPORTED, state.ELSEWHERE, *([state.PARTLY] if partly else [])]
        if not self.judged:
            return bool(self.markers)
        return any(each.state in enough for each in self.judged)

    def feed(self, chunk: str) -> str:
        """Take a piece of the answer; return the text that became final."""
        return self._take(chunk, is_last=False)

    def close(self) -> str:
        """Return the rest of a finished answer, without white space at its end."""
        given = self._take("", is_last=True)
        self._space.clear()
        return given

    def _take(self, chunk: str, *, is_last: bool) -> str:
        self._given.fresh = []
        text, self._rest = self._rest + chunk, ""
        at = 0
        while at < len(text):
            after = self._step(text, at, is_last=is_last)
            if after == at:
                self._rest = text[at:]
                break
            at = after
        if is_last and self._lists:
            self._end_list()
        return "".join(self._given.fresh)

    def _step(self, text: str, at: int, *, is_last: bool) -> int:
        """Take the next element; return its end, or the same position if more text is needed."""
        if space := SPACE.match(text, at):
            self._space.append(space.group())
            return space.end()
        begins_line = self._given.is_blank or "\n" in self._pending
        if begins_line and not self._is_code:
            after = self._line_of_sources(text, at, is_last=is_last)
            if after is not None:
                return after
        if text[at] in forms.OPENING:
            return self._bracket(text, at, is_last=is_last)
        words = WORDS.match(text, at)
        end = words.end() if words else at + 1
        self._give(text[at:end])
        return end

    # --- Markers ----------------------------------------------------------------------------------

    def _bracket(self, text: str, at: int, *, is_last: bool) -> int:
        stretch = text[at : at + forms.LONGEST + 1]
        if not self._is_code:
            if match := self._marker(text, at):
                self._cite(match["items"])
                return match.end()
            if not is_last and at + len(stretch) == len(text) and forms.may_become_marker(stretch):
                return at
        self._give(text[at])
        return at + 1

    def _marker(self, text: str, at: int) -> re.Match[str] | None:
        end = min(len(text), at + forms.LONGEST)
        if self._line.lstrip(" ").startswith(">"):
            return forms.PLAIN.match(text, at, end)
        return forms.SQUARE.match(text, at, end) or forms.ROUND.match(text, at, end)

    def _cite(self, items: str) -> None:
        """Replace a marker, and the space before it, with the session's numbers."""
        labels, others = forms.parse_labels(items, self.offers)
        self.removed += others
        space = self._pending
        self._space.clear()
        before = self._given.length
        for label in labels:
            offer = self.offers[label]
            if len(self.markers) >= MOST_MARKERS or not self.has_room(offer):
                self.removed += 1
                continue
            if self._given.length == before and space:
                self._given.add(space if "\n" in space else " ")
            self._cited.add(offer.passage.pk)
            number = self.assign_number(offer.document_id)
            self.markers.append(Marker(self._given.length, number, offer))
            self._given.add(f"[{number}]")
        if self._given.length > before:
            return
        if "\n" in space:
            self._space.append(space)
        elif OPENED.search(self._given.end):
            self._given.add("…")  # the brackets around the marker must not form another one

    def has_room(self, offer: Offer) -> bool:
        """Return whether the passage is already cited, or the limit of citations is not reached."""
        has_room = not self.is_bounded or len(self._cited) < settings.MAX_CITATIONS
        return has_room or offer.passage.pk in self._cited

    def assign_number(self, document_id: UUID) -> int:
        """Return the document's number in the session, assigning the next one if it is new."""
        if document_id not in self.numbers:
            self.numbers[document_id] = self.next_number
            self.next_number += 1
        return self.numbers[document_id]

    def add(self, offer: Offer) -> int:
        """Cite a passage without a marker in the answer; return the number."""
        self._cited.add(offer.passage.pk)
        self.added.append(offer)
        return self.assign_number(offer.document_id)

    # --- Lines of sources -------------------------------------------------------------------------

    def _line_of_sources(self, text: str, at: int, *, is_last: bool) -> int | None:
        """Take a line of sources; return None if it is none."""
        is_short = not is_last and len(text) - at < forms.LONGEST
        if not self._lists and is_short and forms.may_name_sources(text[at:]):
            return at
        heading = forms.SOURCES.match(text, at)
        if not heading and not self._lists:
            return None
        end = text.find("\n", at, at + forms.LONGEST_LINE)
        if end < 0:
            if not is_last and len(text) - at < forms.LONGEST_LINE:
                return at
            end = len(text)
        if end - at > forms.LONGEST_LINE or not self._is_of_sources(text[at:end], heading, at):
            self._end_list()
            return None
        return end

    def _is_of_sources(self, line: str, heading: re.Match[str] | None, at: int) -> bool:
        """Take the line if it is one of sources; return whether it was."""
        begins = heading.end() - at if heading else 0
        body = line[begins:]
        if heading and not body.strip():
            self._end_list()
            self._heading, self._lists = self._pending + line, True
            self._space.clear()
            return True
        if not heading and not forms.ENTRY.match(body):
            return False
        words, named = forms.strip_marks(body)
        if not named and (bare := forms.UNBRACKETED.fullmatch(body)):
            words, named = "", [bare["items"]]
        if not named:
            return False
        for items in named:
            labels, others = forms.parse_labels(items, self.offers)
            self.removed += others
            self.hints += [self.offers[label] for label in labels]
        del self.hints[MOST_MARKERS:]
        if not forms.ONLY_SIGNS.fullmatch(words):
            self._give_aside(line[:begins] + words)
        self._heading = ""
        return True

    def _give_aside(self, line: str) -> None:
        if heading := self._heading.strip():
            after, self._space = self._space, [self._heading.partition(heading)[0]]
            self._aside(heading)
            self._space = after
        self._aside(line.strip())

    def _aside(self, line: str) -> None:
        self._give(line)
        self.asides.append((self._given.length - len(line), self._given.length))

    def _end_list(self) -> None:
        """Give out the heading of a list of sources that had no entry."""
        heading, self._heading, self._lists = self._heading, "", False
        if heading:
            after, self._space = self._space, []
            self._give(heading)
            self._space = after

    # --- Output -----------------------------------------------------------------------------------

    def _give(self, text: str) -> None:
        if self._space:
            self._given.add(self._pending)
            self._space.clear()
        self._given.add(text)

    @property
    def _pending(self) -> str:
        """The white space not given out yet, joined once since it may be long."""
        self._space[:] = ["".join(self._space)]
        return self._space[0]

    @property
    def _is_code(self) -> bool:
        return self._given.code.is_open

    @property
    def _line(self) -> str:
        """The beginning of the current line."""
        _, newline, last = self._pending.rpartition("\n")
        return last if newline else self._given.line
