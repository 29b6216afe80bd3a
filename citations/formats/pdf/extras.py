"""Extras: the comments, form fields and embedded files of a PDF."""

import ctypes
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium
from lxml import etree

from citations.formats.attachments import MOST_BYTES, MOST_FILES, AttachedFile
from citations.formats.cleaning import clean_line
from citations.formats.parts import PartKind

MOST_ANNOTATIONS, MOST_PICTURES = 2000, 2000  # of a page
MOST_OPTIONS = 500  # of a list
LONGEST, MOST_XFA = 20_000, 10 << 20  # bytes
LARGE = 0.05  # share of a page; smaller pictures are logos or lines
TICKED, UNTICKED, BLANK = "☒", "☐", "____"
BUTTONS = (pdfium.FPDF_FORMFIELD_PUSHBUTTON, pdfium.FPDF_FORMFIELD_SIGNATURE)
BOXES = (pdfium.FPDF_FORMFIELD_CHECKBOX, pdfium.FPDF_FORMFIELD_RADIOBUTTON)
UNSAID = (pdfium.FPDF_ANNOT_LINK, pdfium.FPDF_ANNOT_POPUP, pdfium.FPDF_ANNOT_WIDGET)


Aside = tuple[PartKind, str]  # an element of a page beside its text


def read_asides(document: pypdfium2.PdfDocument, page: Any) -> Iterator[Aside]:
    """Yield the comments of a page with their authors, and form fields with their values."""
    read = pdfium.FPDFAnnot_GetStringValue
    for number in range(min(pdfium.FPDFPage_GetAnnotCount(page), MOST_ANNOTATIONS)):
        annotation = pdfium.FPDFPage_GetAnnot(page, number)
        kind = pdfium.FPDFAnnot_GetSubtype(annotation)
        if kind == pdfium.FPDF_ANNOT_WIDGET and document.formenv:
            if text := read_field(document.formenv.raw, annotation):
                yield PartKind.FIELD, text
        elif kind not in UNSAID and (said := read_string(partial(read, annotation, b"Contents"))):
            author = clean_line(read_string(partial(read, annotation, b"T")))
            yield PartKind.COMMENT, f"Comment{' of ' * bool(author)}{author}: {said}"
        pdfium.FPDFPage_CloseAnnot(annotation)


def read_field(form: Any, annotation: Any) -> str:
    """Return the label and the value of a field, or its label and its tick."""
    kind = pdfium.FPDFAnnot_GetFormFieldType(form, annotation)
    label, name, value, choice = (
        clean_line(read_string(partial(get, form, annotation)), LONGEST)
        for get in (
            pdfium.FPDFAnnot_GetFormFieldAlternateName,
            pdfium.FPDFAnnot_GetFormFieldName,
            pdfium.FPDFAnnot_GetFormFieldValue,
            pdfium.FPDFAnnot_GetFormFieldExportValue,
        )
    )
    label = label or name
    if kind in BUTTONS or not label:
        return ""
    if kind not in BOXES:
        chosen = [
            read_string(partial(pdfium.FPDFAnnot_GetOptionLabel, form, annotation, at))
            for at in range(min(pdfium.FPDFAnnot_GetOptionCount(form, annotation), MOST_OPTIONS))
            if pdfium.FPDFAnnot_IsOptionSelected(form, annotation, at)
        ]
        return f"{label}: {', '.join(chosen) or value or BLANK}"
    mark = TICKED if pdfium.FPDFAnnot_IsChecked(form, annotation) else UNTICKED
    is_choice = kind == pdfium.FPDF_FORMFIELD_RADIOBUTTON and choice
    return f"{mark} {label}: {choice}" if is_choice else f"{mark} {label}"


def read_xfa(document: pypdfium2.PdfDocument) -> Iterator[str]:
    """Yield the values of an XFA form, each after the name of its field."""
    for number in range(pdfium.FPDF_GetXFAPacketCount(document)):
        name, size = ctypes.create_string_buffer(100), ctypes.c_ulong()
        pdfium.FPDF_GetXFAPacketName(document, number, name, len(name))
        pdfium.FPDF_GetXFAPacketContent(document, number, None, 0, ctypes.byref(size))
        if name.value == b"datasets" and 0 < size.value <= MOST_XFA:
            content = ctypes.create_string_buffer(size.value)
            pdfium.FPDF_GetXFAPacketContent(document, number, content, size, ctypes.byref(size))
            parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
            root = etree.fromstring(content.raw[: size.value], parser)
            for element in root.iter("*") if root is not None else ():
                if not len(element) and (value := (element.text or "").strip()):
                    yield f"{etree.QName(element).localname}: {value}"


def read_attached(document: pypdfium2.PdfDocument) -> list[AttachedFile]:
    """Return the embedded files, an empty one for each that is unreadable or too large."""
    found: list[AttachedFile] = []
    room = MOST_BYTES
    for number in range(min(document.count_attachments(), MOST_FILES)):
        try:
            file = document.get_attachment(number)
            data = bytes(file.get_data()) if room > 0 else b""
            found.append(AttachedFile(file.get_name(), data))
        except pypdfium2.PdfiumError:
            found.append(AttachedFile("", b""))
        room -= len(found[-1].data)
    return found


def count_large_pictures(page: Any) -> int:
    """Count the pictures of a page that are large enough to have content."""
    area = page.get_width() * page.get_height()
    wanted = (pdfium.FPDF_PAGEOBJ_IMAGE,)
    count = 0
    for picture in islice(page.get_objects(filter=wanted, max_depth=2), MOST_PICTURES):
        left, bottom, right, top = picture.get_bounds()
        count += abs((right - left) * (top - bottom)) >= LARGE * area
    return count


def read_string(get: Callable[..., int]) -> str:
    """Return the text that a function of PDFium writes into a buffer."""
    size = get(None, 0)
    if not 2 < size <= LONGEST:
        return ""
    room = ctypes.create_string_buffer(size)
    get(ctypes.cast(room, ctypes.POINTER(pdfium.FPDF_WCHAR)), size)
    return room.raw[: size - 2].decode("utf-16-le", "replace").strip()
