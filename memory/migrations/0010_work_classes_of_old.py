from django.db import migrations, models

from memory.online import AddIndex

# As they were called when this landed.
RIGHTS = ["erase", "forget_ratings", "waiting_deletion", "retention_sweep", "retention_run"]
BULK = ["ingest", "retitle", "renew_vectors", "reembed", "make_package"]


def give_classes(apps, schema_editor):
    """Put what waits into its class: a few rows, by the index of what is due."""
    unfinished = apps.get_model('memory', 'Job').objects.filter(status__in=['waiting', 'running'])
    for work_class, kinds in ((0, RIGHTS), (2, BULK)):
        unfinished.filter(kind__in=kinds).update(work_class=work_class)


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('memory', '0009_work_classes'),
    ]

    operations = [
        migrations.RunPython(give_classes, migrations.RunPython.noop, atomic=False, elidable=True),
        AddIndex(
            model_name='job',
            index=models.Index(condition=models.Q(('status__in', ['waiting', 'running'])), fields=['work_class', 'owner_id', 'due_at'], name='job_next'),
        ),
        AddIndex(
            model_name='job',
            index=models.Index(condition=models.Q(('owner_id__isnull', False)), fields=['owner_id'], name='job_owner'),
        ),
    ]
