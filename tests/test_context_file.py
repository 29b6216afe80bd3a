"""The context file: settings as YAML by the names of the example, and where each comes from."""

from pathlib import Path

import pytest
from django.conf import LazySettings

from citations.attribution.rows import shorten_quote
from config.context_file import OPTIONS, ContextFile
from memory.recall.budget import divide, scale_limits
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
    assert read.values.keys() | {"STORAGE"} == {each.setting for each in OPTIONS.values()}
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
        ("context_management:\n  session:\n    ttl: 5", 3, "Use 60 or more"),
        ("context_management:\n  sesion: {}", 2, "Known here: session, context_building"),
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
        ("a: [", 1, "this is no YAML"),
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


def test_without_dynamic_allocation_no_room_goes_to_other_parts(settings: LazySettings) -> None:
    limits = scale_limits(4096)
    wanted = {"system": 300, "question": 20, "history": 9000, "passages": 100}
    assert divide(limits, **wanted).history > limits.history
    settings.DYNAMIC_ALLOCATION = False
    assert divide(limits, **wanted).history == limits.history


def test_citations_quote_nothing_where_snippets_are_left_out(settings: LazySettings) -> None:
    assert shorten_quote("Nine berths.") == "Nine berths."
    settings.INCLUDE_SNIPPETS = False
    assert shorten_quote("Nine berths.") == ""
