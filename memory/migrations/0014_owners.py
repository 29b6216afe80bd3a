"""Whose each row is, beside what it hangs on: the column, and who writes it."""

from django.db import migrations

from memory.online import TakeOwner
from memory.owners import OwnerId


class Migration(migrations.Migration):
    dependencies = [("memory", "0013_operators")]

    operations = [
        migrations.AddField("rewritesource", "owner_id", OwnerId(null=True, of="turn")),
        TakeOwner("rewritesource", of="turn"),
    ]
