"""DOI, ISBN and ISSN: their syntax and check digits."""

import re

DOI = re.compile(r"10\.\d{4,9}/[^\s\"<>{}|\\^`]{1,200}")
DOI_PREFIX = re.compile(r"^(?:https?://(?:dx\.|www\.)?doi\.org/|doi:?\s*)", re.IGNORECASE)


def parse_doi(text: str) -> str:
    """Parse a DOI, bare or as an address. Raises ValueError."""
    doi = DOI_PREFIX.sub("", text.strip())
    if not DOI.fullmatch(doi):
        raise ValueError(text)
    return doi


def parse_isbn(text: str) -> str:
    """Parse an ISBN into its digits and test its check digit. Raises ValueError."""
    digits = re.sub(r"[\s‐-–-]|^ISBN(?:-1[03])?:?", "", text.strip(), flags=re.IGNORECASE).upper()
    if re.fullmatch(r"97[89]\d{10}", digits):
        total = sum(int(digit) * (1, 3)[at % 2] for at, digit in enumerate(digits))
        is_valid = total % 10 == 0
    else:
        is_valid = re.fullmatch(r"\d{9}[\dX]", digits) is not None and _has_valid_check_digit(
            digits
        )
    if not is_valid:
        raise ValueError(text)
    return digits


def parse_issn(text: str) -> str:
    """Parse an ISSN and test its check digit. Raises ValueError."""
    digits = text.strip().upper().replace("-", "")
    if not re.fullmatch(r"\d{7}[\dX]", digits) or not _has_valid_check_digit(digits):
        raise ValueError(text)
    return f"{digits[:4]}-{digits[4:]}"


def convert_to_isbn13(isbn: str) -> str:
    """Convert a valid ISBN to its 13 digits, so that both forms compare equal."""
    if len(isbn) == 13:
        return isbn
    digits = f"978{isbn[:9]}"
    total = sum(int(digit) * (1, 3)[at % 2] for at, digit in enumerate(digits))
    return f"{digits}{-total % 10}"


def _has_valid_check_digit(digits: str) -> bool:
    """Test the check digit of an ISBN of ten digits, or of an ISSN."""
    values = [10 if digit == "X" else int(digit) for digit in digits]
    return sum(value * weight for weight, value in enumerate(reversed(values), 1)) % 11 == 0
