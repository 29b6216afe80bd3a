"""Whose each row is, beside what it hangs on: the column, and who writes it."""

from django.db import migrations

from memory.online import TakeOwner
from memory.owners import OwnerId


class Migration(migrations.Migration):
    dependencies = [("citations", "0006_prefixed_indexes"), ("memory", "0013_operators")]

    operations = [
        migrations.AddField("source", "owner_id", OwnerId(null=True, of="session")),
        TakeOwner("source", of="session"),
        migrations.AddField("sessiondocument", "owner_id", OwnerId(null=True, of="session")),
        TakeOwner("sessiondocument", of="session"),
        migrations.AddField("turndocument", "owner_id", OwnerId(null=True, of="turn")),
        TakeOwner("turndocument", of="turn"),
        migrations.AddField("offereddocument", "owner_id", OwnerId(null=True, of="turn")),
        TakeOwner("offereddocument", of="turn"),
    ]
