"""Every claim is judged by what was offered, whether or not it has a marker."""

from collections.abc import Sequence

import pytest

from citations.attribution import attributing, checking
from citations.attribution.attributing import CheckTooSlow, check
from citations.attribution.checking import Support
from citations.attribution.citing import cite, is_built_on_deleted
from citations.attribution.offers import EXACT, Judged, find_exact_place
from citations.attribution.statements.lines import find_best_sentence
from citations.attribution.streaming import Citing
from citations.models import Citation
from memory.models import Turn
from tests.citations.attribution.answers import fed

FEE = "The mooring fee is 22 euros for each night. Dogs are welcome on the northern pier."
GATE = "The northern gate opens at six in the morning. Visitors hold a key of brass."
HORN = "Every vessel carries a horn and two ropes. Lanterns burn all night at the harbour wall."
PASSAGES = (FEE, GATE, HORN)

FEE_SAID = "The mooring fee is 22 euros for each night"
GATE_SAID = "The northern gate opens at six in the morning"
INVENTED = "Olaparib lowers the risk of progression"


def by_words(claims: Sequence[str], passages: Sequence[str]) -> list[list[Support]]:
    """Support claims by the share of their words: plain enough to foresee."""
    return [[worded(claim, passage) for passage in passages] for claim in claims]


def worded(claim: str, passage: str) -> Support:
    quote, score = find_best_sentence(claim, passage)
    start = passage.index(quote)
    return Support(score, start, start + len(quote))


@pytest.fixture(autouse=True)
def _plain_support(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        checking, "check_claims", lambda claims, passages, read: by_words(claims, passages)
    )


def judged(answer: str, *passages: str) -> tuple[Citing, list[Judged]]:
    citing = fed(answer, passages or PASSAGES)
    return citing, check(citing)


def only(answer: str, *passages: str) -> Judged:
    _, (found,) = judged(answer, *passages)
    return found


def added(found: Judged) -> list[int]:
    return [each.offer.label for each in found.references if each.marker is None]


@pytest.mark.parametrize(
    ("answer", "state", "labels"),
    [
        (f"{FEE_SAID} [1].", "supported", []),
        (f"{FEE_SAID} [1-3].", "supported", []),
        (f"{FEE_SAID} [2].", "elsewhere", [1]),
        (f"{FEE_SAID}.", "supported", [1]),
        (f"{INVENTED} [1].", "unsupported", []),
        (f"{INVENTED}.", "uncited", []),
        ("The mooring lanterns glow purple, says nobody here [1].", "unsupported", []),
        ("The mooring fee covers laundry, breakfast [1].", "partly", []),
        ("The mooring fee covers laundry, breakfast.", "partly", [1]),
    ],
)
def test_a_claim_has_a_state_and_the_passage_that_says_it(
    answer: str, state: str, labels: list[int]
) -> None:
    found = only(answer)
    assert (found.state, added(found)) == (state, labels)


def test_a_citation_moves_to_the_passage_of_its_document_that_says_it() -> None:
    found = only(f"{FEE_SAID} [3].")
    assert found.state == "supported"
    [reference] = found.references
    assert (reference.offer.label, reference.support.score) == (1, 1.0)
    assert reference.marker is not None
    assert reference.marker.offer.label == 3


@pytest.mark.parametrize(
    ("end", "number"),
    [
        ("The northern gate op", 1),
        ("**The northern gate op", 1),
        (f"{GATE_SAID}.", 2),
        (f"{GATE_SAID} [2]", 2),
    ],
)
def test_of_an_answer_that_was_cut_a_sentence_without_its_end_claims_nothing(
    end: str, number: int
) -> None:
    citing = fed(f"{FEE_SAID} [1]. {end}", PASSAGES)
    assert len(check(citing, was_cut=True)) == number
    assert len(check(citing)) == 2


def test_passages_named_together_count_together() -> None:
    both = f"{FEE_SAID}, and the northern gate opens at six in the morning, with brass key"
    assert only(f"{both} [1][2].").state == "supported"


def test_each_marker_is_scored_for_the_words_that_it_ends() -> None:
    found = only(f"{FEE_SAID} [1], and {GATE_SAID.lower()} [2].")
    assert found.state == "supported"
    assert [each.support.score for each in found.references] == [1.0, 1.0]


def test_a_line_of_sources_prefers_its_passage_among_equals() -> None:
    _, (found,) = judged(f"{FEE_SAID}.\n\nSources: [3]", FEE, GATE, FEE)
    assert added(found) == [3]


def test_two_passages_are_added_only_where_one_says_half_and_another_the_rest() -> None:
    passages = ("Gates open at six.", "Harbour lanterns burn purple tonight.", HORN)
    said = "Gates open at six, harbour lanterns burn purple, dogs bark, cats purr."
    found = only(said, *passages)
    assert found.state == "supported"
    assert added(found) == [2, 1]
    assert added(only(f"{FEE_SAID}.")) == [1]


def test_a_quotation_is_exact_without_the_checker() -> None:
    found = only(f"> {FEE_SAID}. [1]")
    assert (found.state, found.score) == ("supported", 1.0)
    assert (found.method, found.version) == EXACT
    place = found.references[0].support
    assert FEE[place.start : place.end] == f"{FEE_SAID}."


