from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('memory', '0008_given_history'),
    ]

    operations = [
        migrations.AddField(
            model_name='job',
            name='owner_id',
            field=models.UUIDField(null=True),
        ),
        migrations.AddField(
            model_name='job',
            name='work_class',
            field=models.PositiveSmallIntegerField(choices=[(0, 'Rights'), (1, 'Conversations'), (2, 'Bulk')], db_default=1, default=1),
        ),
    ]
