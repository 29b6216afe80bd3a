"""A conversation of 100,000 tokens, with messages of 26,000, in windows of 512 to 8,192."""

from collections.abc import Iterator
from datetime import date
from functools import partial

import pytest
from django.conf import LazySettings

from chat.prompting.drafts import Prompt
from chat.turns.grounding import prepare_ground
from chat.turns.grounding.ground import AnswerRequest
from citations.attribution.citing import begin_citing
from citations.index.scope import Scope
from memory.conversations.asking import create_session
from memory.jobs.queue import run_due
from memory.models import Session, Turn, User
from memory.models.conversations import Strategy
from memory.recall import Stored
from memory.recall.budget import scale_limits
from memory.recall.index.indexing import embed_missing
from memory.text.citation_markers import strip_markers
from memory.text.token_counting import count_tokens
from tests.chat.test_prompts import exact
from tests.citations.documents import add

pytestmark = pytest.mark.django_db

QUESTION = "Which of the herons at the western pond did we speak about before?"
SENTENCE = "The heron of the western pond stands in the shallow water and waits for fish [1]. "
LONG = SENTENCE * 1_400
TURNS = 50


@pytest.fixture
def session(owner: User, settings: LazySettings) -> Session:
    settings.EMBEDDING = "none"
    add(SENTENCE * 300)
    session = create_session(owner)
    said = {1: ("Where is the heron?", LONG), 20: (LONG, "Yes."), 49: (LONG, LONG)}
    turns = [
        _turn(session, position, *said.get(position, ("And then?", f"{position}. {SENTENCE}" * 4)))
        for position in range(1, TURNS + 1)
    ]
    Turn.objects.bulk_create(turns)
    assert sum(turn.tokens for turn in turns) > 100_000
    assert max(turn.response_tokens for turn in turns) > 26_000
    embed_missing()
    run_due()
    return session


def _turn(session: Session, position: int, query: str, response: str) -> Turn:
    return Turn(
        session=session,
        owner=session.owner,
        position=position,
        status=Turn.Status.COMPLETE,
        query=query,
        query_tokens=count_tokens(query),
        response=response,
        response_tokens=count_tokens(response),
        recalled_tokens=count_tokens(strip_markers(response)),
    )


def prompts(session: Session, window: int) -> Iterator[tuple[str, Prompt]]:
    for strategy in Strategy:
        session.strategy = strategy
        request = AnswerRequest(
            QUESTION,
            Stored(session, TURNS + 1),
            limits=scale_limits(window),
            scope=Scope(owner=session.owner_id),
            begin=partial(begin_citing, session),
            today=date(2026, 5, 8),
        )
        ground = prepare_ground(request)
        yield ground.recalled.route.strategy, ground.prompt


@pytest.mark.parametrize("window", [512, 4_096, 8_192])
def test_no_strategy_exceeds_the_window(session: Session, window: int) -> None:
    tried = set()
    for strategy, prompt in prompts(session, window):
        tried.add(strategy)
        assert prompt.tokens == exact(prompt)
        assert prompt.tokens + prompt.answer_tokens <= scale_limits(window).usable <= window
        positions = prompt.selection.positions
        assert list(positions) == sorted(set(positions))
        left_out = {at for gap in prompt.selection.gaps for at in range(gap.first, gap.last + 1)}
        assert left_out | set(positions) == set(range(1, TURNS + 1))
        if window > 512:
            assert TURNS in positions
            assert prompt.offers
    assert tried == {Strategy.SEQUENTIAL, Strategy.RELEVANCE, Strategy.HYBRID}


def test_a_message_over_the_limit_keeps_its_head_and_tail(session: Session) -> None:
    _, prompt = next(prompts(session, 8_192))
    long = [turn for turn in prompt.turns if turn.shortened]
    assert long
    for turn in long:
        text = max(turn.query, turn.response, key=len)
        assert text.startswith("The heron of the western pond")
        assert text.rstrip().endswith("waits for fish [1]." if text == turn.query else "fish.")
        assert "[…]" in text
