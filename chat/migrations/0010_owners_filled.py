"""Whose the rows are that were there before the column."""

from django.db import migrations

from memory.online import FillOwner


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("chat", "0009_owners")]

    operations = [
        FillOwner("contextrecord", of="turn"),
        FillOwner("contextturn", of="record"),
        FillOwner("contextpassage", of="record"),
        FillOwner("contextfact", of="answer"),
        FillOwner("contextearlier", of="answer"),
    ]
