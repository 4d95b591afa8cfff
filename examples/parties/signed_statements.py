#!/usr/bin/env python3
"""Builds the statements that keys of dbr's parties and of its audit log sign, from the pages of docs/signing alone, and checks them with the test vectors.

Usage: signed_statements.py [statements.json]
Needs Python 3.8 and the program openssl (1.1.1 or newer), no packages.
"""
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile
from datetime import datetime, timezone


def length_prefixed(parts):
    """Each part as four bytes of its length, big-endian, then the part."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def milliseconds(instant):
    """An instant in RFC 3339 (UTC) as milliseconds since the epoch, in eight bytes."""
    at = datetime.strptime(instant, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=timezone.utc)
    since = at - datetime(1970, 1, 1, tzinfo=timezone.utc)
    return ((since.days * 86400 + since.seconds) * 1000 + since.microseconds // 1000).to_bytes(8, "big")


def envelope(fields):
    recipients = length_prefixed([party.encode() for party in fields["toPartyIds"]])
    return length_prefixed(
        [
            b"router.v1 Envelope",
            fields["sessionId"].encode(),
            fields["messageId"].encode(),
            fields["fromPartyId"].encode(),
            recipients,
            fields["round"].to_bytes(4, "big"),
            int(fields["senderSequence"]).to_bytes(8, "big"),
            bytes.fromhex(fields["payload"]),
        ]
    )


def encryption_key(fields):
    return length_prefixed(
        [
            b"router.v1 PartyEncryptionKey",
            fields["keyId"].encode(),
            fields["suite"].encode(),
            bytes.fromhex(fields["publicKey"]),
            b"1" if fields["oneTime"] else b"0",
            b"" if fields["notAfter"] is None else milliseconds(fields["notAfter"]),
        ]
    )


def share_associated_data(fields):
    return length_prefixed(
        [
            b"dus/v1 message" if fields.get("hasMessage") else b"dus/v1",
            fields["tenantId"].encode(),
            fields["accountId"].encode(),
            fields["sessionId"].encode(),
            fields["delegatePartyId"].encode(),
            fields["recipientKeyId"].encode(),
            bytes.fromhex(fields["messageDigest"]),
            b"".join(index.to_bytes(4, "big") for index in fields["derivationPath"]),
            milliseconds(fields["expiresAt"]),
        ]
    )


def party(purpose):
    return lambda fields: "\n".join(
        [f"dbr-party-{purpose}-v1", fields["partyId"], fields["identityPublicKey"], fields["tenantId"]]
    ).encode()


def party_keys(fields):
    return "\n".join(
        [
            "dbr-party-keys-v1",
            fields["partyId"],
            fields["currentKey"],
            fields["identityPublicKey"],
            fields["certificateSha256"] or "-",
            str(fields["formerKeysSeconds"]),
            fields["tenantId"],
        ]
    ).encode()


def holding(fields):
    if fields is None:
        return b""
    parts = [fields["threshold"].to_bytes(4, "big")]
    for holder in fields["holders"]:
        parts += [
            holder["partyId"].encode(),
            holder["shareIndex"].to_bytes(4, "big"),
            bytes.fromhex(holder["identityPublicKey"]),
        ]
    return length_prefixed(parts)


def ceremony_plan(fields):
    return length_prefixed(
        [
            b"dbr-ceremony-plan-v1",
            fields["kind"].encode(),
            fields["tenantId"].encode(),
            fields["accountId"].encode(),
            fields["sessionId"].encode(),
            holding(fields["before"]),
            holding(fields["after"]),
        ]
    )


def ceremony(fields):
    names = ("planSha256", "publicKey", "transcriptSha256")
    return length_prefixed([b"dbr-ceremony-v1", *(bytes.fromhex(fields[name]) for name in names)])


def audit_head(fields):
    members = dict(fields, type="dbr-audit-head-v1")
    return json.dumps(members, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


STATEMENTS = {
    "envelope": envelope,
    "encryption-key": encryption_key,
    "share-associated-data": share_associated_data,
    "party-identity": party("identity"),
    "party-certificate": party("certificate"),
    "party-keys": party_keys,
    "ceremony-plan": ceremony_plan,
    "ceremony": ceremony,
    "audit-head": audit_head,
}


def verifies(spki, algorithm, statement, signature):
    """Whether openssl accepts the signature: Ed25519 of the bytes, ECDSA and RSA of their SHA-256."""
    with tempfile.TemporaryDirectory() as folder:
        paths = {}
        for name, content in (("key", spki), ("statement", statement), ("signature", signature)):
            paths[name] = pathlib.Path(folder, name)
            paths[name].write_bytes(content)
        key = ["-pubin", "-inkey", paths["key"], "-keyform", "DER"]
        if algorithm == "ed25519":
            command = ["openssl", "pkeyutl", "-verify", "-rawin", *key]
        else:
            paths["statement"].write_bytes(hashlib.sha256(statement).digest())
            command = ["openssl", "pkeyutl", "-verify", "-pkeyopt", "digest:sha256", *key]
        command += ["-in", paths["statement"], "-sigfile", paths["signature"]]
        return subprocess.run(command, capture_output=True).returncode == 0


def problems(vector, keys):
    statement = STATEMENTS[vector["kind"]](vector["fields"])
    if statement.hex() != vector["statement"]:
        yield "another statement"
    if hashlib.sha256(statement).hexdigest() != vector["sha256"]:
        yield "another hash"
    if "signature" in vector:
        key = keys[vector["key"]]
        spki = bytes.fromhex(key["subjectPublicKeyInfo"])
        if not verifies(spki, key["algorithm"], statement, bytes.fromhex(vector["signature"])):
            yield "the signature is not valid"


def main():
    default = pathlib.Path(__file__).parents[2] / "proto/router/v1/statements.json"
    published = json.loads(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else default).read_text())
    found = [
        f"{vector['name']}: {problem}"
        for vector in published["vectors"]
        for problem in problems(vector, published["keys"])
    ]
    print("\n".join(found) or f"{len(published['vectors'])} statements are as published")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
