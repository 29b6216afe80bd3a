"""Checks of settings: errors (throughline.E…) stop the start, warnings (W…) don't."""

from memory.checks import deployment, keys, language_models, values

__all__ = ["deployment", "keys", "language_models", "values"]
