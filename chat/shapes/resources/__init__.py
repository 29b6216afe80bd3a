"""The shapes in which sessions, turns and the rest leave the house: API, events, exports alike.

Each is defined once, as a typed dictionary: the function below it is held against it by mypy, and
the API's schema is made from it (chat.api.schema.components). What stands behind a type in
`Annotated` is for the schema: words describe it, a class of choices or a tuple says which
values it has, and a `Format` what kind of text it is.
"""
