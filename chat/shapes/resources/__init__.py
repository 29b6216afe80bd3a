"""Representations of sessions, turns and other rows, shared by API, events and exports.

Each is defined once, as a typed dictionary: mypy checks the function below against it, and the
API's schema is made from it (chat.api.schema.components). The metadata in `Annotated` is for the
schema: a text is the description, a class of choices or a tuple lists the values, and a `Format`
names the format.
"""
