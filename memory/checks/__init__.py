"""Checks of settings: errors (throughline.E…) stop the start, warnings (W…) don't."""

from memory.checks import compliance, deployment, keys, language_models, values

__all__ = ["compliance", "deployment", "keys", "language_models", "values"]
