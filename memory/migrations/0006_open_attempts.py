from django.db import migrations, models

from memory import online


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('memory', '0005_processes'),
    ]

    operations = [
        online.AddIndex(
            model_name='attempt',
            index=models.Index(condition=models.Q(('finished_at', None)), fields=['process'], name='attempt_process_of_open'),
        ),
    ]
