"""Load scenarios: the rate of questions, and the samples taken meanwhile."""

import asyncio
import random
import time
from collections.abc import Awaitable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace

from tests.load.clients import Asked, ask, look_again
from tests.load.model import words_of
from tests.load.served import WEB, WORKER, Served, Usage, model_process, used_by
from tests.servers import Blueprint

QUESTIONS = (
    "What is the Determination Date?",
    "Which drugs inhibit mutated PIK3CA in advanced breast cancer?",
    "How high is the risk of breast cancer with a BRCA1 mutation?",
    "What does the PI3K pathway do?",
    "Which languages does Maria Garcia speak?",
    "What does TP53 do in a healthy cell?",
    "When is surgery to remove the ovaries advised?",
    "Who is the Servicer under the agreement?",
)
# Of the visitor, who reads a page of their own all the while.
VISITS_A_SECOND = 4
REST_SECONDS = 10.0
# Longest wait, after which a question counts as lost; longer than any wait for an answer.
PATIENCE_SECONDS = 300.0
WARMING = 8


@dataclass(frozen=True)
class Scenario:
    """So many questions within so many seconds, each by a person of their own."""

    name: str
    title: str
    questions: int
    seconds: float
    # Tokens a second and an answer of the language model; without them the built-in one answers.
    pace: float = 0
    tokens: int = 0
    # How many ask one question after the other, instead of all at their moment.
    people: int = 0
    visited: bool = True
    # On which engines; all, if none is named.
    engines: tuple[str, ...] = ()

    def tenth(self) -> "Scenario":
        """Return the same with a tenth of the questions."""
        share = max(1, round(self.questions / 10))
        return replace(self, questions=share, people=self.people, seconds=self.seconds)


SCENARIOS = (
    Scenario("second", "300 questions in a second, 2 tokens a second", 300, 1, 2, 40),
    Scenario("wave", "1,000 questions in 20 s, 2 tokens a second", 1_000, 20, 2, 40),
    Scenario("steady", "8 questions a second, the built-in answerer", 240, 30),
    Scenario(
        "people", "32 people at once, the built-in answerer", 320, 0, people=32, engines=("SQLite",)
    ),
    Scenario("streams", "300 at once, 2 tokens a second", 300, 60, 2, 180, visited=False),
    Scenario("tokens", "100 long answers, 10 tokens a second", 100, 5, 10, 400, visited=False),
)


@dataclass(frozen=True)
class Sample:
    """The processor time of the processes up to a moment, in seconds."""

    at: float
    web: float
    worker: float
    model: float
    clients: float
    told: int
    megabytes: float


@dataclass
class Run:
    """One scenario as it went."""

    scenario: Scenario
    asked: list[Asked] = field(default_factory=list)
    samples: list[Sample] = field(default_factory=list)
    # Seconds that a page took, at rest and meanwhile; None where it failed.
    rest: list[float | None] = field(default_factory=list)
    visits: list[float | None] = field(default_factory=list)
    restarts: int = 0


def run(scenario: Scenario, blueprint: Blueprint, **environment: str) -> Run:
    """Let the scenario happen to a fresh copy of the installation."""
    with ExitStack() as stack:
        model = None
        if scenario.pace:
            model, port = stack.enter_context(model_process(scenario.pace, scenario.tokens))
            environment |= {
                "LLM_BASE_URL": f"http://127.0.0.1:{port}/v1",
                "LLM_MODEL": "load",
                "LLM_API_KEY": "load",
            }
        web = blueprint.copy(DEFAULT_TIER="research", **environment)
        served = Served(web, (scenario.people or scenario.questions) + WARMING)
        stack.callback(served.stop)
        observer = _Observer(scenario, served, model.pid if model else 0)
        return asyncio.run(observer.watch())


