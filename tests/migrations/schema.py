"""The schema of a database, by its own catalog, for comparing two of them."""

import re
from typing import Any

from django.db import connections

Schema = dict[str, Any]
POSTGRESQL_TRIGGERS = """
    SELECT tgrelid::regclass::text || ' ' || tgname, pg_get_triggerdef(oid)
    FROM pg_trigger WHERE NOT tgisinternal
"""
POSTGRESQL_INDEXES = "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'"
POSTGRESQL_CONSTRAINTS = """
    SELECT conrelid::regclass::text || ' ' || conname, pg_get_constraintdef(oid)
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace
"""
POSTGRESQL_COLUMNS = """
    SELECT attrelid::regclass::text || ' ' || attname,
        format_type(atttypid, atttypmod) || ' ' || attnotnull || ' ' || attidentity::text || ' '
        || coalesce(pg_get_expr(adbin, adrelid), '')
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND attnum > 0
        AND NOT attisdropped
"""
POSTGRESQL_FUNCTIONS = """
    SELECT proname, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace
        AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
"""
# A condition that was dumped and put back has its casts and brackets at other places.
CASTS = re.compile(r"::(character varying|[a-z]+)(\[\])?|[()]")
# `cache` is made by a command of its own, the table of pgvector once there are vectors; what FTS5
# keeps for itself follows its table.
LEFT_OUT = ("cache", "citations_passage_vector", "citations_passage_terms_")


def schema_of(alias: str) -> Schema:
    """Return columns, indexes, constraints and triggers of the database by their names."""
    made = _postgresql if connections[alias].vendor == "postgresql" else _sqlite
    return {name: what for name, what in made(alias).items() if not name.startswith(LEFT_OUT)}


def _postgresql(alias: str) -> Schema:
    queries = {
        "column": POSTGRESQL_COLUMNS,
        "index": POSTGRESQL_INDEXES,
        "constraint": POSTGRESQL_CONSTRAINTS,
        "trigger": POSTGRESQL_TRIGGERS,
        "function": POSTGRESQL_FUNCTIONS,
    }
    with connections[alias].cursor() as cursor:
        found: Schema = {}
        for kind, query in queries.items():
            cursor.execute(query)
            rows = cursor.fetchall()
            found |= {f"{name} ({kind})": CASTS.sub("", what) for name, what in rows}
        return found


def _sqlite(alias: str) -> Schema:
    connection = connections[alias]
    found: Schema = {}
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        found |= {f"{name} (trigger)": " ".join(sql.split()) for name, sql in cursor.fetchall()}
        cursor.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        for (table,) in cursor.fetchall():
            cursor.execute(f"SELECT name, type, \"notnull\", dflt_value, pk FROM pragma_table_info('{table}')")
            found |= {f"{table} {name} (column)": what for name, *what in cursor.fetchall()}
            constraints = connection.introspection.get_constraints(cursor, table)
            found |= {f"{table} {name} (constraint)": what for name, what in constraints.items()}
    return found
