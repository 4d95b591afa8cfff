#!/usr/bin/env python3
"""Verifies exports of dbr's audit log from docs/signing/audit-log.md alone, and names the first entry that does not hold.

Usage: verify_audit.py FILE ...
Each file continues the one before. Needs Python 3.8, no packages.
"""
import hashlib
import json
import sys


def ordered(value):
    """The value with its members in the order of RFC 8785: by the UTF-16 code units of their names."""
    if isinstance(value, dict):
        return {name: ordered(value[name]) for name in sorted(value, key=lambda name: name.encode("utf-16-be"))}
    return [ordered(item) for item in value] if isinstance(value, list) else value


def canonical(value):
    return json.dumps(ordered(value), separators=(",", ":"), ensure_ascii=False).encode()


def pseudonym(tenant, name):
    salted = bytes.fromhex(name["salt"]) + tenant.encode() + b"\0" + name["userId"].encode()
    return "user-" + hashlib.sha256(salted).hexdigest()


def fault(entry, before):
    """What is wrong with the entry, or between it and the one before; None if nothing is."""
    covered = {name: value for name, value in entry.items() if name not in ("hash", "names")}
    if hashlib.sha256(canonical(covered)).hexdigest() != entry["hash"]:
        return "does not have the hash of its members"
    for name, person in entry.get("names", {}).items():
        if pseudonym(entry["tenantId"], person) != name:
            return f"has a name that does not belong to {name}"
    if before is None:
        return "names an entry before the first" if entry["sequence"] == 1 and entry["previousHash"] != "0" * 64 else None
    if entry["tenantId"] != before["tenantId"] or entry["sequence"] != before["sequence"] + 1:
        return f"follows entry {before['sequence']} of {before['tenantId']}"
    if entry["previousHash"] != before["hash"]:
        return "does not continue the entry before"
    return "was sealed before the entry before" if entry["sealedAt"] < before["sealedAt"] else None


def main():
    before, count = None, 0
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8", newline="\n") as lines:
            for line in lines:
                entry = json.loads(line)
                found = fault(entry, before)
                if found is not None:
                    sys.exit(f"{path}: entry {entry['sequence']} {found}")
                before, count = entry, count + 1
    print(f"{count} entries are intact")


if __name__ == "__main__":
    main()
