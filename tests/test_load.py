"""The report of `make load` is accurate: its figures, and a small real load."""

import re

import pytest

from tests.load import report
from tests.load.clients import Asked
from tests.load.figures import figures_of, p95
from tests.load.scenarios import Run, Sample, Scenario, run

SCENARIO = Scenario("few", "a few questions", questions=4, seconds=1, pace=10, tokens=20)


def asked(sent: float, **more: object) -> Asked:
    return Asked("session", "token", sent, **more)


def answered(sent: float, first: float, ended: float) -> Asked:
    return asked(sent, turn="t", first=first, ended=ended, kept="complete", whole=True)


def sample(at: float, *, web: float = 0, told: int = 0) -> Sample:
    return Sample(at, web, worker=0, model=0, clients=0, told=told, megabytes=1)


def a_run(*questions: Asked, **more: object) -> Run:
    return Run(SCENARIO, list(questions), [sample(0), sample(10)], **more)


def test_each_question_is_counted_where_it_belongs() -> None:
    figures = figures_of(
        a_run(
            answered(0, first=1, ended=4),
            asked(0, status=503, retry_after=True, refused_after=0.2),
            asked(0, status=429, refused_after=0.1),
            asked(0, turn="t", first=1, ended=2, kept="interrupted"),
            asked(0, turn="t", first=1, ended=2, kept="complete", whole=False),
            asked(0, turn="t"),
            asked(0, status=500),
            asked(0, trouble="ConnectionResetError"),
        )
    )
    assert (figures.asked, figures.taken) == (8, 4)
    assert (figures.refused, figures.refused_blindly) == (1, 1)
    assert (figures.lost, figures.failed) == (3, 2)
    assert figures.troubles == {
        "lost: interrupted": 1,
        "lost: complete": 1,
        "lost: unknown": 1,
        "failed: 500": 1,
        "failed: ConnectionResetError": 1,
    }


def test_times_are_from_the_question_and_of_what_was_answered() -> None:
    figures = figures_of(
        a_run(
            *(answered(at, first=at + 1, ended=at + 2) for at in range(19)),
            answered(1, first=10, ended=30),
        )
    )
    assert (figures.first_median, figures.first_p95) == (1, 1)
    assert (figures.end_median, figures.turns_a_second) == (2, 20 / 30)
    assert p95(range(1, 101)) == 95
    assert p95([]) is None


def test_a_tokens_cost_is_taken_from_the_seconds_in_which_answers_only_stream() -> None:
    question, refused = answered(0, first=1.5, ended=4.5), asked(0, refused_after=0.2)
    run = Run(
        SCENARIO,
        [question, refused],
        [
            sample(0),
            sample(1, web=0.5),
            sample(2, web=0.9, told=10),
            sample(3, web=0.95, told=110),
            sample(4, web=1.0, told=210),
            sample(5, web=1.9, told=300),
        ],
    )
    assert figures_of(run).web_ms_a_token == pytest.approx(0.5)
    run.visits = [0.1]  # pages cost, too
    assert figures_of(run).web_ms_a_token is None


@pytest.mark.deep
def test_a_small_load_is_answered_and_measured(blueprint) -> None:
    figures = figures_of(run(SCENARIO, blueprint))
    assert (figures.asked, figures.taken, figures.lost, figures.failed) == (4, 4, 0, 0)
    assert figures.first_median
    assert figures.end_median
    assert figures.first_median + SCENARIO.tokens / SCENARIO.pace * 0.9 < figures.end_median
    assert figures.page_p95
    assert figures.pages_failed == figures.restarts == 0
    assert min(figures.web_seconds, figures.model_seconds, figures.client_seconds) > 0
    assert re.fullmatch(
        r"\| \| asked .*\n\|.*\n\| few \| 4 \| 4 .*", report.table({"few": figures})
    )
