"""The evaluate command on memories: conversations become sessions, and messages are ranked."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from chat.evaluation.memories import date_of_turn, format_turn, pair_lines, read_timed
from memory.models import Session, User

MAY, JUNE = "1:56 pm on 8 May, 2023", "9:00 am on 2 June, 2023"


def said(turn_id: str, role: str, content: str, **values: str) -> dict[str, Any]:
    line = {"conv_id": "c", "session_id": "S1", "date": MAY, "turn_id": turn_id, "caption": ""}
    return line | {"role": role, "content": content} | values


TURNS = [
    said("D1:1", "Ann", "Good to see you!"),
    said("D1:2", "Bob", "You too. I've bought a sailing boat."),
    said("D1:3", "Bob", "Look!", caption="a photo of a blue dinghy"),
    said("D2:1", "Bob", "I sold it again.", session_id="S2", date=JUNE),
    said("D2:2", "Ann", "I took up the violin last week.", session_id="S2", date=JUNE),
    said("D1:1", "user", "How do I bake bread?", conv_id="other"),
]
QUERIES = [
    {"dataset": "set", "conv_id": "c", "qid": "1", "query": "Which boat has Bob bought?"},
    {"dataset": "set", "conv_id": "c", "qid": "2", "query": "What did Ann do in June 2023?"},
]


# Somebody with an assistant, in three sessions.
CHAT = [
    said(f"{session}:{at}", role, text, conv_id="p", session_id=session, date=None)
    for session, texts in {
        "S1": ["My rent is 900 a month.", "Noted: rent, 900."],
        "S2": ["How do I bake bread?", "With flour. Rent, rent, rent: an oven."],
        "S3": ["My rent is 950 a month now.", "Noted."],
    }.items()
    for at, (role, text) in enumerate(zip(("user", "assistant"), texts, strict=True))
]


def ids(lines: list[dict[str, Any]]) -> list[list[str]]:
    return [[line["turn_id"] for _, line in sorted(pair.items())] for pair in pair_lines(lines)]


@pytest.mark.django_db(transaction=True)
def test_messages_are_ranked_and_the_real_database_stays_as_it_is(
    tmp_path: Path, owner: User
) -> None:
    for name, lines in (("turns", TURNS), ("queries", QUERIES)):
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (tmp_path / f"{name}.jsonl").write_text(text)
    call_command(
        "evaluate",
        "memories",
        f"--turns={tmp_path / 'turns.jsonl'}",
        f"--queries={tmp_path / 'queries.jsonl'}",
        f"--out={tmp_path / 'out.jsonl'}",
    )
    out = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [(line["dataset"], line["qid"]) for line in out] == [("set", "1"), ("set", "2")]
    assert all(sorted(line["ranked"]) == ["D1:1", "D1:2", "D1:3", "D2:1", "D2:2"] for line in out)
    assert [line["ranked"][0] for line in out] == ["D1:2", "D2:2"]
    assert User.objects.get() == owner
    assert not Session.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_what_somebody_told_an_assistant_is_ranked_over_their_sessions(tmp_path: Path) -> None:
    asked = ["What is my rent?", "Which colour is the bicycle?"]
    queries = [
        {"dataset": "set", "conv_id": "p", "qid": str(at), "query": query}
        for at, query in enumerate(asked)
    ]
    for name, lines in (("turns", CHAT), ("queries", queries)):
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (tmp_path / f"{name}.jsonl").write_text(text)
    files = {name: tmp_path / f"{name}.jsonl" for name in ("turns", "queries", "out")}
    options = [f"--{name}={path}" for name, path in files.items()]
    call_command("evaluate", "memories", *options)
    rent, bicycle = [json.loads(line) for line in files["out"].read_text().splitlines()]
    assert rent["ranked"] == ["S3:0", "S1:0", "S2:0"]
    assert rent["confidence"] > bicycle["confidence"]


def test_a_message_and_its_reply_are_one_turn() -> None:
    assert ids(TURNS[:3]) == [["D1:1", "D1:2"], ["D1:3"]]
    chat = [
        said("1", "assistant", "Hello."),
        said("2", "user", "Hi."),
        said("3", "user", "How are you?"),
        said("4", "assistant", "Well."),
        said("5", "assistant", "And you?"),
    ]
    assert ids(chat) == [["1"], ["2"], ["3", "4"], ["5"]]


def test_a_turn_has_the_time_of_its_sitting_or_sittings_are_days_apart() -> None:
    times = [moment for _, moment in read_timed(TURNS[:5])]
    assert [time.date().isoformat() for time in times] == ["2023-05-08"] * 2 + ["2023-06-02"]
    undated = [line | {"date": None} for line in TURNS[:5]]
    first, _, second = [moment for _, moment in read_timed(undated)]
    assert (second - first).days == 1
    assert date_of_turn(said("1", "Ann", "", date="2024-03-15")) == datetime(
        2024, 3, 15, tzinfo=UTC
    )


def test_names_and_captions_are_part_of_the_text_and_roles_are_not() -> None:
    assert format_turn(TURNS[2]) == "Bob: Look!\na photo of a blue dinghy"
    assert format_turn(TURNS[5]) == "How do I bake bread?"
