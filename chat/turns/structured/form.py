"""The form of one answer: what was asked for, and what was made of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.utils import translation

from chat import llm
from chat.structures import EarlierOutput, Question, Structure, find_structure
from chat.structures.choosing import PROSE, choose_structure
from chat.structures.following import follow_comparison
from chat.structures.outputs import Output
from chat.structures.rendering import render_markdown
from chat.structures.storing import make_stored, read_earlier
from memory.models import Turn
from memory.recall import Past, Recalled, Stored


@dataclass
class Form:
    """The form of an answer; prose without a structure."""

    structure: Structure | None = None
    question: Question = field(default_factory=lambda: Question(""))
    # What the question seemed to want.
    intent: str = ""
    # Whether the person asked for it: then it is said where it can't be had.
    is_asked: bool = False
    # The turns whose structured answers the question goes on with, by position.
    carried: tuple[int, ...] = ()
    # Of the product's own words in the answer.
    language: str = ""
    # The content, once it is whole.
    output: Output | None = None
    # Why it is prose all the same.
    failure: str = ""

    @property
    def name(self) -> str:
        """The name of the form that the answer has; empty for prose."""
        return self.structure.name if self.structure and self.output else ""

    def render(self, output: Output, *, is_whole: bool = True) -> str:
        """Render the output as Markdown, in the language of the answer."""
        if self.structure is None:
            return ""
        with translation.override(self.language):
            return render_markdown(self.structure, output, is_whole=is_whole)

    def make_stored(self, answer: str) -> Mapping[str, Any] | None:
        """Make what is stored of the finished answer beside its text."""
        if not (self.structure and self.output and answer):
            return None
        with translation.override(self.language):
            return make_stored(self.structure, self.output, answer)


def choose_form(wanted: str, recalled: Recalled, past: Past) -> Form:
    """Choose the form of an answer: the one that is wanted, or else what the question wants."""
    if settings.ANSWER_STRUCTURES == "off" or wanted == PROSE:
        return Form()
    text = recalled.question.text
    earlier = read_last_output(recalled, past)
    followed = follow_comparison(text, earlier)
    carried = (past.last_position,) if earlier else ()
    question = Question(recalled.rewrite.query, [earlier] if earlier else [])
    if structure := find_structure(wanted):
        if followed and followed[0] == wanted:
            return Form(structure, followed[1], is_asked=True, carried=carried)
        return Form(structure, question, is_asked=True)
    if settings.ANSWER_STRUCTURES != "auto":
        return Form()
    if followed:
        name, question = followed
        return Form(find_structure(name), question, name, carried=carried)
    name = choose_structure(recalled.asked)
    structure = find_structure(name)
    if structure and (structure.quote or llm.is_configured()):
        return Form(structure, question, name)
    return Form(intent=name)


def read_last_output(recalled: Recalled, past: Past) -> EarlierOutput | None:
    """Read the structured answer of the turn right before; a query only if it has one."""
    newest = recalled.turns.get(past.last_position)
    if not isinstance(past, Stored) or newest is None or not getattr(newest.row, "structure", ""):
        return None
    before = Turn.objects.filter(session=past.session, position=past.last_position)
    turn = before.only("owner_id", "structured_output").first()
    return read_earlier(turn.structured_output) if turn else None
