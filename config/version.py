"""The version of Throughline, defined only here; CHANGELOG.md lists its changes."""

__version__ = "0.2.0"
