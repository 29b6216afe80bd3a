"""Export of the audit log as JSON lines, which `verify_audit.py` checks without Django."""

import json
from collections.abc import Iterator
from typing import Any

from memory.audit.chain import find_form
from memory.audit.integrity.checking import read_rows
from memory.models import AuditAnchor, AuditStub
from memory.sealing.signing import get_public_keys


def export() -> Iterator[str]:
    """Yield the lines: public keys, events and stubs in their order, then anchors."""
    yield _write({"type": "keys", "keys": get_public_keys()})
    stubs = [json.loads(stub.signature) for stub in AuditStub.objects.order_by("first")]
    for rows in read_rows(-1):
        for number, _event, digest, head, _mac, _missing, *row in rows:
            values = find_form(row, bytes(digest)) or row
            while stubs and stubs[0]["first"] < number:
                yield _write(stubs.pop(0))
            head_text = bytes(head).hex()
            yield _write({"type": "event", "number": number, "head": head_text, "values": values})
    yield from map(_write, stubs)
    for document in AuditAnchor.objects.order_by("number").values_list("document", flat=True):
        yield f"{document}\n"


def _write(line: dict[str, Any]) -> str:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"
