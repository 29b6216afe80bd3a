"""What stood in tables of their own goes into the records, some at a time; can be begun again."""

from django.db import migrations, transaction

BATCH = 500
MOVED = {
    "parts": ("ContextPart", ("part", "tokens", "allowance")),
    "gaps": ("ContextGap", ("first", "last", "reason")),
    "steps": ("ContextStep", ("step", "milliseconds")),
}


def carry_over(apps, schema_editor):
    using = schema_editor.connection.alias
    records = apps.get_model("chat", "ContextRecord").objects.using(using).order_by("pk")
    last = 0
    while ids := list(records.filter(pk__gt=last).values_list("pk", flat=True)[:BATCH]):
        last = ids[-1]
        told = {}
        for name, (model, members) in MOVED.items():
            rows = apps.get_model("chat", model).objects.using(using).filter(record__in=ids)
            for row in rows.order_by("pk").values("record_id", *members):
                record = told.setdefault(row.pop("record_id"), {each: [] for each in MOVED})
                record[name].append(row)
        # Only these: a record that was written meanwhile has its own.
        with transaction.atomic(using=using):
            records.model.objects.using(using).bulk_update(
                [records.model(pk=pk, **values) for pk, values in told.items()], list(MOVED)
            )


class Migration(migrations.Migration):
    # Each batch has a transaction of its own, so that nobody waits for all of them.
    atomic = False
    dependencies = [("chat", "0004_context_in_one_row")]

    operations = [migrations.RunPython(carry_over, migrations.RunPython.noop)]
