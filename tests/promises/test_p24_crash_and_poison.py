"""P24: neither a kill nor a row that always raises stops the purge."""

import json
from collections.abc import Callable

import pytest

from tests.servers import Blueprint, Installation
from tests.surroundings import PATIENCE, PYTHON

KILLS = 50
FILL = """
from tests.scale.material import store
store({turns}, per=20, people=5)
"""
POISON = """
from django.db import connection
from memory.forgetting.retention.due import Due
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
# Each purge is a process of its own, forked so that it need not import everything again, before
# there is any connection. Small batches, so that there is a middle to be killed in.
KILL = """
import os, random, signal, time
import django
django.setup()
from memory.forgetting.retention import purging
from memory.forgetting.retention.due import Due

def purge():
    purging.SESSIONS_AT_ONCE = 2
    purging.purge(Due())
    return 0

chance, interrupted = random.Random(24), 0
for number in range({kills}):
    child = os.fork()
    if not child:
        os._exit(purge())
    time.sleep(chance.uniform(0.01, 0.25))
    os.kill(child, signal.SIGKILL)
    interrupted += os.WIFSIGNALED(os.waitpid(child, 0)[1])
print("interrupted", interrupted, flush=True)
"""
FINISH = """
import django
django.setup()
from memory.forgetting.retention.due import Due
from memory.forgetting.retention.purging import purge
purge(Due())
"""
STATE = """
import json
from django.db.models import Exists, OuterRef
from citations.models import Citation, Source
from memory.forgetting.retention.due import Due
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


def state(installation: Installation, *, after: str = "") -> dict[str, int]:
    """Return what is there, after the code has been run."""
    found: dict[str, int] = json.loads(installation.python(after + STATE).splitlines()[-1])
    return found


def kill_again_and_again(installation: Installation, kills: int) -> int:
    """Start a purge and kill it in the middle, so many times; return how often it was at work."""
    process = installation.spawn(PYTHON, "-c", KILL.format(kills=kills), log="killed.log")
    assert process.wait(PATIENCE + 5 * kills) == 0, installation.log("killed.log")
    return int(installation.log("killed.log").rpartition("interrupted ")[2].split()[0])


def keep_killing(copy: Installation, turns: int, kills: int) -> None:
    before = state(copy, after=FILL.format(turns=turns) + POISON)
    interrupted = kill_again_and_again(copy, kills)
    meanwhile = state(copy)
    assert interrupted >= kills // 2
    assert meanwhile["due"] > 1
    assert meanwhile["orphans"] == meanwhile["half"] == 0
    assert copy.spawn(PYTHON, "-c", FINISH, log="finished.log").wait(PATIENCE) == 0
    after = state(copy)
    # All but the poisoned one, which was the oldest, and nothing of anyone who lives.
    assert (after["due"], after["failing"], after["orphans"], after["half"]) == (1, 1, 0, 0)
    assert after["live"] == before["live"]
    assert after["turns"] == 20 * (before["live"] + 1)
    # The log names the failure by kind and id alone.
    logs = copy.log("killed.log") + copy.log("finished.log")
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
