"""The parts, gaps and steps of a context record stand in its own row, not in three more tables."""

import django.db.models.deletion
from django.db import migrations, models

import chat.models

MOVED = {
    "parts": ("contextpart", {"part": str, "tokens": int, "allowance": int}),
    "gaps": ("contextgap", {"first": int, "last": int, "reason": str}),
    "steps": ("contextstep", {"step": str, "milliseconds": float}),
}


class Migration(migrations.Migration):
    dependencies = [("chat", "0003_model_profile")]

    operations = [
        # Nothing in the database: the record's new fields take over the names.
        *(
            migrations.AlterField(
                model,
                "record",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="+",
                    to="chat.contextrecord",
                ),
            )
            for model, _members in MOVED.values()
        ),
        *(
            migrations.AddField(
                "contextrecord",
                name,
                models.JSONField(
                    blank=True, default=list, validators=[chat.models.RowsOf(**members)]
                ),
            )
            for name, (_model, members) in MOVED.items()
        ),
    ]
