"""Whose each row is, beside what it hangs on: the column, and who writes it."""

from django.db import migrations

from memory.online import TakeOwner
from memory.owners import OwnerId


class Migration(migrations.Migration):
    dependencies = [("chat", "0008_prefixed_indexes"), ("memory", "0013_operators")]

    operations = [
        migrations.AddField("contextrecord", "owner_id", OwnerId(null=True, of="turn")),
        TakeOwner("contextrecord", of="turn"),
        migrations.AddField("contextturn", "owner_id", OwnerId(null=True, of="record")),
        TakeOwner("contextturn", of="record"),
        migrations.AddField("contextpassage", "owner_id", OwnerId(null=True, of="record")),
        TakeOwner("contextpassage", of="record"),
        migrations.AddField("contextfact", "owner_id", OwnerId(null=True, of="answer")),
        TakeOwner("contextfact", of="answer"),
        migrations.AddField("contextearlier", "owner_id", OwnerId(null=True, of="answer")),
        TakeOwner("contextearlier", of="answer"),
    ]
