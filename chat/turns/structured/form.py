"""The form of one answer: the requested structure, and the output made for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _

from chat import llm
from chat.structures import EarlierOutput, Question, Structure, find_structure
from chat.structures.choosing import PROSE, choose_structure
from chat.structures.following import RANKING, FollowUp, read_criteria, read_follow_up
from chat.structures.outputs import Output
from chat.structures.rendering import PlacedCell, place_cells, render_markdown
from chat.structures.storing import list_kept_cells, make_stored, make_table, read_earlier
from memory.models import Turn
from memory.recall import Past, Recalled, Stored

# Turns that a follow-up looks back, and a structure that continues an earlier output.
MOST_BACK, MOST_TURNS = 3, 256


@dataclass
class Form:
    """The form of an answer; prose without a structure."""

    structure: Structure | None = None
    question: Question = field(default_factory=lambda: Question(""))
    # The structure that the question seems to want.
    intent: str = ""
    # Whether the person requested it: then the answer says if it isn't possible.
    is_asked: bool = False
    # Whether passages have the words wanted verbatim.
    has_words: bool = False
    # Positions of the turns whose structured answers the question continues.
    carried: tuple[int, ...] = ()
    # The language of the product's own words in the answer.
    language: str = ""
    # The written part of the content, and the complete content.
    beginning: Output | None = None
    output: Output | None = None
    # The stored form of a cut table that prose continues.
    kept: Mapping[str, Any] | None = None
    # The reason why it is prose after all.
    failure: str = ""

    @property
    def name(self) -> str:
        """The name of the answer's structure; empty for prose."""
        if self.kept:
            return str(self.kept["structure"])
        return self.structure.name if self.structure and self.output else ""

    @property
    def wanted_words(self) -> str:
        """The words wanted verbatim."""
        return self.structure.read_words(self.question.text) if self.structure else ""

    def render(self, output: Output, *, is_whole: bool = True) -> str:
        """Render the output as Markdown, in the language of the answer."""
        if self.structure is None:
            return ""
        with translation.override(self.language):
            return render_markdown(self.structure, output, is_whole=is_whole)

    def announce_prose(self, text: str) -> str:
        """Return the text of a cut table with a note that it continues in prose."""
        with translation.override(self.language):
            note = _("The table ends where the answer was cut off. It continues in prose:")
        return f"{text.rstrip()}\n\n{note}\n\n" if self.kept and note not in text else text

    def place_cells(self, text: str) -> list[PlacedCell]:
        """Find the cells in the finished text."""
        if self.output:
            return list(place_cells(self.output, text))
        return list_kept_cells(self.kept) if self.kept else []

    def make_table(self) -> Mapping[str, Any] | None:
        """Make the written part of the table; None for prose."""
        output = self.output or self.beginning
        if not (self.structure and output and output.rows):
            return None
        with translation.override(self.language):
            return make_table(self.structure, output)

    def make_stored(self, answer: str) -> Mapping[str, Any] | None:
        """Make the stored form of the finished answer."""
        if not (self.structure and self.output and answer):
            return self.kept
        with translation.override(self.language):
            return make_stored(self.structure, self.output, answer)


def find_follow_up(wanted: str, recalled: Recalled, past: Past) -> FollowUp | None:
    """Find the request about a recent structured answer, unless another form is wanted."""
    is_chosen = settings.ANSWER_STRUCTURES == "auto" or wanted
    if settings.ANSWER_STRUCTURES == "off" or not is_chosen or not isinstance(past, Stored):
        return None
    earlier = read_recent_output(recalled, past)
    if earlier is None:
        return None
    text = recalled.question.text
    found = read_follow_up(text, earlier, is_new_topic=recalled.begins_anew)
    return found if found and wanted in ("", found.structure) else None


def choose_form(
    wanted: str, recalled: Recalled, past: Past, follow_up: FollowUp | None = None
) -> Form:
    """Choose the form of an answer: the requested one, or else the question's."""
    if settings.ANSWER_STRUCTURES == "off" or wanted == PROSE:
        return Form()
    if follow_up:
        return _follow_up_form(follow_up, is_asked=bool(wanted))
    if structure := find_structure(wanted):
        return _choose_form(structure, recalled, past, is_asked=True)
    if settings.ANSWER_STRUCTURES != "auto":
        return Form()
    name = choose_structure(recalled.typed) or choose_structure(recalled.asked)
    structure = find_structure(name)
    if structure and (structure.quote or llm.is_configured()):
        return _choose_form(structure, recalled, past, intent=name)
    return Form(intent=name)


def _follow_up_form(follow_up: FollowUp, *, is_asked: bool) -> Form:
    name, question = follow_up.structure, follow_up.question
    carried = tuple(each.position for each in question.history) if name else ()
    return Form(find_structure(name), question, name, is_asked=is_asked, carried=carried)


def _choose_form(
    structure: Structure,
    recalled: Recalled,
    past: Past,
    *,
    intent: str = "",
    is_asked: bool = False,
) -> Form:
    earlier = read_newest_output(structure.takes_up, past) if structure.takes_up else None
    text = recalled.rewrite.query
    criteria = read_criteria(text) if structure.name == RANKING else ()
    question = Question(text, [earlier] if earlier else [], criteria=criteria)
    carried = (earlier.position,) if earlier else ()
    return Form(structure, question, intent, is_asked=is_asked, carried=carried)


def read_recent_output(recalled: Recalled, past: Stored) -> EarlierOutput | None:
    """Load the newest structured answer of the last turns; one query only if there is one."""
    recent = [recalled.turns.get(past.last_position - back) for back in range(MOST_BACK)]
    names = [getattr(each.row, "structure", "") for each in recent if each]
    return read_newest_output(list(filter(None, names)), past, most=MOST_BACK)


def read_newest_output(
    names: Sequence[str], past: Past, *, most: int = MOST_TURNS
) -> EarlierOutput | None:
    """Load the newest output in these structures within the last turns."""
    if not names or not isinstance(past, Stored):
        return None
    turns = Turn.objects.filter(
        session=past.session,
        position__gte=past.before - most,
        position__lt=past.before,
        structure__in=names,
        structured_output__isnull=False,
    )
    fields = ("owner_id", "position", "query", "standalone_query", "structured_output")
    turn = turns.order_by("-position").only(*fields).first()
    if turn is None:
        return None
    return read_earlier(turn.structured_output, turn.standalone_query or turn.query, turn.position)
