"""Accounts with rights are found by an index: the clean-up compares theirs."""

from django.db import migrations, models

from memory.online import AddIndex

IS_STAFF = models.Q(("is_staff", True), ("is_superuser", True), _connector="OR")


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("memory", "0042_read_by_command")]

    operations = [
        AddIndex("user", models.Index(fields=["id"], condition=IS_STAFF, name="user_staff")),
    ]
