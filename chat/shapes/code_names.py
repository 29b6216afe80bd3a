"""Names of a context record's codes for people."""

from django.conf import settings
from django.utils.translation import gettext_lazy as _

WORDS = {
    # By what an entry of an import matches
    "file": _("same file name"),
    "title": _("same title"),
    "DOI": _("same DOI"),
    "ISBN": _("same ISBN"),
    # Strategies
    "sequential": _("Newest turns first"),
    "relevance": _("Most relevant turns"),
    "hybrid": _("Newest and most relevant turns"),
    # Reasons of the strategy
    "chosen_by_session": _("set for this conversation"),
    "few_turns": _("there are only a few earlier turns"),
    "all_turns_fit": _("all earlier turns fit"),
    "points_at_earlier_turns": _("the question points at something said earlier"),
    "follow_up": _("the question follows up on the last one"),
    "long_session": _("the conversation is longer than the window"),
    # Reasons of the rewrite
    "first_question": _("it is the first question"),
    "stands_alone": _("it stands on its own"),
    "new_topic": _("it begins a new topic"),
    "reference_resolved": _("what it refers to was put in"),
    "respelled": _("a word that the library doesn't have was taken for one that it has"),
    "topic_carried": _("words of what was said before were added"),
    "earlier_session": _("words of an earlier conversation were added"),
    "list_item": _("items of a list were put in"),
    "small_talk": _("it is small talk"),
    "about_conversation": _("it asks about this conversation"),
    "noted": _("it only tells something"),
    "more_of_the_same": _("it asks for more of the answer before"),
    "asked_further": _("it asks for more about an earlier question"),
    "of_the_answer": _("it is about the answer before"),
    "nothing_to_carry": _("nothing was found that it could refer to"),
    "date_resolved": _("a date was put in"),
    "as_typed": _("exactly as typed"),
    "given": _("it came with the question"),
    "rewritten_by_model": _("the language model rewrote it to stand on its own"),
    "model_failed": _("without the language model, which failed"),
    "model_answer_refused": _("without the language model, whose rewrite was unusable"),
    # Reasons of omitted turns
    "older": _("older than the ones that fit"),
    "unanswered": _("it has no answer to draw on"),
    "no_room": _("no room in the window"),
    "max_turns": _("more turns than are allowed"),
    "not_relevant": _("not relevant to the question"),
    "summarised": _("in a summary"),
    "summaries": _("summaries"),
    "history_given": _("the client sent its own history"),
    # Finish reasons of the model
    "stop": _("it had said all"),
    "length": _("its answer was cut off"),
    "too_long": _("its answer was longer than an answer may be"),
    "content_filter": _("a filter held its answer back"),
    # Parts of the window
    "system": _("Instructions"),
    "history": _("Earlier turns"),
    "passages": _("Passages"),
    "question": _("Question"),
    "answer": _("Answer"),
    # Formats of bibliographies
    "text": _("Text"),
    "html": _("HTML"),
    "bibtex": _("BibTeX"),
    "ris": _("RIS"),
    "csl-json": _("CSL-JSON"),
    # Steps
    "recall": _("Recall the conversation"),
    "find": _("Search the library"),
    "read": _("Read the passages"),
    "build": _("Build the prompt"),
    "first_piece": _("First words"),
    "cite": _("Check the citations"),
    "record": _("Store the answer"),
}


# An example of each citation style.
HINTS = {
    "inline": _("A number behind each statement opens its passage."),
    "footnote": _("A small number behind each statement leads to a note below the answer."),
    "reference": _("Text without numbers, and the sources listed below it."),
}


def style_hint(style: str) -> str:
    """Return an example of a citation style, by default the installation's."""
    return str(HINTS[style or settings.CITATION_STYLE])


def name_code(code: str) -> str:
    """Return the name of the code, or the readable code if it has none."""
    return str(WORDS.get(code, code.replace("_", " ")))
