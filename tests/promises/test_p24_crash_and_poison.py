"""P24: neither a kill nor a row that always raises stops the purge."""

import json
import random
import signal
import time
from collections.abc import Callable

import pytest

from tests.servers import Blueprint, Installation
from tests.surroundings import PYTHON, end, wait_until

KILLS = 50
# Small batches, so that there is a middle to be killed in.
PURGE = """
from memory.forgetting import purging
from memory.forgetting.due import Due
purging.SESSIONS_AT_ONCE = 2
print("purging", flush=True)
purging.purge(Due())
print("done", flush=True)
"""
FILL = """
from tests.scale.material import store
store({turns}, per=20)
"""
POISON = """
from django.db import connection
from memory.forgetting.due import Due
from memory.models import Turn
oldest = Due().sessions().order_by("expires_at").first()
turn = oldest.turns.first().pk
with connection.cursor() as cursor:
    if connection.vendor == "sqlite":
        cursor.execute("CREATE TRIGGER poison BEFORE DELETE ON memory_turn WHEN old.id = "
            f"'{turn.hex}' BEGIN SELECT RAISE(ABORT, 'poison'); END")
    else:
        cursor.execute("CREATE FUNCTION poison() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'poison'; END $$")
        cursor.execute("CREATE TRIGGER poison BEFORE DELETE ON memory_turn FOR EACH ROW WHEN "
            f"(old.id = '{turn}') EXECUTE FUNCTION poison()")
"""
STATE = """
import json
from django.db.models import Exists, OuterRef
from citations.models import Citation, Source
from memory.forgetting.due import Due
from memory.models import PurgeFailure, Session, Turn
lost = ~Exists(Turn.objects.filter(pk=OuterRef("turn_id")))
homeless = ~Exists(Session.objects.filter(pk=OuterRef("session_id")))
print(json.dumps({
    "due": Due().sessions().count(),
    "live": Session.objects.live().count(),
    "turns": Turn.objects.count(),
    "orphans": Citation.objects.filter(lost).count() + Turn.objects.filter(homeless).count()
        + Source.objects.filter(homeless).count(),
    "half": sum(row.turns.count() != row.turn_count for row in Session.objects.all()),
    "failing": PurgeFailure.objects.count(),
}))
"""


def state(installation: Installation) -> dict[str, int]:
    found: dict[str, int] = json.loads(installation.python(STATE).splitlines()[-1])
    return found


def kill_again_and_again(installation: Installation, kills: int) -> int:
    """Start a purge and kill it in the middle, so many times; return how often it was at work."""
    chance = random.Random(24)
    interrupted = 0
    for number in range(kills):
        name = f"purge-{number}.log"
        code = f"import django; django.setup()\n{PURGE}"
        process = installation.spawn(PYTHON, "-c", code, log=name)
        wait_until(lambda log=name: "purging" in installation.log(log), what="the purge")
        time.sleep(chance.uniform(0.01, 0.25))
        interrupted += process.poll() is None
        end(process, signal.SIGKILL)
    return interrupted


def keep_killing(copy: Installation, turns: int, kills: int) -> None:
    copy.python(FILL.format(turns=turns))
    before = state(copy)
    copy.python(POISON)
    interrupted = kill_again_and_again(copy, kills)
    meanwhile = state(copy)
    assert interrupted >= kills // 2
    assert meanwhile["orphans"] == meanwhile["half"] == 0
    copy.spawn(PYTHON, "-c", f"import django; django.setup()\n{PURGE}", log="last.log").wait(120)
    after = state(copy)
    # All but the poisoned one, which was the oldest, and nothing of anyone who lives.
    assert (after["due"], after["failing"], after["orphans"], after["half"]) == (1, 1, 0, 0)
    assert after["live"] == before["live"]
    assert after["turns"] == 20 * (before["live"] + 1)
    # Whoever watches is told, by kind and id alone.
    logs = "".join(copy.log(f"purge-{number}.log") for number in range(kills)) + copy.log(
        "last.log"
    )
    assert "purge_failed" in logs
    assert "poison" not in logs.replace("purge_failed", "")


@pytest.fixture
def copy(blueprint: Blueprint) -> Callable[[], Installation]:
    return blueprint.copy


def test_p24_a_purge_that_is_killed_goes_on_and_passes_a_poisoned_row(
    copy: Callable[[], Installation],
) -> None:
    keep_killing(copy(), turns=3000, kills=KILLS // 10)


@pytest.mark.deep
def test_p24_in_full(copy: Callable[[], Installation]) -> None:
    keep_killing(copy(), turns=40_000, kills=KILLS)
