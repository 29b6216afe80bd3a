"""No row is without its owner any more."""

from django.db import migrations

from memory.online import Require
from memory.owners import OwnerId


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("memory", "0015_owners_filled")]

    operations = [
        Require("rewritesource", "owner_id", OwnerId(of="turn")),
    ]
