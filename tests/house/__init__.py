"""The house measured, and its papers held against it."""
