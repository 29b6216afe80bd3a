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

# What is said at once, from what was said before.
AT_ONCE = (Turn.Outcome.ABOUT_CONVERSATION, Turn.Outcome.NOTED)
# Why a question is about what was said before it.
OF_WHAT_WAS_SAID = (ABOUT_CONVERSATION, OF_THE_ANSWER)


@register_derived(Turn)
def made_of_turns(turns: "QuerySet[Turn]") -> "QuerySet[Turn]":
    """Return the turns whose answers tell of these turns, or of facts that go with them."""
    of_turns = ContextEarlier.objects.filter(turn__in=turns.values("pk")).values("answer")
    of_facts = _select_answers(ContextFact.objects.filter(fact__turn__in=turns.values("pk")))
    return _filter_telling(of_turns.union(of_facts))


@register_derived(Turn)
def recounts_of_turns(turns: "QuerySet[Turn]") -> "QuerySet[Turn]":
    """Return the later turns of the same sessions whose answers tell of these turns.

    Step by step, since PostgreSQL reads everybody's turns for all of it at once.
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
    """Return of which turns each of the answers tells, in runs: if that isn't known, of all."""
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
        # Of facts, or turns elsewhere, it is known row by row.
        knows_rows = is_older and (answer.facts_used.exists() or answer.earlier_used.exists())
        if is_left or (is_older and not knows_rows):
            told[pk].append((1, answer.position - 1))
    return told


@register_derived(Fact)
def made_of_facts(facts: "QuerySet[Fact]") -> "QuerySet[Turn]":
    """Return the turns whose answers tell of these facts."""
    rows = ContextFact.objects.filter(fact__in=facts.values("pk"))
    return _filter_telling(_select_answers(rows))


@goes_with_answers
def delete_what_was_drawn_on(turn: Turn) -> None:
    """Delete what a withdrawn answer could draw on."""
    ContextEarlier.objects.filter(answer=turn).delete()
    ContextFact.objects.filter(answer=turn).delete()
    turn.context_records.update(told=[])
    searched = Turn.objects.filter(pk=turn.pk, rewrite_reason=EARLIER_SESSION)
    searched.update(standalone_query=None, rewrite_reason="")


def is_personal(ground: "Ground") -> bool:
    """Return whether an answer may tell of what its person said of themselves, or elsewhere."""
    drawn = ground.personal.bearing or ground.personal.earlier.turns
    resolved = ground.recalled.rewrite.reason == EARLIER_SESSION
    recounts = ground.recounted.told or ground.recalled.rewrite.reason in OF_WHAT_WAS_SAID
    carried = ground.draft.form.carried
    return bool(ground.told or resolved or recounts or carried or (ground.asks_model and drawn))


def find_told_turns(ground: "Ground", *, is_cited: bool) -> list[dict[str, int]]:
    """Return the turns before that the answer tells of, in runs: first and last position.

    A language model's answer that cites no document was written from what was said before; of one
    that does, those count of which it has what the documents don't.
    """
    recalled, prompt = ground.recalled, ground.prompt
    runs: list[tuple[int, int]] = []
    if recalled.is_given:  # no rows
        return []
    if ground.told:  # others' rows are noted one by one
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
    """Return the turns before that the model saw, with their texts."""
    briefs = [((each.first, each.last), [each.text]) for each in (*prompt.briefs, *prompt.ladder)]
    turns = [((turn.position, turn.position), [turn.query, turn.response]) for turn in prompt.turns]
    return [*briefs, *turns]


def is_all_there(owner_id: UUID, facts: Sequence[Fact], turns: Sequence[EarlierTurn]) -> bool:
    """Return whether what an answer tells of is all there, and keep it until the transaction ends.

    What reaches from one session into another is there only while its person allows that.
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
    # Not locked: another answer may be about to end that tells of this one. What goes now fails to,
    # or lets this one fail, by the foreign keys of what is recorded here.
    return not ids or Turn.objects.remembered().filter(pk__in=ids).count() == len(ids)


def _select_answers(rows: "QuerySet[ContextFact]") -> "QuerySet[ContextFact, Any]":
    """Return their answers, but for a wish only those that say it: it shapes all the others."""
    said = Q(answer__outcome__in=AT_ONCE)
    return rows.filter(said | ~Q(fact__kind=FactKind.WISH)).values("answer")


def _filter_telling(answers: "QuerySet[Any, Any]") -> "QuerySet[Turn]":
    """Return those of the answers that tell of what they could draw on."""
    # Asked for first, since PostgreSQL reads all turns for an IN of a union.
    ids = {row["answer"] for row in answers}
    return Turn.objects.filter(
        Q(outcome__in=AT_ONCE) | Q(rewrite_reason=EARLIER_SESSION) | ~Q(model=MODEL),
        pk__in=ids,
        response_tokens__gt=0,
    )


# A figure of one digit counts something; so rare a word is of a subject, and so many tell it.
SHORTEST, RARE, RARE_WORDS = 2, 9.0, 2
LONGEST = 20_000


def find_restated(answer: str, known: Sequence[str], earlier: Sequence[Sequence[str]]) -> list[int]:
    """Return which of the earlier texts the answer restates, by their place.

    `known` are the question and the passages, from which the answer may have what it says.
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
