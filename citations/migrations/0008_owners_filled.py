"""Whose the rows are that were there before the column."""

from django.db import migrations

from memory.online import FillOwner


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("citations", "0007_owners")]

    operations = [
        FillOwner("source", of="session"),
        FillOwner("sessiondocument", of="session"),
        FillOwner("turndocument", of="turn"),
        FillOwner("offereddocument", of="turn"),
    ]
