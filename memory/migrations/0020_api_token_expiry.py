"""Tokens that have expired are found by an index."""

from django.db import migrations, models

from memory.online import AddIndex


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("memory", "0019_facts_of_runs")]

    operations = [
        AddIndex("apitoken", models.Index(fields=["expiry"], name="api_token_expiry")),
    ]
