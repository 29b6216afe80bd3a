"""A stretch of time that somebody names: a day, week, month, quarter or year."""

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta

COUNTS = {
    word: number
    for words in (
        "a two three four five six seven eight nine ten eleven twelve",
        "un dos tres cuatro cinco seis siete ocho nueve diez once doce",
    )
    for number, word in enumerate(words.split(), 1)
} | {"one": 1, "una": 1}


@dataclass(frozen=True)
class Stretch:
    """A stretch of time: the day, week, month, quarter or year that the date lies in."""

    unit: str
    day: date

    def moved(self, unit: str, by: int) -> "Stretch":
        """Return the stretch so many units away; raises OverflowError or ValueError far away."""
        if unit in ("day", "week"):
            days = by * (7 if unit == "week" else 1)
            return Stretch(unit, self.day + timedelta(days=days))
        months = self.day.year * 12 + self.day.month - 1
        months += by * {"month": 1, "quarter": 3, "year": 12}[unit]
        year, month = divmod(months, 12)
        last = monthrange(year, month + 1)[1]
        return Stretch(unit, date(year, month + 1, min(self.day.day, last)))

    @property
    def first(self) -> date:
        """The first of its days."""
        if self.unit == "week":
            return self.day - timedelta(days=self.day.weekday())
        months = {"month": self.day.month, "quarter": self.day.month - (self.day.month - 1) % 3}
        is_day = self.unit == "day"
        return self.day if is_day else self.day.replace(month=months.get(self.unit, 1), day=1)

    @property
    def last(self) -> date:
        """The last of its days."""
        return Stretch(self.unit, self.first).moved(self.unit, 1).day - timedelta(days=1)
