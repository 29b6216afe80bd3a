"""The version of Throughline, here and nowhere else; CHANGELOG.md says what is in it."""

__version__ = "0.2.0"
