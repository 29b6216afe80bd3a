"""No row is without its owner any more."""

from django.db import migrations

from memory.online import Require
from memory.owners import OwnerId


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("citations", "0008_owners_filled")]

    operations = [
        Require("source", "owner_id", OwnerId(of="session")),
        Require("sessiondocument", "owner_id", OwnerId(of="session")),
        Require("turndocument", "owner_id", OwnerId(of="turn")),
        Require("offereddocument", "owner_id", OwnerId(of="turn")),
    ]
