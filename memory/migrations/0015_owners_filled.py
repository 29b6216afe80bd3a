"""Whose the rows are that were there before the column."""

from django.db import migrations

from memory.online import FillOwner


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("memory", "0014_owners")]

    operations = [
        FillOwner("rewritesource", of="turn"),
    ]
