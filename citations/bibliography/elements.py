"""Elements of CSL styles, corrected where citeproc-py departs from the specification."""

from typing import Any

from citeproc import model
from citeproc.source import VariableError

Item = Any
# Options of names with another spelling where they are inherited.
RENAMED = {"form": "name-form", "delimiter": "name-delimiter"}


class Tracked:
    """An element that records on the item which of its variables it has rendered."""

    def process(self, item: Item, *args: Any, **kwargs: Any) -> Any:
        names = (self.get("variable") or "").split()  # type: ignore[attr-defined]
        # A year's suffix doesn't count: "n.d." appears without it, too.
        names = [name for name in names if name != "year-suffix"]
        item.called += len(names)
        found = super().process(item, *args, **kwargs)  # type: ignore[misc]
        is_printed = bool(found[0] if isinstance(found, tuple) else found)
        if is_printed and (names or self.get("macro")):  # type: ignore[attr-defined]
            item.rendered.extend(name.replace("-", "_") for name in names or ["macro"])
        return found


class PageRanges:
    """Page ranges that keep their last page whole where it has more digits."""

    def _format_last_page(self, first: str, last: str) -> str:
        if len(first) != len(last):
            return last
        short: str = super()._format_last_page(first, last)  # type: ignore[misc]
        return short


class Text(Tracked, PageRanges, model.Text):
    """Text, unless a substitute for missing names has printed it."""

    def get_macro(self, name: str) -> Any:
        return self.get_root().macros[name]

    def _variable(self, item: Item, context: Any) -> Any:
        name = self.get("variable").replace("-", "_")
        if name in item.substituted:
            return None
        short = f"{name}_short"
        if self.get("form") == "short" and short in item.reference:
            name = short
        if name.startswith("page"):
            return self._process(item.reference["page"], self.get("variable"))
        return item.reference[name]


class Number(Tracked, PageRanges, model.Number):
    """Numbers of an item."""


class Names(Tracked, model.Names):
    """Names, unless a substitute has printed them."""

    def process(self, item: Item, *args: Any, **kwargs: Any) -> Any:
        if self.get("variable") in item.substituted:
            return None
        return super().process(item, *args, **kwargs)


class Date(Tracked, model.Date):
    """Dates, with the delimiter of a locale's format."""

    def render_single_date(self, date: Any, show_parts: Any = None, context: Any = None) -> Any:
        parts = self.parts(date, show_parts, context if context is not self else None)
        if not parts:
            return None
        has_own = self.is_locale_date() and self.get("delimiter") is None
        return (context if has_own else self).join(parts)


class Date_Part(model.Date_Part):  # noqa: N801 - citeproc-py names elements after their tags
    """Parts of dates, with formats that a style sets for one date only."""

    def render(self, *args: Any, **kwargs: Any) -> Any:
        own = dict(self.attrib)
        try:
            return super().render(*args, **kwargs)
        finally:
            self.attrib.clear()
            self.attrib.update(own)


class Name(model.Name):
    """Names of people, with full given names where the style asks for them."""

    def get_option(self, name: str, context: Any = None, sort_options: Any = None) -> Any:
        if name == "initialize-with" and self.get("initialize") == "false":
            return None
        default = self.get_root().bibliography
        value = self.get(name, default.get_option(RENAMED.get(name, name)))
        if name in ("initialize-with-hyphen", "et-al-use-last"):
            return value == "true"
        return int(value) if name.startswith("et-al") else value


class Label(model.Label):
    """Labels of existing variables."""

    def process(self, item: Item, variable: Any = None, *args: Any, **kwargs: Any) -> Any:
        if variable is None and self.get("variable").replace("-", "_") not in item.reference:
            return None
        return super().process(item, variable, *args, **kwargs)

    def _is_plural(self, item: Item) -> bool:
        value = item.reference.get(self.get("variable").replace("-", "_"), "")
        return self.RE_MULTIPLE_NUMBERS.search(str(value)) is not None

    def case(self, text: Any, language: Any = None) -> Any:
        return super().case(text, language or self.get_root().locale_language)


class Group(model.Group):
    """Groups, left out where they would print terms without any variable."""

    def process(self, item: Item, context: Any = None, **kwargs: Any) -> Any:
        rendered, called = len(item.rendered), item.called
        text = self.render_children(item, self.get("delimiter", ""), context=context, **kwargs)
        if text and (len(item.rendered) > rendered or item.called == called):
            item.rendered.append("group")
            return text
        raise VariableError


class Substitute(model.Substitute):
    """The substitute for missing names, which is not printed a second time."""

    def render(self, item: Item, context: Any = None, **kwargs: Any) -> Any:
        before = len(item.rendered)
        text = super().render(item, context=context, **kwargs)
        if text:
            item.substituted.update(item.rendered[before:])
        return text

    def add_to_repressed_list(self, child: Any, context: Any) -> None:
        """Do nothing: `substituted` prevents repeats."""


ELEMENTS = (Text, Number, Names, Date, Date_Part, Name, Label, Group, Substitute)
