"""SQLite counts the library's passages by triggers: what has been replaced is none of them.

PostgreSQL counts the rows of its index, from which the replaced ones are taken out.
"""

from django.db import migrations

GONE = """
CREATE TRIGGER citations_passage_gone AFTER DELETE ON citations_passage
WHEN OLD.owner_id IS NULL {condition}
BEGIN
    DELETE FROM citations_passage_terms WHERE rowid = OLD.id;
    UPDATE citations_library SET passages = passages - 1;
END
"""
REPLACED = """
CREATE TRIGGER citations_passage_replaced AFTER UPDATE OF replaced_at ON citations_passage
WHEN NEW.owner_id IS NULL AND OLD.replaced_at IS NULL AND NEW.replaced_at IS NOT NULL
BEGIN
    DELETE FROM citations_passage_terms WHERE rowid = OLD.id;
    UPDATE citations_library SET passages = passages - 1;
END
"""
FORWARDS = [
    "DROP TRIGGER IF EXISTS citations_passage_replaced",
    REPLACED,
    "DROP TRIGGER IF EXISTS citations_passage_gone",
    GONE.format(condition="AND OLD.replaced_at IS NULL"),
]
BACKWARDS = [
    "DROP TRIGGER citations_passage_replaced",
    "DROP TRIGGER citations_passage_gone",
    GONE.format(condition=""),
]


def forwards(apps, schema_editor):
    run(FORWARDS, schema_editor)


def backwards(apps, schema_editor):
    run(BACKWARDS, schema_editor)


def run(statements, schema_editor):
    connection = schema_editor.connection
    if connection.alias == "default" and connection.vendor == "sqlite":
        for statement in statements:
            schema_editor.execute(statement)


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("citations", "0011_rereading")]
    operations = [migrations.RunPython(forwards, backwards, atomic=False)]
