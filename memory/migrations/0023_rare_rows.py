"""What is rare among many rows is found by an index: jobs that failed, erasures that have ended."""

from django.db import migrations, models
from django.db.models.functions import Coalesce

from memory.online import AddIndex


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("memory", "0022_word_block_version")]

    operations = [
        AddIndex(
            "job",
            models.Index(
                fields=["-id"], condition=models.Q(("status", "failed")), name="job_failed"
            ),
        ),
        AddIndex(
            "erasurerequest",
            models.Index(Coalesce("verified_at", "cancelled_at"), name="erasure_request_ended"),
        ),
    ]
