"""The context file: settings of sessions, context and citations as YAML (CONTEXT_CONFIG).

Its keys are those of config/context_management.example.yaml. The environment wins over it. A value
that can't be used ends the start with the file, the line and a hint; it is never repeated.
"""

from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any, NoReturn

import yaml

from config.ranges import RANGES

MAX_BYTES = 65_536
ROOT = "context_management"
STORAGE_HINT = (
    "Use database: memory loses conversations with its process, and Redis has no transactions that"
    " retention, holds and erasure could be proven by."
)
ENABLED_HINT = "Use true: without its context no question would be understood as a follow-up."
# Token limits are of a window of WINDOW tokens; they are scaled to others.
ALLOCATIONS, WINDOW = f"{ROOT}.context_window.allocations.", 4096
NAMES: dict[type, str] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a word",
}

CITATION_FORMATS = "apa mla chicago-notes chicago-author-date ieee vancouver nature harvard".split()


@dataclass(frozen=True)
class Option:
    """A key of the file: its setting and its valid values."""

    setting: str
    kind: type = int
    # The file's words, each with the setting's value.
    choices: Mapping[Any, Any] | None = None
    # Messages of a turn, for a key that counts messages.
    divisor: int = 1
    hint: str = ""


def map_names_to_themselves(*names: str) -> dict[str, str]:
    return {name: name for name in names}


OPTIONS: dict[str, Option] = {
    "enabled": Option("ENABLED", bool, {True: True}, hint=ENABLED_HINT),
    "session.ttl": Option("SESSION_TTL"),
    "session.max_turns": Option("MAX_TURNS_PER_SESSION"),
    "session.storage": Option(
        "STORAGE", str, map_names_to_themselves("database"), hint=STORAGE_HINT
    ),
    "session.cleanup_interval": Option("CLEANUP_INTERVAL"),
    "context_building.strategy": Option(
        "CONTEXT_BUILDING_STRATEGY",
        str,
        map_names_to_themselves("auto", "sequential", "relevance", "hybrid"),
    ),
    "context_building.max_history_turns": Option("MAX_HISTORY_TURNS"),
    "context_building.min_relevance_score": Option("MIN_RELEVANCE_SCORE", float),
    "context_building.include_metadata": Option("INCLUDE_METADATA", bool),
    "context_window.max_tokens": Option("MAX_TOKENS_PER_CONTEXT"),
    "context_window.allocations.system_prompt": Option("SYSTEM_TOKENS"),
    "context_window.allocations.conversation_history": Option("HISTORY_TOKENS"),
    "context_window.allocations.retrieved_docs": Option("PASSAGE_TOKENS"),
    "context_window.allocations.query": Option("QUESTION_TOKENS"),
    "context_window.allocations.response_buffer": Option("ANSWER_TOKENS"),
    "context_window.dynamic_allocation": Option("DYNAMIC_ALLOCATION", bool),
    "compression.enabled": Option("ENABLE_COMPRESSION", bool),
    "compression.compression_threshold": Option("COMPRESSION_THRESHOLD"),
    "compression.summary_length": Option("SUMMARY_LENGTH"),
    "compression.compression_strategy": Option(
        "COMPRESSION_STRATEGY",
        str,
        map_names_to_themselves("hierarchical", "turn", "rolling")
        | {"turn-level": "turn", "summarization": "rolling"},
    ),
    "citations.style": Option(
        "CITATION_STYLE", str, map_names_to_themselves("inline", "footnote", "reference")
    ),
    "citations.format": Option("CITATION_FORMAT", str, map_names_to_themselves(*CITATION_FORMATS)),
    "citations.max_citations": Option("MAX_CITATIONS"),
    "citations.citation_threshold": Option("CITATION_THRESHOLD", float),
    "citations.include_snippets": Option("INCLUDE_SNIPPETS", bool),
    "citations.snippet_length": Option("SNIPPET_LENGTH"),
}
OPTIONS = {f"{ROOT}.{key}": option for key, option in OPTIONS.items()} | {
    "conversation_max_history_messages": Option("MAX_HISTORY_TURNS", divisor=2),
    "conversation_max_context_tokens": Option("HISTORY_TOKENS"),
    "conversation_context_strategy": Option(
        "ENABLE_COMPRESSION", str, {"truncate": False, "summarize": True}
    ),
}