class _Observer:
    """Asks the scenario's questions, and looks at everything else meanwhile."""

    def __init__(self, scenario: Scenario, served: Served, model: int) -> None:
        self.scenario, self.served, self.model = scenario, served, model
        self.run = Run(scenario)
        self.begun = time.monotonic()
        self.choices = random.Random(7)

    def _now(self) -> float:
        return time.monotonic() - self.begun

    async def watch(self) -> Run:
        people = self.served.people
        warming = [self._asked(person) for person in people[-WARMING:]]
        await self._answered(self._question(asked) for asked in warming)
        if self.scenario.visited:
            await self._visit(WARMING / VISITS_A_SECOND)
            self.run.rest = await self._visit(REST_SECONDS)
        self.begun = time.monotonic()
        looking = [asyncio.create_task(self._sample())]
        if self.scenario.visited:
            looking.append(asyncio.create_task(self._visit(PATIENCE_SECONDS, self.run.visits)))
        await self._answered(self._askers())
        await asyncio.sleep(1)
        await _ended(looking)
        await self._look_again()
        self.run.restarts = self.served.restarts
        return self.run

    async def _answered(self, asking: Iterable[Awaitable[None]]) -> None:
        tasks = [asyncio.ensure_future(each) for each in asking]
        await asyncio.wait(tasks, timeout=PATIENCE_SECONDS)
        await _ended(tasks)

    def _askers(self) -> Iterator[Awaitable[None]]:
        if self.scenario.people:
            each = self.scenario.questions // self.scenario.people
            yield from (self._one_after_the_other(p, each) for p in self.served.people[:-WARMING])
            return
        pause = self.scenario.seconds / self.scenario.questions
        for number, person in enumerate(self.served.people[:-WARMING]):
            yield self._at(number * pause, person)

    async def _at(self, moment: float, person: tuple[str, str]) -> None:
        await asyncio.sleep(moment - self._now())
        await self._noted(person)

    async def _one_after_the_other(self, person: tuple[str, str], questions: int) -> None:
        for _ in range(questions):
            await asyncio.sleep(self.choices.random())
            await self._noted(person)

    async def _noted(self, person: tuple[str, str]) -> None:
        asked = self._asked(person)
        self.run.asked.append(asked)
        await self._question(asked)

    def _asked(self, person: tuple[str, str]) -> Asked:
        token, session = person
        return Asked(session, token, self._now())

    async def _question(self, asked: Asked) -> None:
        await ask(self.served.client, asked, self.choices.choice(QUESTIONS), self.begun)

    async def _visit(
        self, seconds: float, noted: list[float | None] | None = None
    ) -> list[float | None]:
        """Read the page at its moments, whether or not the last one has come yet."""
        times: list[float | None] = [] if noted is None else noted
        visits = []
        for number in range(int(seconds * VISITS_A_SECOND)):
            visits.append(asyncio.create_task(self._page(times)))
            if number < seconds * VISITS_A_SECOND - 1:
                await asyncio.sleep(1 / VISITS_A_SECOND)
        await asyncio.gather(*visits)
        return times

    async def _page(self, times: list[float | None]) -> None:
        begun = time.monotonic()
        try:
            page = await self.served.client.request("GET", "/", self.served.cookie)
            await page.body()
            times.append(time.monotonic() - begun if page.status == 200 else None)
        except (OSError, EOFError, ValueError):
            times.append(None)

    async def _sample(self) -> None:
        while True:
            web, worker = self.served.usage(WEB), self.served.usage(WORKER)
            model = used_by(self.model) if self.model else Usage(0, 0)
            self.run.samples.append(
                Sample(
                    self._now(), web.seconds, worker.seconds, model.seconds, time.process_time(),
                    await self._told(), web.megabytes,
                )
            )  # fmt: skip
            await asyncio.sleep(1)

    async def _told(self) -> int:
        """Return how many tokens the model has sent."""
        if not self.model:
            return 0
        port = int(self.served.web.environment["LLM_BASE_URL"].split(":")[2].split("/")[0])
        told = await replace(self.served.client, port=port).request("GET", "/told", {})
        return int(await told.body())

    async def _look_again(self) -> None:
        """Ask what was kept of each question, a few at a time."""
        expected = "".join(words_of(self.scenario.tokens)) if self.scenario.pace else ""
        slots = asyncio.Semaphore(4)

        async def look(asked: Asked) -> None:
            async with slots:
                await look_again(self.served.client, asked, expected)

        await asyncio.gather(*(look(asked) for asked in self.run.asked if asked.taken))


async def _ended(tasks: Sequence[asyncio.Future[object]]) -> None:
    """Cancel what still runs, and raise what went wrong."""
    for task in tasks:
        task.cancel()
    for result in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(result, Exception):
            raise result
