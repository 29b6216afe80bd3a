"""What is kept of messages knows of which version it is, and what is older is found by an index."""

from django.db import migrations, models

from memory.online import AddIndex


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("memory", "0021_fact_undo")]

    operations = [
        migrations.AddField(
            model_name="wordblock",
            name="version",
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
        AddIndex(
            "wordblock", models.Index(fields=["version", "session"], name="word_block_version")
        ),
    ]
