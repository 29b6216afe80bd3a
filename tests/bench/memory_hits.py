"""Measure the session memory hit rate on public conversations, in a database that is thrown away.

python -m tests.bench.memory_hits CORPUS TURNS... asks each conversation's questions in a session of
its own and prints how many turns from the third on cite what the session's memory found.
"""

import os
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import django


def list_questions(paths: list[Path]) -> Iterator[tuple[str, list[str]]]:
    """Yield each conversation's name and questions, in order."""
    from chat.evaluation import files

    longest: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        for line in files.read_lines(path):
            said = [each["content"] for each in line["history"] if each["role"] == "user"]
            name = f"{line['dataset']}:{line['conv_id']}"
            longest[name] = max(longest[name], [*said, line["query"]], key=len)
    yield from longest.items()


def main(corpus: Path, paths: list[Path]) -> None:
    from chat.evaluation import files, passages
    from chat.evaluation.databases import throw_away
    from chat.turns import pipeline_steps
    from chat.turns.pipeline import answer_now, take_turn
    from memory.conversations.asking import Question, create_session
    from memory.jobs import run_due
    from memory.models import User

    results: dict[str, Counter[str]] = defaultdict(Counter)
    with throw_away():
        for _batch in passages.load_passages(files.read_lines(corpus)):
            pass
        person = User.objects.create_user("measured")
        for name, questions in list_questions(paths):
            session = create_session(person)

            def note(metric: str, *_: Any, name: str = name, **labels: str) -> None:
                if metric == "memory_turns_total":
                    results[name.partition(":")[0]][labels["result"]] += 1

            with mock.patch.object(pipeline_steps, "count", note):
                for question in questions:
                    asked = take_turn(session, Question(question))
                    if asked.attempt:
                        answer_now(asked.attempt)
                        run_due()
    for dataset, found in {**results, "all": sum(results.values(), Counter())}.items():
        cites = found["hit"] + found["missed"]
        of_all, of_citing = found["hit"] / (found.total() or 1), found["hit"] / (cites or 1)
        print(f"{dataset}: {of_all:.2f} of {found.total()}, {of_citing:.2f} of {cites} that cite")


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    main(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]])
