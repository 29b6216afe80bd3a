"""The eight citation formats: CSL styles, parsed once in a process for each language."""

from functools import cache
from pathlib import Path
from typing import Any

from citeproc import formatter, model
from lxml import etree

from citations.bibliography.elements import ELEMENTS
from memory.models.people import CitationFormat

STYLES = dict(CitationFormat.choices)
LOCALES = {"en": "en-US", "es": "es-ES", "de": "de-DE", "fr": "fr-FR"}
BRITISH = ("nature", "harvard")
# The variable left out where an organisation is author and publisher.
REPEATED = {"apa": "publisher", "mla": "author"}
# Variables that a style's manual omits and the style prints.
LEFT_OUT = {"nature": {"publisher-place"}}
# A manual's term for a work without a date.
UNDATED = {("vancouver", "en"): {"issued": {"literal": "[date unknown]"}}}
# Patterns of entries where a style differs from its manual.
CORRECTED = {"nature": [(r"\. \((?=[^()]*\)\.?$)", " ("), (r"\. in <i>", ". In <i>")]}
# IEEE abbreviates no month of four letters.
WHOLE_MONTHS = {"month-06": "June", "month-07": "July", "month-09": "Sept."}
FOLDER = Path(__file__).parent / "csl"
LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
NAMESPACE = "http://purl.org/net/xbiblio/csl"


class Style:
    """A parsed style in a language, ready to format items."""

    def __init__(self, name: str, language: str) -> None:
        root = _parse(FOLDER / f"{name}.csl")
        locale = LOCALES.get(language, "en-US")
        if locale == "en-US" and name in BRITISH:
            locale = "en-GB"
        root.set_locale_list(locale, validate=False)
        # citeproc-py looks for ordinals only in the first locale's own name.
        for each in root.locales:
            if each.get(LANGUAGE, locale)[:2] == locale[:2]:
                each.set(LANGUAGE, locale)
            for term in each.iterdescendants(f"{{{NAMESPACE}}}term"):
                if name == "ieee" and language == "en" and term.get("form") == "short":
                    term.text = WHOLE_MONTHS.get(term.get("name"), term.text)
        root.formatter = formatter.html
        root.macros = {
            each.get("name"): each for each in root.iterchildren(f"{{{NAMESPACE}}}macro")
        }
        root.locale_language = locale[:2]
        has_suffixes = root.citation.get("disambiguate-add-year-suffix") == "true"
        self.left_out = LEFT_OUT.get(name, set()) | (set() if has_suffixes else {"year-suffix"})
        self.undated = UNDATED.get((name, language), {})
        self.corrected = CORRECTED.get(name, ())
        self.root, self.layout = root, root.bibliography.layout
        self.repeated = REPEATED.get(name, "")
        self.moves_punctuation = root.get_locale_option("punctuation-in-quote") == "true"
        # The conversation's numbers.
        for each in self.layout.iterdescendants(f"{{{NAMESPACE}}}text"):
            if each.get("variable") == "citation-number":
                each.getparent().remove(each)

    def render(self, item: Any) -> str:
        """Return the item's entry as HTML, even for types that the style prints in notes only."""
        text = self.layout.render_children(item)
        if text is None:
            macros = self.layout.iterdescendants(f"{{{NAMESPACE}}}text")
            text = next((each.render(item) for each in macros if each.get("macro")), None)
        return str(self.layout.wrap(text)) if text else ""


@cache
def load_style(name: str, language: str) -> Style:
    """Parse the style, with the terms of the language."""
    return Style(name, language)


def _parse(path: Path) -> Any:
    lookup = etree.ElementNamespaceClassLookup()
    namespace = lookup.get_namespace(NAMESPACE)
    namespace[None] = model.CitationStylesElement
    classes = [*model.CitationStylesElement.__subclasses__(), *ELEMENTS]
    namespace.update({each.__name__.replace("_", "-").lower(): each for each in classes})
    parser = etree.XMLParser(remove_comments=True, no_network=True)
    parser.set_element_class_lookup(lookup)
    return etree.parse(path, parser).getroot()
