"""No row is without its owner any more."""

from django.db import migrations

from memory.online import Require
from memory.owners import OwnerId


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("chat", "0010_owners_filled")]

    operations = [
        Require("contextrecord", "owner_id", OwnerId(of="turn")),
        Require("contextturn", "owner_id", OwnerId(of="record")),
        Require("contextpassage", "owner_id", OwnerId(of="record")),
        Require("contextfact", "owner_id", OwnerId(of="answer")),
        Require("contextearlier", "owner_id", OwnerId(of="answer")),
    ]
