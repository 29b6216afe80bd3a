"""Wrong settings stop the start, unsafe ones are named before a deployment: with an id and a hint.

Errors are throughline.E..., warnings throughline.W...; each module registers its own.
"""

from memory.checks import deployment, keys, language_models, values

__all__ = ["deployment", "keys", "language_models", "values"]