@pytest.mark.parametrize(
    ("said", "place"),
    [
        ("b c", (2, 5)),
        ("**B** c", (2, 5)),
        ("a\nd", (0, 7)),
        ("b d", None),
        ("bc", None),
        ("…", None),
    ],
)
def test_exact_is_word_for_word(said: str, place: tuple[int, int] | None) -> None:
    assert find_exact_place(said, "a b c d") == place


@pytest.mark.parametrize(
    ("said", "quoted"),
    [
        ("Uses are\nfifty one", "Uses are one two three fifty one"),
        ("Uses are\nfifty one\nfifty two", "Uses are one two three fifty one fifty two"),
    ],
)
def test_what_leads_to_a_near_item_is_quoted_with_it(said: str, quoted: str) -> None:
    text = f"Before. {quoted}. After."
    place = find_exact_place(said, text)
    assert place
    assert text[slice(*place)] == f"{quoted}."


def test_of_what_leads_to_a_far_item_the_item_alone_is_quoted() -> None:
    between = ". ".join(f"Item {number} is for this" for number in range(40))
    text = f"The uses are these: {between}. Remove the mooring. And leave."
    for said in ("The uses are these:\nRemove the mooring.", "Remove the mooring."):
        place = find_exact_place(said, text)
        assert place
        assert text[slice(*place)] == "Remove the mooring."
    long = " ".join(f"word{number}" for number in range(200))
    assert find_exact_place(long, f"Begin. {long}. End.") == (7, 7 + len(long) + 1)


def test_of_what_the_product_wrote_only_quotations_are_claims() -> None:
    citing = fed(f"Nothing more.\n\n> {FEE_SAID}. [1]\n\n*Guide · p. 4*", PASSAGES)
    assert [each.state for each in check(citing, only_quotations=True)] == ["supported"]


def test_without_passages_there_is_nothing_to_judge_by() -> None:
    citing = Citing(offers={}, numbers={}, next_number=1)
    citing.feed(f"{FEE_SAID}.")
    citing.close()
    assert check(citing) == []


def test_a_check_ends_in_time() -> None:
    with pytest.raises(CheckTooSlow):
        check(fed(f"{FEE_SAID}.", PASSAGES), seconds=-1)


# --- As rows --------------------------------------------------------------------------------------


def rows(answer: str, *passages: str) -> tuple[Citing, list[Citation]]:
    citing, found = judged(answer, *passages)
    citing.judged = found
    return citing, cite(Turn(), citing).citations


def test_an_added_citation_stands_at_the_end_of_its_claim_with_a_number_of_its_own() -> None:
    citing, found = rows(f"{FEE_SAID} [1]. {GATE_SAID}.")
    assert [each.source.number for each in found] == [1, 2]
    assert [each.is_added for each in found] == [False, True]
    assert citing.text[: found[1].start].endswith(GATE_SAID)
    assert GATE[found[1].passage_start : found[1].passage_end] == found[1].quote
    assert found[1].claim is not found[0].claim


def test_so_many_passages_are_cited_with_those_that_were_added(settings: object) -> None:
    settings.MAX_CITATIONS = 1  # type: ignore[attr-defined]
    _, found = rows(f"{FEE_SAID} [1]. {GATE_SAID}.")
    assert [each.is_added for each in found] == [False]


def test_nothing_is_cited_that_was_not_offered() -> None:
    citing, found = rows(
        f"{FEE_SAID} [9]. {GATE_SAID} 【7】. {INVENTED} (Passage 8).\n\nSources: [6]"
    )
    assert citing.removed == 4
    assert {each.passage_id for each in found} <= {1, 2, 3}
    assert all(each.is_added for each in found)


def test_a_marker_in_what_is_no_claim_keeps_its_citation() -> None:
    _, found = rows("Is the mooring fee 22 euros [1]?")
    assert [(each.claim, each.source.number) for each in found] == [(None, 1)]
    assert found[0].score > 0


def test_every_marker_is_a_citation_even_where_nothing_was_checked() -> None:
    citing = fed(f"{FEE_SAID} [1]. {GATE_SAID} [2].", PASSAGES)
    cited = cite(Turn(), citing)
    assert cited.claims == []
    assert [each.start for each in cited.citations] == [each.start for each in citing.markers]


def test_no_two_citations_of_a_document_stand_in_one_place() -> None:
    answer = "\n".join(f"- {said} [1][2][3]" for said in (FEE_SAID, GATE_SAID, INVENTED) * 5)
    _, found = rows(f"{answer}\n\n{FEE_SAID}. {GATE_SAID}.")
    places = [(each.start, each.source.number) for each in found]
    assert len(places) == len(set(places))


def test_an_answer_that_only_the_product_cites_may_be_built_on_all_that_was_offered() -> None:
    citing, _ = rows(f"{FEE_SAID}.")
    for offer in citing.offers.values():
        offer.passage.owner_id = offer.document_id
    assert is_built_on_deleted(citing, {1, 2})
    assert not is_built_on_deleted(citing, {1, 2, 3})


def test_the_checker_is_asked_in_bounded_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []

    def counted(
        claims: Sequence[str], passages: Sequence[str], read: object
    ) -> list[list[Support]]:
        sizes.append(len(claims))
        return by_words(claims, passages)

    monkeypatch.setattr(checking, "check_claims", counted)
    citing = fed(f"{FEE_SAID}. " * 50, PASSAGES)
    check(citing, question="What is the fee?")
    assert sum(sizes) == 50
    assert max(sizes) <= attributing.AT_ONCE
