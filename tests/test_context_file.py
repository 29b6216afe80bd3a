"""The context file: settings as YAML by the names of the example, and where each comes from."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import yaml
from django import conf
from django.conf import LazySettings

from chat.prompting.wording import Matter, write_last_message
from citations.attribution.citing import cite_afresh, shorten_quote
from citations.attribution.offers import make_offers
from citations.models import Citation, Document, Passage
from citations.retrieval import Found
from config.context_file import OPTIONS, ROOT as ROOT_KEY, ContextFile
from memory.admin.dashboard.figures import PurgeLag
from memory.conversations.asking import Question, ask, create_session
from memory.models import Summary, User
from memory.models.governance.policies import make_default_policy
from memory.recall import Given, recall
from memory.recall.budget import Limits, divide, scale_limits
from memory.recall.past import select_relevant_turns
from memory.recall.rewriting.exchanges import Exchange
from tests.memory.summaries.told import condensed, told
from tests.servers import Installation
from tests.surroundings import ROOT
from tests.test_settings import shown

EXAMPLE = ROOT / "config" / "context_management.example.yaml"
TEXT = """\
context_management:
  session:
    ttl: 3600
  context_window:
    allocations: {system_prompt: 400}
  compression:
    compression_strategy: turn-level
conversation_max_history_messages: 8
"""


def test_the_example_names_every_key_with_its_default(tmp_path: Path) -> None:
    read = ContextFile(str(EXAMPLE))
    assert read.values.keys() == {each.setting for each in OPTIONS.values()}
    given = shown(tmp_path, CONTEXT_CONFIG=str(EXAMPLE))
    same = shown(tmp_path)
    differ = {name for name in same if name in given and same[name] != given[name]}
    assert not differ


def test_the_environment_wins_and_each_origin_is_told(tmp_path: Path) -> None:
    file = tmp_path / "context.yaml"
    file.write_text(TEXT)
    program = Installation(tmp_path, CONTEXT_CONFIG=str(file), SESSION_TTL="7200")
    told = program.manage("context_config")
    assert "context_management.session.ttl = 7200  # environment" in told
    assert f"allocations.system_prompt = 400  # {file}:5" in told
    assert f"compression_strategy = turn  # {file}:7" in told
    assert f"max_history_turns = 4  # {file}:8" in told
    assert "max_citations = 10  # default" in told


@pytest.mark.parametrize(
    ("text", "line", "hint"),
    [
        ("context_management: {session: {storage: redis}}", 1, "Use database"),
        ("context_management: {session: {storage: memory}}", 1, "loses conversations with its"),
        ("context_management:\n  enabled: false", 2, "Use true"),
        (
            "context_management:\n  context_window:\n    max_tokens: 8192\n    allocations:\n"
            "      conversation_history: 3000\n      retrieved_docs: 3000",
            6,
            "All are 6000 tokens by now, of a window of 4096",
        ),
        ("context_management:\n  session:\n    ttl: 5", 3, "Use 60 or more"),
        ("context_management:\n  sesion: {}", 2, "Known here: enabled, session, context_building"),
        ("context_management: {citations: {max_citations: ten}}", 1, "a whole number"),
        ("context_management: {context_building: {min_relevance_score: .nan}}", 1, "Use 0 to 1"),
        ("conversation_context_strategy: drop", 1, "Use truncate, summarize"),
        (f"{TEXT}  \ncontext_management: 7", 10, "Use keys"),
        (
            "context_management: {context_building: {max_history_turns: 3}}\n"
            "conversation_max_history_messages: 4",
            2,
            "Line 1 sets the same",
        ),
        ("a: [", 1, "this isn't valid YAML"),
        ("!!python/object/apply:os.system ['true']", 1, "Use keys"),
    ],
)
def test_what_cannot_be_used_stops_the_start_with_its_line(
    tmp_path: Path, text: str, line: int, hint: str
) -> None:
    file = tmp_path / "context.yaml"
    file.write_text(text)
    with pytest.raises(SystemExit) as refusal:
        ContextFile(str(file))
    assert f"{file}:{line}: " in str(refusal.value)
    assert hint in str(refusal.value)


# --- Each key has an effect -----------------------------------------------------------------------


def count_parts(owner: User) -> dict[str, int]:
    """Return how many summaries of each kind a conversation of twenty turns has."""
    rows = condensed(told(owner, 20))
    return dict(Counter(row.kind for row in rows))


def measure_summary(owner: User) -> int:
    (whole,) = [row for row in condensed(told(owner, 40)) if row.kind == Summary.Kind.SESSION]
    return len(whole.text.split())


def choose_turns(_: User) -> tuple[str, tuple[int, ...]]:
    """Return the strategy and the turns that it chooses for a question about the first one."""
    said = [Exchange(f"Where is the {bird}?", f"In the {bird} house.", 0) for bird in BIRDS]
    past = Given([replace(each, position=at) for at, each in enumerate(said, start=1)])
    limits = replace(scale_limits(4096), history_turns=3)
    recalled = recall(past, "Where is the heron?", limits=limits, allowance=limits.history)
    return recalled.route.strategy, recalled.order


def offer_passage(_: User) -> str:
    document = Document(title="Fernhill", authors=["Ada Ross"], year=1999)
    passage = Passage(document=document, heading="Deposit", text="It is due.", page=4)
    return write_last_message(Matter("When?", passages=[Found(passage, 1, *[0.5] * 5)]), 4096)


def ask_for_style(owner: User) -> str:
    return ask(create_session(owner), Question("When?")).turn.style


def cite_three(_: User) -> int:
    passages = [Passage(pk=at, document=Document(), text=f"It is {at}.") for at in (1, 2, 3)]
    citing = cite_afresh(make_offers(passages))
    citing.feed("One [1]. Two [2]. Three [3].")
    citing.close()
    return len(citing.markers)


def divide_window(_: User) -> int:
    return divide(scale_limits(4096), system=300, question=20, history=9000, passages=100).history


def bound_window(_: User) -> Limits:
    return scale_limits(4096)


BIRDS = ("heron", "stork", "crane", "raven", "eagle", "robin", "finch", "swift")
SCORED: Any = SimpleNamespace(positions=np.array([1, 2]))
EFFECTS: dict[str, tuple[object, Callable[[User], object]]] = {
    "session.ttl": (3600, lambda owner: make_default_policy(owner.tier).lifetime),
    "session.max_turns": (50, lambda owner: create_session(owner).turn_limit),
    "session.cleanup_interval": (600, lambda _: PurgeLag(900, 0, "").is_late),
    "context_building.strategy": ("sequential", choose_turns),
    "context_building.max_history_turns": (4, bound_window),
    "context_building.min_relevance_score": (
        0.6,
        lambda _: select_relevant_turns(SCORED, np.array([0.5, 0.7]), before=3),
    ),
    "context_building.include_metadata": (False, offer_passage),
    "context_window.max_tokens": (8192, lambda owner: create_session(owner).context_window),
    "context_window.allocations.system_prompt": (400, bound_window),
    "context_window.allocations.conversation_history": (1000, bound_window),
    "context_window.allocations.retrieved_docs": (1000, bound_window),
    "context_window.allocations.query": (50, bound_window),
    "context_window.allocations.response_buffer": (300, divide_window),
    "context_window.dynamic_allocation": (False, divide_window),
    "compression.enabled": (False, count_parts),
    "compression.compression_threshold": (30, count_parts),
    "compression.summary_length": (40, measure_summary),
    "compression.compression_strategy": ("summarization", count_parts),
    "citations.style": ("footnote", ask_for_style),
    "citations.format": ("ieee", lambda _: conf.settings.CITATION_FORMAT),
    "citations.max_citations": (2, cite_three),
    "citations.citation_threshold": (0.9, lambda _: Citation(score=0.6).is_supported),
    "citations.include_snippets": (False, lambda _: shorten_quote("Nine berths.")),
    "citations.snippet_length": (1, lambda _: shorten_quote("Nine berths.")),
    "conversation_max_history_messages": (8, bound_window),
    "conversation_max_context_tokens": (700, bound_window),
    "conversation_context_strategy": ("truncate", count_parts),
}


@pytest.mark.django_db
@pytest.mark.parametrize("key", EFFECTS)
def test_each_key_changes_what_is_done(
    key: str, owner: User, settings: LazySettings, tmp_path: Path
) -> None:
    value, effect = EFFECTS[key]
    before = effect(owner)
    content: Any = value
    for name in reversed(key.split(".")):
        content = {name: content}
    file = tmp_path / "context.yaml"
    file.write_text(yaml.safe_dump({ROOT_KEY: content} if "." in key else content))
    for name, wanted in ContextFile(str(file)).values.items():
        setattr(settings, name, wanted)
    assert effect(owner) != before


def test_every_key_but_those_with_one_value_is_known_to_have_an_effect() -> None:
    keys = {key.removeprefix(f"{ROOT_KEY}.") for key in OPTIONS}
    assert keys - set(EFFECTS) == {"enabled", "session.storage"}
