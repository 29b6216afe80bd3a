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
    """A question to be answered, and everything that its answer depends on."""

    query: str
    past: Past
    limits: Limits
    scope: Scope
    # Begins the citing of a text that may use these offers.
    begin: Callable[[Sequence[Offer]], Citing]
    # The day of the question in the person's time zone.
    today: date
    # The client's rewrite, in place of ours.
    standalone: Rewrite | None = None
    # Returns the session's bias for documents, once the topic is known to be new or not.
    leaning: Callable[..., Leaning] | None = None
    model: str = ""
    # The structure that the person requested.
    structure: str = ""
    length: str = AnswerLength.NORMAL
    personal: Personal = NOBODY


@dataclass
class Timings:
    """Milliseconds of each step."""

    steps: dict[str, float] = field(default_factory=dict)
    # Start times by `time.perf_counter()`: of the whole, and of each step.
    begun: float = field(default_factory=time.perf_counter)
    begins: dict[str, float] = field(default_factory=dict)

    def once(self, name: str) -> None:
        """Note the time from the beginning to the first call."""
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
    """The material of an answer, and its draft."""

    query: str
    recalled: Recalled
    found: Sequence[Found]
    prompt: Prompt
    draft: Draft
    timings: Timings
    # Empty if a model is asked, which reads whole passages.
    units: Sequence[ScoredUnit]
    # The probability that the library has an answer; None if it was not searched.
    answerability: float | None
    # A reply that needs no search.
    reply: str
    # Facts about the person, and an immediate reply from them.
    personal: Personal
    told: ToldReply | None
    # An immediate reply about the conversation, and the turns that it repeats.
    recounted: PlainReply
    # The answer to a question about a document as a whole.
    profile: ProfileAnswer | None
    # Documents, still being read, that may have an answer.
    unread: Sequence[StillReading]
    # Unread parts of documents that the question names.
    missed: Sequence[UnreadPart]
    # The language of the product's own words in the answer.
    language: str

    @property
    def citing(self) -> Citing:
        """The citing of the current text; each new text has its own."""
        return self.draft.citing

    @property
    def model(self) -> str:
        """The name of the answering model."""
        if not self.is_models:
            return MODEL
        return self.draft.model or llm.get_model(self.draft.asks).model

    @property
    def is_models(self) -> bool:
        """Whether the text is a language model's."""
        return self.asks_model and not self.draft.is_built_in

    @property
    def asks_model(self) -> bool:
        """Whether a language model is asked; not without any material."""
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
        """The outcome of the answer, once it is written."""
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
        """Whether later questions and answers may use the answer."""
        return self.outcome not in Outcome.list_empty()

    @property
    def _is_answered(self) -> bool:
        """Whether the text is a certain answer; a model's text needs a passage that supports it."""
        if self.missed:
            return False
        if not self.is_models or (self.is_sure and not self.citing.judged):
            return self.is_sure
        return self.citing.is_borne_out(partly=self.is_sure)

    @property
    def _says_nothing(self) -> bool:
        """Whether the text declines to answer, in our words or a model's."""
        said = self.citing.text
        if self.draft.form.output:  # a single cell may decline
            return False
        return is_refusal(said) or (self.is_models and is_declining(said))

    @property
    def may_step_in(self) -> bool:
        """Whether the built-in answerer replaces a failing language model."""
        return settings.FALLBACK == MODEL and self.holds_something
