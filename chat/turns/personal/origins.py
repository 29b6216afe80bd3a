"""The origins of answers that repeat personal material, so that deletions reach them.

A language model wrote from that material. The built-in answerer repeats it only in answers about
the conversation; quotations of documents are merely accompanied by it.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db.models import Q, QuerySet

from chat.extractive import MODEL
from chat.models import ContextEarlier, ContextFact, ContextRecord
from memory.forgetting.answers import register_derived
from memory.forgetting.erasure.lineage import goes_with_answers
from memory.models import Fact, Purpose, Turn
from memory.models.facts import FactKind
from memory.personal_data import consent
from memory.recall.earlier.recalling import EarlierTurn
from memory.recall.rewriting.exchanges import EARLIER_SESSION
from memory.recall.summaries.values import find_names, find_numbers
from memory.recall.talk.conversation import ABOUT_CONVERSATION, OF_THE_ANSWER
from memory.text.citation_markers import strip_markers
from memory.text.reading import compute_rarity
from memory.text.words import STOP_WORDS, split_words, stem

if TYPE_CHECKING:
    from chat.prompting.drafts import Prompt
    from chat.turns.grounding.ground import Ground
    from citations.attribution.offers import Offer

# Outcomes of immediate replies from earlier statements.
AT_ONCE = (Turn.Outcome.ABOUT_CONVERSATION, Turn.Outcome.NOTED)
# Rewrite reasons of questions about the conversation itself.
OF_WHAT_WAS_SAID = (ABOUT_CONVERSATION, OF_THE_ANSWER)


@register_derived(Turn)
def made_of_turns(turns: "QuerySet[Turn]") -> "QuerySet[Turn]":
    """Return the turns whose answers repeat these turns, or facts that go with them."""
    of_turns = ContextEarlier.objects.filter(turn__in=turns.values("pk")).values("answer")
    of_facts = _select_answers(ContextFact.objects.filter(fact__turn__in=turns.values("pk")))
    return _filter_telling(of_turns.union(of_facts))


@register_derived(Turn)
def recounts_of_turns(turns: "QuerySet[Turn]") -> "QuerySet[Turn]":
    """Return the later turns of the same sessions whose answers repeat these turns.

    In several queries, since for a single one PostgreSQL would read all people's turns.
    """
    positions, these, owners = defaultdict(list), set(), set()
    for pk, session, position, owner in turns.values_list("pk", "session", "position", "owner"):
        positions[session].append(position)
        these.add(pk)
        owners.add(owner)
    of_them = Turn.objects.filter(owner_id__in=owners)
    said = of_them.filter(session__in=list(positions), response_tokens__gt=0)
    rows = said.only("owner_id", "session_id", "position", "status", "outcome")
    answers = {answer.pk: answer for answer in rows if answer.pk not in these}
    telling = [
        pk
        for pk, runs in _find_told(answers).items()
        for first, last in runs
        if any(first <= at <= last for at in positions[answers[pk].session_id])
    ]
    return of_them.filter(pk__in=telling)


def _find_told(answers: dict[UUID, Turn]) -> dict[UUID, list[tuple[int, int]]]:
    """Return the turns that each answer repeats, in runs; all earlier ones if unknown."""
    told: dict[UUID, list[tuple[int, int]]] = {pk: [] for pk in answers}
    owners = {answer.owner_id for answer in answers.values()}
    records = ContextRecord.objects.filter(turn__in=list(answers), owner_id__in=owners)
    stored = list(records.values_list("turn_id", "told"))
    for pk, runs in stored:
        told[pk].extend((run["first"], run["last"]) for run in runs or ())
    known = {pk for pk, runs in stored if runs is not None}
    recorded = {pk for pk, _runs in stored}
    older = recorded - known
    for pk, answer in answers.items():
        is_left = pk not in recorded and answer.status == Turn.Status.INTERRUPTED
        is_older = pk in older and answer.outcome == ABOUT_CONVERSATION
        # Uses of facts and of other sessions have rows of their own.
        knows_rows = is_older and (answer.facts_used.exists() or answer.earlier_used.exists())
        if is_left or (is_older and not knows_rows):
            told[pk].append((1, answer.position - 1))
    return told


@register_derived(Fact)
def made_of_facts(facts: "QuerySet[Fact]") -> "QuerySet[Turn]":
    """Return the turns whose answers repeat these facts."""
    rows = ContextFact.objects.filter(fact__in=facts.values("pk"))
    return _filter_telling(_select_answers(rows))


@goes_with_answers
def delete_what_was_drawn_on(turn: Turn) -> None:
    """Delete the rows of material that a withdrawn answer could use."""
    ContextEarlier.objects.filter(answer=turn).delete()
    ContextFact.objects.filter(answer=turn).delete()
    turn.context_records.update(told=[])
    searched = Turn.objects.filter(pk=turn.pk, rewrite_reason=EARLIER_SESSION)
    searched.update(standalone_query=None, rewrite_reason="")


def is_personal(ground: "Ground") -> bool:
    """Return whether an answer may repeat the person's statements or other sessions."""
    drawn = ground.personal.bearing or ground.personal.earlier.turns
    resolved = ground.recalled.rewrite.reason == EARLIER_SESSION
    recounts = ground.recounted.told or ground.recalled.rewrite.reason in OF_WHAT_WAS_SAID
    carried = ground.draft.form.carried
    return bool(ground.told or resolved or recounts or carried or (ground.asks_model and drawn))


