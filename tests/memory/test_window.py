"""The window: budget and choice of turns, as pure functions."""

import pytest
from hypothesis import given, settings, strategies as st

from memory.errors import QuestionTooLong
from memory.models.conversations import Strategy
from memory.recall.budget import PRIMING, compute_history_limit, divide, scale_limits
from memory.recall.history import MARKER_TOKENS, Gap, fit, format_gap_marker, order_positions, route
from memory.recall.rewriting.questions import ReadQuestion
from memory.text.token_counting import count_tokens

windows = st.integers(512, 262_144)


def chosen(order: list[int], tokens: dict[int, int], **options: object) -> tuple[int, ...]:
    defaults = {"allowance": 10_000, "max_turns": 99, "last": max(tokens), "contiguous": False}
    return fit(order, tokens, **(defaults | options)).positions


def test_sequential_wants_the_newest_then_the_first_then_backwards() -> None:
    assert order_positions(Strategy.SEQUENTIAL, [1, 2, 3, 4]) == [4, 1, 3, 2]


def test_relevance_wants_by_score_what_is_relevant_enough() -> None:
    scores = {1: 0.1, 2: 0.9, 3: 0.5, 4: 0.2, 5: 0.1}
    assert order_positions(Strategy.RELEVANCE, range(1, 6), scores, minimum=0.3) == [5, 1, 2, 3]


def test_hybrid_wants_the_last_three_then_the_most_relevant_and_none_twice() -> None:
    scores = {2: 0.9, 6: 0.8, 3: 0.4}
    assert order_positions(Strategy.HYBRID, range(1, 8), scores, minimum=0.3) == [7, 1, 6, 5, 2, 3]


def test_fit_takes_whole_turns_in_order_of_position() -> None:
    tokens = {1: 100, 2: 900, 3: 100, 4: 100}
    assert chosen([4, 1, 3, 2], tokens, allowance=100 * 3 + MARKER_TOKENS) == (1, 3, 4)


def test_sequential_leaves_no_holes_behind_a_turn_that_does_not_fit() -> None:
    tokens = {1: 10, 2: 10, 3: 900, 4: 10}
    assert chosen([4, 1, 3, 2], tokens, allowance=200, contiguous=True) == (1, 4)


def test_gaps_name_what_was_left_out_and_why() -> None:
    tokens = {1: 10, 4: 900, 6: 10}
    selection = fit([6, 1, 4], tokens, allowance=200, max_turns=9, last=6, contiguous=False)
    assert selection.gaps == (Gap(2, 5, "no_room"),)
    selection = fit([6, 1], {1: 10, 6: 10}, allowance=200, max_turns=9, last=6, contiguous=False)
    assert selection.gaps == (Gap(2, 5, "not_relevant"),)


def test_a_turn_without_an_answer_to_draw_on_is_never_told_to_be_too_old() -> None:
    tokens, options = {1: 10, 2: 10, 3: 10, 5: 10}, {"allowance": 200, "max_turns": 9}
    selection = fit(
        [5, 1, 3, 2],
        tokens,
        **options,
        last=5,
        contiguous=True,
        unwanted="older",
        unanswered=frozenset({4}),
    )
    assert (selection.positions, selection.gaps) == ((1, 2, 3, 5), (Gap(4, 4, "unanswered"),))


def test_no_room_is_kept_for_a_marker_when_every_turn_fits() -> None:
    assert chosen([2, 1], {1: 50, 2: 50}, allowance=100) == (1, 2)


@given(st.lists(st.integers(1, 9_999_999), min_size=2, max_size=80, unique=True))
def test_the_marker_line_stays_within_its_tokens(edges: list[int]) -> None:
    ordered = sorted(edges)
    gaps = [
        Gap(first, last, "older") for first, last in zip(ordered[::2], ordered[1::2], strict=False)
    ]
    assert count_tokens(format_gap_marker(gaps)) <= MARKER_TOKENS
    assert "\n" not in format_gap_marker(gaps)


