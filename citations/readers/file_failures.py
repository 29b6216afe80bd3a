"""Failures of files to become documents, as sentences for people."""

from django.conf import settings
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext_lazy as lazy

MESSAGES = {
    # Refused when it is added, or found when it is read.
    "empty": lazy("The file holds no text."),
    "busy": lazy("Many files are being read just now. Try again in a minute."),
    "no_text": lazy(
        "No page of this PDF holds text: it seems to be a scan. Run text recognition (OCR) over it "
        "and add the result."
    ),
    "too_large": lazy("The file is larger than %(size)s."),
    "too_many_pages": lazy("The file has more than %(pages)d pages."),
    "too_many_parts": lazy("The file has far more parts than a document needs."),
    "unpacks_too_large": lazy("The file unpacks to far more than a document needs."),
    "too_complex": lazy(
        "The file is built in a way that takes too long or too much memory to read."
    ),
    "encrypted": lazy("The file is protected by a password. Remove the password and add it again."),
    "broken": lazy("The file is damaged and can't be read."),
    "mislabelled": lazy("The file isn't what its name says."),
    "old_word": lazy(
        "Files of Word 97 to 2003 (.doc) can't be read. Save it as .docx and add that."
    ),
    "unsupported": lazy(
        "Files of this kind can't be read. PDF, Word, Excel, PowerPoint (.pptx), "
        "OpenDocument, RTF, EPUB, HTML, mail (.eml), CSV, Markdown, reStructuredText and plain "
        "text can."
    ),
    "no_references": lazy("There are no entries of BibTeX, RIS or CSL-JSON in the file."),
    "binary": lazy("The file isn't text."),
    "not_utf8": lazy(
        "Which encoding the text has can't be told. Save it as UTF-8 and add it again."
    ),
    # Found when it is indexed.
    "engine_unavailable": lazy("The embedding engine can't be reached. Add the file again later."),
    "engine_answered_too_little": lazy("The embedding engine gave an incomplete answer."),
    "engine_answered_wrongly": lazy(
        "The embedding engine's answer was no vectors. An administrator has to look."
    ),
    "weights_changed": lazy(
        "The embedding model's file was changed. An administrator has to look."
    ),
    "gave_up": lazy("Something went wrong on our side, several times. Add the file again later."),
}


def get_failure_sentence(code: str) -> str:
    """Return the sentence for people about a failure."""
    size = filesizeformat(settings.MAX_DOCUMENT_BYTES).replace("\xa0", " ")
    words = str(MESSAGES.get(code, MESSAGES["gave_up"]))
    return words % {"size": size, "pages": settings.MAX_DOCUMENT_PAGES}
