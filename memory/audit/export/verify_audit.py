#!/usr/bin/env python3
"""Verify an export of Throughline's audit log: python3 verify_audit.py audit.jsonl [PUBLIC_KEY].

Needs the package `cryptography`. The export is JSON lines: events, stubs of pruned runs, and signed
anchors. PUBLIC_KEY is the signing key's public half in base64, from the page /certificates; without
it the export's own key is used.
"""

import hashlib
import json
import sys
from base64 import b64decode
from collections.abc import Iterable
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


def encode_canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def is_signed(document: dict[str, Any], keys: dict[str, str]) -> bool:
    content = {name: value for name, value in document.items() if name != "signature"}
    try:
        key = Ed25519PublicKey.from_public_bytes(b64decode(keys[content["key"]]))
        key.verify(b64decode(document["signature"]), encode_canonical(content))
    except (InvalidSignature, KeyError, ValueError):
        return False
    return True


def verify(lines: Iterable[str], believed: str | None = None) -> tuple[int, list[str], list[str]]:
    """Return the number of events, the faults of the export, and the events lost by restores."""
    number, head, events, last = -1, bytes(32), 0, -1
    faults: list[str] = []
    given_up: list[str] = []
    keys: dict[str, str] = {}
    heads: dict[int, str] = {}
    for line in map(json.loads, lines):
        if line["type"] == "keys":
            keys = {name: key for name, key in line["keys"].items() if believed in (None, key)}
        elif line["type"] == "event":
            text = json.dumps(line["values"], ensure_ascii=False, separators=(",", ":"))
            digest = hashlib.sha256(text.encode()).digest()
            before, number = number, line["number"]
            head = hashlib.sha256(head + number.to_bytes(8, "big") + digest).digest()
            events += 1
            if number != before + 1 or head.hex() != line["head"]:
                faults.append(f"event {number} was changed, or one before it is missing")
                head = bytes.fromhex(line["head"])
        elif line["type"] == "throughline audit stub":
            if not is_signed(line, keys) or (line["first"], line["before"]) != (
                number + 1,
                head.hex(),
            ):
                faults.append(f"the stub of events {line['first']} to {line['last']} was changed")
            elif "backup" in line:
                given_up.append(
                    f"events {line['first']} to {line['last']}: given up by the restore of "
                    f"{line['pruned_at']} from the backup of {line['backup']}"
                )
            number, head = line["last"], bytes.fromhex(line["after"])
        else:
            if not is_signed(line, keys) or heads.get(line["number"], line["head"]) != line["head"]:
                faults.append(f"event {line['number']} is not what was anchored")
            last = max(last, line["number"])
        heads[number] = head.hex()
    if last > number:
        faults.append(f"the events after {number} are missing, up to {last}")
    return events, faults, given_up


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        count, found, lost = verify(file, *sys.argv[2:])
    sys.stdout.write("\n".join([f"{count} events", *lost, *(found or ["nothing was changed"]), ""]))
    sys.exit(bool(found))
