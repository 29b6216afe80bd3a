"""Passages that were replaced are found by an index: they are few among all."""

from django.db import migrations, models

from memory.online import AddIndex


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("citations", "0012_replaced_passages")]

    operations = [
        AddIndex(
            "passage",
            models.Index(
                fields=["id"],
                condition=models.Q(("replaced_at__isnull", False)),
                name="passage_replaced",
            ),
        ),
    ]
