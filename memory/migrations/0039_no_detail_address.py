from django.db import migrations


class Migration(migrations.Migration):
    """Leave the column of an event's address unused; the release after this one drops it."""

    dependencies = [
        ('memory', '0038_saved_filters'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveField(model_name='auditdetail', name='address'),
            ],
        ),
    ]
