"""The ground of an answer: its request, its material, and properties derived from both."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date

from django.conf import settings

from chat import llm
from chat.contract.declining import is_declining
from chat.extractive import MODEL
from chat.extractive.answerability import NOTHING, SURE
from chat.extractive.profiles import ProfileAnswer
from chat.extractive.scorer import ScoredUnit
from chat.prompting.drafts import Prompt
from chat.turns.drafting import Draft
from chat.turns.personal.person import NOBODY, Personal
from chat.turns.personal.telling import ToldReply
from chat.turns.replies.plain import PlainReply
from citations.attribution.offers import Offer
from citations.attribution.streaming import Citing
from citations.index.scope import Scope
from citations.library import StillReading
from citations.retrieval import Found
from citations.session_focus.bias import Leaning
from citations.session_focus.unread_parts import UnreadPart
from memory.models import Turn
from memory.models.conversations import AnswerLength
from memory.recall import Past, Recalled
from memory.recall.budget import Limits
from memory.recall.rewriting.exchanges import Rewrite
from memory.recall.talk.conversation import ABOUT_CONVERSATION, SMALL_TALK
from memory.recall.talk.refusals import is_refusal

Outcome = Turn.Outcome


@dataclass(frozen=True)
class AnswerRequest:
    """A question to be answered, with all that its answer depends on."""

    query: str
    past: Past
    limits: Limits
    scope: Scope
    # Begins the citing of a text that may draw on these offers.
    begin: Callable[[Sequence[Offer]], Citing]
    # The day of the question where the person is.
    today: date
    # Takes the place of the standalone question that would be made.
    standalone: Rewrite | None = None
    # Tells how the session leans, once it is known whether the topic is a new one.
    leaning: Callable[..., Leaning] | None = None
    model: str = ""
    # The form that the person asked for.
    structure: str = ""
    length: str = AnswerLength.NORMAL
    personal: Personal = NOBODY


@dataclass
class Timings:
    """Milliseconds of each step."""

    steps: dict[str, float] = field(default_factory=dict)
    # By `time.perf_counter()`: the whole, and each step.
    begun: float = field(default_factory=time.perf_counter)
    begins: dict[str, float] = field(default_factory=dict)

    def once(self, name: str) -> None:
        """Note how long it took from the beginning to the first call."""
        if name not in self.steps:
            self.steps[name] = round((time.perf_counter() - self.begun) * 1000, 3)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        begun = self.begins[name] = time.perf_counter()
        try:
            yield
        finally:
            self.steps[name] = round((time.perf_counter() - begun) * 1000, 3)


@dataclass(frozen=True)
class Ground:
    """All that an answer is made from."""

    query: str
    recalled: Recalled
    found: Sequence[Found]
    prompt: Prompt
    draft: Draft
    timings: Timings
    # Empty where a model is asked: it is read from the passages themselves.
    units: Sequence[ScoredUnit]
    # How likely the library holds an answer, from 0 to 1; None if it was not asked.
    answerability: float | None
    # What is said without a search.
    reply: str
    # What is known of the person, and what is said at once from that.
    personal: Personal
    told: ToldReply | None
    # What is said of the conversation without a search, and what it tells of.
    recounted: PlainReply
    # The answer to a question about a document as a whole.
    profile: ProfileAnswer | None
    # Documents that an answer could stand in, and that are still being read.
    unread: Sequence[StillReading]
    # Parts that the question names and that were not read.
    missed: Sequence[UnreadPart]
    # The language of what the product says in the answer, in its own words.
    language: str

    @property
    def citing(self) -> Citing:
        """The citing of the text as it is now: that of a text that began anew is another."""
        return self.draft.citing

    @property
    def model(self) -> str:
        """Who answers."""
        if not self.is_models:
            return MODEL
        return self.draft.model or llm.get_model(self.draft.asks).model

    @property
    def is_models(self) -> bool:
        """Whether the text is a language model's."""
        return self.asks_model and not self.draft.is_built_in

    @property
    def asks_model(self) -> bool:
        """Whether a language model is asked: not if there is nothing to answer from."""
        is_about_it = self.recalled.rewrite.reason == ABOUT_CONVERSATION
        return llm.is_configured() and not self.reply and (is_about_it or self.holds_something)

    @property
    def holds_something(self) -> bool:
        return self.answerability is not None and self.answerability >= NOTHING

    @property
    def is_sure(self) -> bool:
        """Whether the passages are likely to answer."""
        return self.answerability is not None and self.answerability >= SURE

    @property
    def outcome(self) -> str:
        """What the answer is, once it has been given."""
        reason = self.recalled.rewrite.reason
        if self.draft.problem and not self.reply:
            return self.draft.problem
        if self.told:
            return self.told.outcome
        if self.reply or reason == ABOUT_CONVERSATION:
            return reason if reason == SMALL_TALK else ABOUT_CONVERSATION
        if self._says_nothing or not self.holds_something:
            return Outcome.NOT_READ_YET if self.unread else Outcome.NOTHING_FOUND
        if self._is_answered:
            return Outcome.ANSWERED
        return Outcome.NOT_READ_YET if self.unread else Outcome.UNSURE

    @property
    def has_content(self) -> bool:
        """Whether later questions and answers may draw on the answer."""
        return self.outcome not in Outcome.list_empty()

    @property
    def _is_answered(self) -> bool:
        """Whether the text can be told as an answer: a model's only if a passage bears it out."""
        if self.missed:
            return False
        if not self.is_models or (self.is_sure and not self.citing.judged):
            return self.is_sure
        return self.citing.is_borne_out(partly=self.is_sure)

    @property
    def _says_nothing(self) -> bool:
        """Whether the text says that there is nothing, in our words or in a model's."""
        said = self.citing.text
        if self.draft.form.output:  # a cell may say that there is nothing
            return False
        return is_refusal(said) or (self.is_models and is_declining(said))

    @property
    def may_step_in(self) -> bool:
        """Whether the built-in answerer answers if the language model doesn't."""
        return settings.FALLBACK == MODEL and self.holds_something