class ContextFile:
    """The settings that a file gives, by name, and the line of each."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.values: dict[str, Any] = {}
        self.lines: dict[str, int] = {}
        allocated = 0
        for key, node in self._entries(self._root(), "") if name else ():
            self._read(key, node)
            if key.startswith(ALLOCATIONS):
                allocated += self.values[OPTIONS[key].setting]
                if allocated > WINDOW:
                    hint = f"All are {allocated} tokens by now, of a window of {WINDOW}."
                    self._fail(node, key, f"{hint} They are scaled to other windows.")

    def apply(self, environment: MutableMapping[str, str]) -> dict[str, str]:
        """Set the file's values where the environment has none; return where each setting is set.

        Settings that neither sets are left out.
        """
        known = {option.setting for option in OPTIONS.values()}
        origins = {name: f"{self.name}:{line}" for name, line in self.lines.items()}
        origins |= dict.fromkeys(known.intersection(environment), "environment")
        for name, value in self.values.items():
            environment.setdefault(name, str(value))
        return origins

    def get(self, name: str, default: Any) -> Any:
        """Return the value of a setting that only the file can have."""
        return self.values.get(name, default)

    def _root(self) -> Any:
        try:
            data = Path(self.name).read_bytes()
        except OSError as error:
            raise SystemExit(
                f"CONTEXT_CONFIG can't be read: {self.name}: {error.strerror}."
            ) from error
        if len(data) > MAX_BYTES:
            raise SystemExit(f"{self.name}: more than {MAX_BYTES} bytes are no settings.")
        try:
            return yaml.compose(data, Loader=yaml.SafeLoader)
        except (yaml.YAMLError, ValueError, RecursionError) as error:
            mark = getattr(error, "problem_mark", None)
            line = f"{mark.line + 1}: " if mark else " "
            raise SystemExit(f"{self.name}:{line}this isn't valid YAML.") from error

    def _entries(self, node: Any, above: str) -> Iterator[tuple[str, Any]]:
        """Yield each key with its value's node, also from nested mappings."""
        if node is None:
            return
        if not isinstance(node, yaml.MappingNode):
            self._fail(node, above or "the file", "Use keys with values below them.")
        for key_node, value in node.value:
            key = f"{above}{key_node.value}" if isinstance(key_node.value, str) else above
            if key in OPTIONS:
                yield key, value
            elif any(known.startswith(f"{key}.") for known in OPTIONS):
                yield from self._entries(value, f"{key}.")
            else:
                inside = [each.removeprefix(above) for each in OPTIONS if each.startswith(above)]
                known = dict.fromkeys(each.partition(".")[0] for each in inside)
                self._fail(key_node, key, f"It is unknown. Known here: {', '.join(known)}.")

    def _read(self, key: str, node: Any) -> None:
        option = OPTIONS[key]
        if option.setting in self.values:
            self._fail(node, key, f"Line {self.lines[option.setting]} sets the same.")
        value = self._convert(key, node, option)
        if option.setting in RANGES:
            least, greatest = RANGES[option.setting]
            # In this order, since every comparison with "nan" is false.
            if not least <= value <= (inf if greatest is None else greatest):
                self._fail(
                    node,
                    key,
                    f"Use {least} or more." if greatest is None else f"Use {least} to {greatest}.",
                )
        self.values[option.setting] = value
        self.lines[option.setting] = node.start_mark.line + 1

    def _convert(self, key: str, node: Any, option: Option) -> Any:
        value: Any = yaml.SafeLoader("").construct_object(node) if node.id == "scalar" else None
        if option.choices is not None:
            if value not in option.choices:
                self._fail(node, key, option.hint or f"Use {', '.join(option.choices)}.")
            return option.choices[value]
        is_number = type(value) is int and option.kind is float
        if type(value) is not option.kind and not is_number:
            self._fail(node, key, f"Use {NAMES[option.kind]}.")
        return max(1, value // option.divisor) if option.divisor > 1 else value

    def _fail(self, node: Any, key: str, hint: str) -> NoReturn:
        line = node.start_mark.line + 1
        raise SystemExit(f"{self.name}:{line}: {key.rstrip('.')} can't be used. {hint}")
