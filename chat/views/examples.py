"""Examples of the API to copy: the same steps in curl, Python and JavaScript.

Each is a file for one step and language; the tests run them in order against a real server.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.conf import settings
from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _

from chat.views.requests import PersonRequest, page_view, render_page

FOLDER = Path(settings.BASE_DIR) / "templates" / "api" / "examples"
# The address in the files, replaced by the installation's.
ADDRESS = "https://throughline.example"
LANGUAGES = {"sh": "curl", "py": "Python", "js": "JavaScript"}
STEPS = {
    "begin": (_("Begin a session"), _("All other steps go on from here.")),
    "ask": (
        _("Ask"),
        _("The answer comes when it is whole. With a key, asking again gives the same turn."),
    ),
    "stream": (_("Follow an answer while it is written"), _("Server-sent events, as they come.")),
    "resume": (
        _("Go on where the connection was lost"),
        _("With the id of the last event that arrived, nothing is missing and nothing repeated."),
    ),
    "upload": (
        _("Upload a document"),
        _("It is read in the background; what you upload is yours alone."),
    ),
    "query": (
        _("Ask with a history of your own"),
        _("For clients that keep the conversation themselves. Nothing is stored."),
    ),
    "passages": (
        _("Find passages, and verify a text"),
        _("For prompts and answers of your own. Nothing is stored."),
    ),
    "search": (_("Search what was said"), _("Your own questions and answers, newest first.")),
    "memory": (
        _("Correct what a session remembers"),
        _("Prefer a document, and write down what a term means."),
    ),
    "facts": (
        _("Have something remembered of you"),
        _("With your consent to it. What you say anew takes its place; the past stays to be read."),
    ),
    "export": (_("Take a conversation away"), _("As JSON for programs, or Markdown for people.")),
    "errors": (_("Errors"), _("All have one shape: a code for programs, a message for people.")),
}


@dataclass(frozen=True)
class ExampleInLanguage:
    """One step in one language."""

    language: str
    text: str


@dataclass(frozen=True)
class ExampleStep:
    """A task of programs, in each language."""

    name: str
    title: str
    about: str
    snippets: list[ExampleInLanguage]


@page_view
def show_examples(request: PersonRequest) -> HttpResponse:
    """Show the examples with this installation's address."""
    address = request.build_absolute_uri("/").rstrip("/")
    return render_page(request, "api/examples.html", {"steps": list(list_steps(address))})


def list_steps(address: str) -> Iterator[ExampleStep]:
    """Yield the steps in order, with the address put in."""
    for name, (title, about) in STEPS.items():
        snippets = [
            ExampleInLanguage(language, read_example(f"{name}.{ending}").replace(ADDRESS, address))
            for ending, language in LANGUAGES.items()
        ]
        yield ExampleStep(name, str(title), str(about), snippets)


@cache
def read_example(name: str) -> str:
    """Return the file's text."""
    return (FOLDER / name).read_text().strip()
