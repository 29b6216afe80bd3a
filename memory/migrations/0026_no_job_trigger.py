from django.db import migrations


def drop_trigger(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP TRIGGER IF EXISTS memory_job_wakes ON memory_job")
        schema_editor.execute("DROP FUNCTION IF EXISTS memory_job_wakes()")


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ("memory", "0025_plain_names"),
    ]

    operations = [
        # Workers poll.
        migrations.RunPython(drop_trigger, migrations.RunPython.noop, elidable=True),
    ]