@given(
    st.dictionaries(st.integers(1, 5000), st.integers(1, 60_000), max_size=300),
    st.integers(0, 300_000),
    st.integers(1, 700),
    st.booleans(),
)
def test_what_is_chosen_never_costs_more_than_allowed(
    tokens: dict[int, int], allowance: int, max_turns: int, contiguous: bool
) -> None:
    order = order_positions(Strategy.SEQUENTIAL, tokens)
    last = max(tokens, default=0)
    selection = fit(
        order,
        tokens,
        allowance=allowance,
        max_turns=max_turns,
        last=last,
        contiguous=contiguous,
    )
    line = MARKER_TOKENS if selection.gaps and selection.positions else 0
    assert not selection.positions or selection.tokens + line <= allowance
    assert len(selection.positions) <= max_turns
    left_out = {place for gap in selection.gaps for place in range(gap.first, gap.last + 1)}
    assert left_out.isdisjoint(selection.positions)
    assert left_out | set(selection.positions) == set(range(1, last + 1))


@settings(max_examples=300)
@given(
    windows,
    st.integers(1, 700),
    st.integers(1, 60_000),
    st.integers(0, 500_000),
    st.integers(0, 5_000),
    st.floats(0.5, 1.0),
)
def test_the_parts_never_exceed_the_window(
    window: int,
    system: int,
    question: int,
    history: int,
    passages: int,
    shrink: float,
) -> None:
    limits = scale_limits(window, shrink=shrink)
    try:
        budget = divide(
            limits, system=system, question=question, history=history, passages=passages
        )
    except QuestionTooLong:
        assert system + question + limits.answer_floor + PRIMING > limits.usable
        return
    used = (budget.system, budget.question, budget.history, budget.passages, budget.answer)
    assert sum(used) + PRIMING <= limits.usable <= window
    assert min(used) >= 0
    assert budget.answer >= limits.answer_floor
    assert budget.history <= compute_history_limit(limits, system=system, question=question)


def test_the_allowances_are_those_of_the_design_at_4096() -> None:
    limits = scale_limits(4096)
    assert (limits.system, limits.history, limits.passages) == (500, 1500, 1500)
    assert (limits.question, limits.answer) == (100, 496)


def test_what_history_does_not_need_goes_to_passages() -> None:
    limits = scale_limits(4096)
    budget = divide(limits, system=200, question=20, history=0, passages=2600)
    assert budget.passages == 2600


def test_a_question_without_room_for_an_answer_is_refused_with_the_limit() -> None:
    with pytest.raises(QuestionTooLong, match=r"\d+ tokens"):
        divide(scale_limits(512), system=60, question=450, history=0, passages=0)


@pytest.mark.parametrize(
    ("query", "turns", "all_fit", "asked_for", "strategy", "reason"),
    [
        ("What is it?", 1, True, "auto", "sequential", "few_turns"),
        ("What is it?", 8, True, "auto", "sequential", "all_turns_fit"),
        (
            "What did you say earlier about fees?",
            40,
            False,
            "auto",
            "relevance",
            "points_at_earlier_turns",
        ),
        ("And why?", 40, False, "auto", "hybrid", "follow_up"),
        ("Which law governs this agreement in New York?", 40, False, "auto", "hybrid", "follow_up"),
        (
            "Which drugs inhibit mutated PIK3CA in breast cancer?",
            40,
            False,
            "auto",
            "hybrid",
            "long_session",
        ),
        ("And why?", 40, False, "relevance", "relevance", "chosen_by_session"),
    ],
)
def test_the_router_chooses_and_says_why(
    query: str, turns: int, all_fit: bool, asked_for: str, strategy: str, reason: str
) -> None:
    way = route(ReadQuestion(query), turns=turns, all_fit=all_fit, asked_for=asked_for)
    assert (way.strategy, way.reason) == (strategy, reason)