def find_told_turns(ground: "Ground", *, is_cited: bool) -> list[dict[str, int]]:
    """Return the earlier turns that the answer repeats, as runs of positions.

    A model's answer that cites no document repeats all turns in its prompt. One that cites
    documents repeats the turns with content that the documents lack.
    """
    recalled, prompt = ground.recalled, ground.prompt
    runs: list[tuple[int, int]] = []
    if recalled.is_given:  # a client's history has no rows
        return []
    if ground.told:  # turns of other sessions have rows of their own
        return [{"first": first, "last": last} for first, last in ground.told.here]
    is_of_it = recalled.rewrite.reason in OF_WHAT_WAS_SAID
    if ground.reply:
        runs.extend(ground.recounted.told)
    elif ground.is_models and (is_of_it or ground.has_content):
        shown = _list_shown(prompt)
        if is_cited and not is_of_it:
            known = [ground.recalled.question.text, *_read_offers(prompt.offers)]
            places = find_restated(ground.citing.text, known, [texts for _, texts in shown])
            shown = [shown[place] for place in places]
        runs.extend(run for run, _ in shown)
    elif is_of_it:
        runs.extend((said.position, said.position) for said in recalled.exchanges[-1:])
    if ground.draft.form.output:
        runs.extend((position, position) for position in ground.draft.form.carried)
    return [{"first": first, "last": last} for first, last in sorted(set(runs))]


def _read_offers(offers: "Sequence[Offer]") -> Iterator[str]:
    for offer in offers:
        passage = offer.passage
        yield "\n".join([passage.document.title, passage.heading, passage.text])


def _list_shown(prompt: "Prompt") -> list[tuple[tuple[int, int], list[str]]]:
    """Return the earlier turns in the model's prompt, with their texts."""
    briefs = [
        ((each.first, each.last), [each.text]) for each in (*prompt.briefs, *prompt.summaries)
    ]
    turns = [((turn.position, turn.position), [turn.query, turn.response]) for turn in prompt.turns]
    return [*briefs, *turns]


def is_all_there(owner_id: UUID, facts: Sequence[Fact], turns: Sequence[EarlierTurn]) -> bool:
    """Return whether all material of an answer still exists, and lock it until commit.

    Material of other sessions counts only while its person allows recall.
    """
    facts = [fact for fact in facts if fact.kind != FactKind.WISH]
    reaches = bool(turns) or any(fact.is_shared for fact in facts)
    if reaches and not consent.allows(owner_id, Purpose.RECALL):
        return False
    told = [fact.pk for fact in facts]
    there = (
        Fact.objects.filter(pk__in=told, deleted_at=None)
        .order_by("pk")
        .select_for_update(no_key=True)
    )
    if told and len(there.values_list("pk")) < len(told):
        return False
    ids = [each.turn.pk for each in turns]
    # Not locked, to avoid deadlocks with another answer that repeats this one. A deletion at this
    # moment fails, or makes this transaction fail, by the foreign keys recorded here.
    return not ids or Turn.objects.remembered().filter(pk__in=ids).count() == len(ids)


def _select_answers(rows: "QuerySet[ContextFact]") -> "QuerySet[ContextFact, Any]":
    """Return the rows' answers.

    A wish shapes every answer, so only replies about it count.
    """
    said = Q(answer__outcome__in=AT_ONCE)
    return rows.filter(said | ~Q(fact__kind=FactKind.WISH)).values("answer")


def _filter_telling(answers: "QuerySet[Any, Any]") -> "QuerySet[Turn]":
    """Return the answers that repeat the material they could use."""
    # A query of its own, since PostgreSQL reads all turns for an IN of a union.
    ids = {row["answer"] for row in answers}
    return Turn.objects.filter(
        Q(outcome__in=AT_ONCE) | Q(rewrite_reason=EARLIER_SESSION) | ~Q(model=MODEL),
        pk__in=ids,
        response_tokens__gt=0,
    )


# Least digits of a significant figure, least rarity of a subject's word, and the number of rare
# words in common that counts as repeating.
SHORTEST, RARE, RARE_WORDS = 2, 9.0, 2
LONGEST = 20_000


def find_restated(answer: str, known: Sequence[str], earlier: Sequence[Sequence[str]]) -> list[int]:
    """Return the indexes of the earlier texts that the answer restates.

    `known` are the question and the passages, whose words don't count.
    """
    values, rare = _collect_words([strip_markers(answer)])
    known_values, known_rare = _collect_words(known)
    values, rare = values - known_values, rare - known_rare
    found = []
    for at, texts in enumerate(earlier):
        told_values, told_rare = _collect_words(texts)
        if values & told_values or len(rare & told_rare) >= RARE_WORDS:
            found.append(at)
    return found


def _collect_words(texts: Iterable[str]) -> tuple[set[str], set[str]]:
    """Return the numbers and names of the texts, and the stems of their rare words."""
    text = "\n".join(each[:LONGEST] for each in texts)
    numbers = {each for each in find_numbers(text) if len(each) >= SHORTEST}
    names = {
        each for each in find_names(text) if compute_rarity(each.split()[0]) >= RARE or " " in each
    }
    spoken = {word for word in split_words(text) if word not in STOP_WORDS and not word.isdigit()}
    rare = {
        stem(word)
        for word in spoken
        if min(compute_rarity(word), compute_rarity(stem(word))) >= RARE
    }
    return numbers | names, rare
