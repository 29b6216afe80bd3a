"""The steps before an answer: understand, search, judge, draft."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from chat import llm
from chat.contract import Inquiry
from chat.extractive.answerability import (
    CLOSE,
    IN_DOUBT,
    NOTHING,
    SURE,
    estimate_from_retrieval,
    estimate_from_units,
    is_beyond_row,
    names_unheld_code,
)
from chat.extractive.profiles import ProfileAnswer, answer_from_profile
from chat.extractive.scorer import ScoredUnit, score_units
from chat.prompting.prompts import build
from chat.prompting.wording import Matter, count_fixed_tokens, select_wishes
from chat.structures.asking import render_form
from chat.structures.following import FollowUp
from chat.turns.drafting import Draft
from chat.turns.grounding.ground import AnswerRequest
from chat.turns.grounding.searching import (
    find_only_document,
    put_first,
    read_last_cited,
    search,
)
from chat.turns.personal.person import Personal, add_earlier, resolve_elsewhere
from chat.turns.personal.telling import ToldReply, quote_earlier, reply_at_once
from chat.turns.replies import make_reply
from chat.turns.replies.plain import PlainReply
from chat.turns.structured.form import Form, choose_form, find_follow_up
from chat.turns.structured.gathering import widen_found
from citations.attribution.offers import make_offers
from citations.languages import identify_language
from citations.library import StillReading, unread_in_scope
from citations.retrieval import Found, select_passages_to_offer
from citations.retrieval.before import read_conversation
from citations.session_focus.unread_parts import (
    UnreadPart,
    find_named_kinds,
    list_limited_documents,
    list_named_unread_parts,
)
from memory.models.conversations import AnswerLength
from memory.recall import Recalled, recall
from memory.recall.budget import compute_history_limit
from memory.recall.facts.extraction import extract_search_text
from memory.recall.rewriting.exchanges import ASKED_FURTHER, LIST_ITEM, STANDS_ALONE, Rewrite
from memory.recall.talk.conversation import OF_THE_ANSWER
from memory.text.embedding import Embedded

# An answer is likely to stand in the documents of the first passages.
LIKELIEST = 5


@dataclass(frozen=True)
class UnderstoodQuestion:
    """What a question means, and the reply that needs no search."""

    # Without what it says of answers.
    question: str
    recalled: Recalled
    wishes: Sequence[str]
    personal: Personal
    told: ToldReply | None
    recounted: PlainReply
    # What it asks of an earlier structured answer.
    follow_up: FollowUp | None = None

    @property
    def reply(self) -> str:
        return self.told.text if self.told else self.recounted.text


def understand(request: AnswerRequest) -> UnderstoodQuestion:
    """Recall the conversation, and make the question stand alone."""
    query, past, limits = request.query, request.past, request.limits
    question = extract_search_text(query)
    wishes = select_wishes(limits, query, request.personal.wishes)
    system, asked = count_fixed_tokens(limits.window, question, wishes)
    recalled = recall(
        past,
        question,
        limits=limits,
        allowance=compute_history_limit(limits, system=system, question=asked),
        standalone=request.standalone,
    )
    personal = add_earlier(request.personal, recalled)
    recalled = resolve_elsewhere(recalled, personal, past)
    told = reply_at_once(query, personal, recalled, past)
    if told and request.standalone is None:  # nothing is searched for
        nothing_sought = Rewrite(question, str(told.outcome))
        recalled = replace(recalled, rewrite=nothing_sought, asked=recalled.typed)
    follow_up = None
    if not told and request.standalone is None:
        follow_up = find_follow_up(request.structure, recalled, past)
        recalled = search_follow_up(recalled, follow_up)
    reason = recalled.rewrite.reason
    recounted = PlainReply() if told else make_reply(recalled.question, reason, past)
    return UnderstoodQuestion(question, recalled, wishes, personal, told, recounted, follow_up)


def search_follow_up(recalled: Recalled, follow_up: FollowUp | None) -> Recalled:
    """Have the follow-up searched for, as one of the topic of what it goes on with."""
    if follow_up is None:
        return recalled
    position = follow_up.question.history[0].position
    rewrite = Rewrite(follow_up.query, LIST_ITEM, (position,))
    begun = position if recalled.new_topic else recalled.begun
    return replace(
        recalled,
        rewrite=rewrite,
        asked=Embedded(rewrite.query),
        new_topic=False,
        begun=begun,
    )


@dataclass(frozen=True)
class SearchedQuestion:
    """The passages found, and the rewrite that found them."""

    recalled: Recalled
    found: Sequence[Found] = ()
    profile: ProfileAnswer | None = None
    # The least answerability: of a follow-up, of an answer that is told again.
    least: float = 0.0
    form: Form = field(default_factory=Form)


def search_library(request: AnswerRequest, asked: UnderstoodQuestion) -> SearchedQuestion:
    """Find passages, unless the question has its reply already."""
    if asked.reply:
        return SearchedQuestion(asked.recalled)
    before = read_conversation(asked.question, asked.recalled, request.past)
    recalled, found = search(request, asked.recalled, before)
    if not found:
        return SearchedQuestion(recalled)
    if recalled.rewrite.reason in (OF_THE_ANSWER, ASKED_FURTHER):
        cited, likely = read_last_cited(request.past, request.scope)
        least = likely if recalled.rewrite.reason == OF_THE_ANSWER else NOTHING
        return SearchedQuestion(recalled, put_first(cited, found), least=least)
    documents = list(dict.fromkeys(each.passage.document for each in found))
    only = partial(find_only_document, request.past, request.scope, found)
    if profile := answer_from_profile(asked.question, documents, only=only):
        as_typed = replace(recalled, rewrite=Rewrite(asked.question, STANDS_ALONE))
        return SearchedQuestion(as_typed, put_first([profile.passage], found), profile)
    least = NOTHING if before is not None and before.leans else 0.0
    return SearchedQuestion(recalled, found, least=least)


def arrange_structure(
    request: AnswerRequest, asked: UnderstoodQuestion, searched: SearchedQuestion, told: bool
) -> SearchedQuestion:
    """Choose the form of the answer, and put the passages first that it is made of."""
    if asked.reply or told or not searched.found:
        return searched
    form = choose_form(request.structure, searched.recalled, request.past, asked.follow_up)
    if searched.profile and not form.is_asked:  # it answers in its own form
        form = Form(intent=form.intent)
    found = widen_found(form, searched.recalled.asked, searched.found, request.scope)
    return replace(searched, form=form, found=found)


@dataclass(frozen=True)
class JudgedPassages:
    """How likely the passages answer; their units are read where no model is asked."""

    units: Sequence[ScoredUnit]
    answerability: float | None
    unread: Sequence[StillReading]
    told: ToldReply | None
    # Unread parts of documents whose kind the question names.
    missed: Sequence[UnreadPart] = ()

    @property
    def is_doubtful(self) -> bool:
        """Whether it is not sure that the passages answer."""
        return self.answerability is None or self.answerability < SURE

    def trust_words(self, form: Form) -> "JudgedPassages":
        """Return it as sure where the passages hold the words that the form looks for."""
        return replace(self, answerability=SURE) if form.has_words and self.is_doubtful else self


def judge_passages(
    request: AnswerRequest, asked: UnderstoodQuestion, searched: SearchedQuestion
) -> JudgedPassages:
    """Estimate how likely the passages answer; what was said elsewhere may answer instead."""
    if asked.reply:
        return JudgedPassages((), None, [], asked.told)
    units, likely = estimate(request, searched)
    missed = find_missed(request, searched)
    likely = min(likely, IN_DOUBT) if missed else likely
    told = None
    if likely < NOTHING and asked.personal.earlier.answers:
        told = quote_earlier(asked.personal)
    unread = unread_in_scope(request.scope) if likely < CLOSE else []
    return JudgedPassages(units, likely, unread, told, missed)


def find_missed(request: AnswerRequest, searched: SearchedQuestion) -> list[UnreadPart]:
    """Find unread parts that the question names, of the likeliest documents and its own."""
    if not find_named_kinds(request.query):
        return []
    found = [each.passage.document for each in searched.found[:LIKELIEST]]
    documents = {each.pk: each for each in [*list_limited_documents(request.scope), *found]}
    return list_named_unread_parts(request.query, documents.values())


def estimate(
    request: AnswerRequest, searched: SearchedQuestion
) -> tuple[Sequence[ScoredUnit], float]:
    """Return the units read, and the answerability."""
    recalled, found, scope = searched.recalled, searched.found, request.scope
    question = recalled.asked.text
    if searched.profile:
        return (), 1.0
    if llm.is_configured():
        return (), max(estimate_from_retrieval(question, found, scope), searched.least)
    units = score_units(recalled.asked, found, typed=recalled.typed.text)
    if recalled.rewrite.reason == OF_THE_ANSWER:  # told in one sentence
        units = sorted(units, key=lambda each: -each.score)[:1]
    likely = max(estimate_from_units(question, found, units, scope), searched.least)
    in_doubt = is_beyond_row(question, units) or names_unheld_code(question, units)
    return units, min(likely, IN_DOUBT) if in_doubt else likely


def draft_answer(
    request: AnswerRequest,
    asked: UnderstoodQuestion,
    searched: SearchedQuestion,
    judged: JudgedPassages,
) -> Draft:
    """Build the prompt within the window, and begin the draft of the answer."""
    recalled, personal, limits = searched.recalled, asked.personal, request.limits
    form, language = searched.form, personal.language or identify_language(request.query)
    matter = Matter(
        request.query,
        aside=personal.aside(limits.window),
        today=request.today,
        language=personal.language,
        length=AnswerLength.THOROUGH
        if searched.form.structure
        else personal.length(request.length),
        form=render_form(form.structure, form.question, language) if form.structure else "",
        in_doubt=judged.is_doubtful,
    )
    offered = select_passages_to_offer(searched.found)
    prompt = build(matter, recalled, offered, limits, wishes=asked.wishes)
    if searched.form.structure and not llm.is_configured():  # nothing is sent, so all have room
        prompt = replace(prompt, offers=make_offers(each.passage for each in offered))
    before_it = [exchange.query for exchange in recalled.exchanges]
    inquiry = Inquiry(request.query, before_it, prompt.offers)
    begin = partial(request.begin, prompt.offers)
    return Draft(inquiry, prompt, limits.usable, begin, begin(), request.model, searched.form)
