"""The tables that the records have taken in go."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("chat", "0005_context_carried_over")]

    operations = [
        migrations.DeleteModel("ContextPart"),
        migrations.DeleteModel("ContextGap"),
        migrations.DeleteModel("ContextStep"),
    ]
