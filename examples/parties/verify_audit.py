#!/usr/bin/env python3
"""Verifies exports of dbr's audit log from docs/signing/audit-log.md alone, and names the first entry that does not hold.

Usage: verify_audit.py [EVIDENCE ...] EXPORT ...
Each export continues the one before. Evidence are lines of JSON: sessions as the service answers them, and proofs of contradictions.
Needs Python 3.8, no packages; with evidence, the program openssl (1.1.1 or newer).
"""
import base64
import hashlib
import json
import sys

from signed_statements import ceremony, ceremony_plan, verifies


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


def sha256(content):
    return hashlib.sha256(content).hexdigest()


class Evidence:
    """The bodies of what entries attest, and the keys and plans of the entries before."""

    def __init__(self):
        self.sessions, self.proofs = {}, {}
        self.request_keys, self.identity_keys, self.plans = {}, {}, {}
        self.verified = self.missing = 0

    def take(self, value):
        """Whether the line is evidence, which is kept."""
        if "sessionId" not in value:
            return False
        if "firstStatement" in value:
            self.proofs.setdefault(value["sessionId"], []).append(value)
        else:
            self.sessions[value["sessionId"]] = value
        return True

    def fault(self, entry):
        """What is wrong with what the entry attests; None also where the evidence lacks it."""
        action, after = entry["action"], entry["after"] or {}
        name = entry["subject"].partition(":")[2]
        if action in ("account.create", "account.update"):
            self.request_keys[name] = {key["keyId"]: key for key in after.get("requestKeys", [])}
        elif action in ("party.create", "party.update"):
            views = [view for view in (entry["before"], after) if view]
            self.identity_keys.setdefault(name, set()).update(view["identityPublicKey"] for view in views)
        elif action == "session.create":
            return self.request_fault(entry, name, after)
        elif action == "ceremony.create":
            self.plans[name] = after
            fields = dict(after, tenantId=entry["tenantId"], sessionId=name)
            if sha256(ceremony_plan(fields)) != after["planSha256"]:
                return "names another hash than that of its plan"
            return self.request_fault(entry, name, after)
        elif action == "session.approve":
            return self.signature_fault(name, [after["keyId"]])
        elif action in ("account.keygen", "account.reshare"):
            return self.certificate_fault(after)
        elif action == "session.equivocation":
            return self.contradiction_fault(entry, name)
        return None

    def lacks(self):
        self.missing += 1

    def request_fault(self, entry, name, after):
        if "requestSha256" not in after:
            return None
        session = self.sessions.get(name, {})
        if "request" not in session:
            return self.lacks()
        content = content_of(session)
        if sha256(content) != after["requestSha256"]:
            return "has the hash of another request than its session"
        try:
            asked = json.loads(content)
        except ValueError:
            asked = None
        if isinstance(asked, dict) and asked.get("type") == "dbr-signing-request-v1":
            parties = asked.get("parties")
            for what, differs in (
                ("another tenant", asked.get("tenantId") != entry["tenantId"]),
                ("another account", asked.get("accountId") != session["accountId"]),
                ("another threshold", "threshold" in after and asked.get("threshold") != after["threshold"]),
                ("other parties", "participants" in after and parties is not None and sorted(parties) != sorted(after["participants"])),
            ):
                if differs:
                    return f"has a request for {what}"
        return self.signature_fault(name, after["requestKeyIds"])

    def signature_fault(self, name, key_ids):
        session = self.sessions.get(name, {})
        keys = self.request_keys.get(session.get("accountId"))
        if "request" not in session or keys is None:
            return self.lacks()
        signatures = {one["keyId"]: one for one in session["request"]["signatures"]}
        for key_id in key_ids:
            if key_id not in keys:
                return f"names key {key_id}, which the account does not have"
            if key_id not in signatures:
                return f"names key {key_id}, which has not signed the request"
            if not signs(keys[key_id], content_of(session), signatures[key_id]):
                return f"has a request that key {key_id} did not sign"
        self.verified += len(key_ids)
        return None

    def certificate_fault(self, after):
        plan = self.plans.get(after["sessionId"])
        made = self.sessions.get(after["sessionId"], {}).get("ceremony", {})
        if plan is None or "certificate" not in made:
            return self.lacks()
        if made["publicKey"] != after["publicKey"]:
            return "has a certificate of another key"
        fields = {name: made[name] for name in ("publicKey", "transcriptSha256")}
        statement = ceremony(dict(fields, planSha256=plan["planSha256"]))
        signatures = {one["partyId"]: one["signature"] for one in made["certificate"] or []}
        for holder in (plan["before"] or {"holders": []})["holders"] + plan["after"]["holders"]:
            party = holder["partyId"]
            if not is_by(holder["identityPublicKey"], statement, signatures.get(party, "")):
                return f"has a certificate that party {party} did not sign"
        self.verified += 1
        return None

    def contradiction_fault(self, entry, name):
        if name not in self.proofs:
            return self.lacks()
        hashes = [entry["before"]["sha256"], entry["after"]["sha256"]]
        for proof in self.proofs[name]:
            statements = [bytes.fromhex(proof[which + "Statement"]) for which in ("first", "second")]
            if [sha256(statement) for statement in statements] == hashes:
                break
        else:
            return "has the hashes of other statements than the evidence"
        party, key = entry["actor"].partition(":")[2], proof["identityPublicKey"]
        if party in self.identity_keys and key not in self.identity_keys[party]:
            return f"is proved by a key that party {party} never had"
        if not all(is_by(key, *pair) for pair in zip(statements, (proof["firstSignature"], proof["secondSignature"]))):
            return f"has a statement that party {party} did not sign"
        one, other = map(parts_of, statements)
        ours = [b"router.v1 Envelope", name.encode(), party.encode()]
        places = one[2] == other[2] or one[6:7] == other[6:7]
        if one == other or not places or any([parts[0], parts[1], parts[3]] != ours for parts in (one, other)):
            return "has statements that do not contradict each other"
        self.verified += 1
        return None


def content_of(session):
    text = session["request"]["content"]
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def parts_of(statement):
    """The parts that are each preceded by their length."""
    parts, at = [], 0
    while at + 4 <= len(statement):
        end = at + 4 + int.from_bytes(statement[at : at + 4], "big")
        parts.append(statement[at + 4 : end])
        at = end
    return parts


def is_by(key, statement, signature):
    """Whether an identity key signed: raw Ed25519, or a SubjectPublicKeyInfo of another kind."""
    spki = bytes.fromhex("302a300506032b6570032100" + key if len(key) == 64 else key)
    algorithm = "ed25519" if spki[:12] == bytes.fromhex("302a300506032b6570032100") else "other"
    return verifies(spki, algorithm, statement, bytes.fromhex(signature))


def signs(key, content, signed):
    if signed["algorithm"] != key["algorithm"]:
        return False
    signature, point = bytes.fromhex(signed["signature"]), key["publicKey"]
    if key["algorithm"] == "ed25519":
        return is_by(point, content, signed["signature"])
    prefix = {66: "3039301306072a8648ce3d020106082a8648ce3d030107032200", 130: "3059301306072a8648ce3d020106082a8648ce3d030107034200"}
    return verifies(bytes.fromhex(prefix[len(point)] + point), "p256", content, der_of(signature))


def der_of(signature):
    """R and S of 32 bytes each as a SEQUENCE of two INTEGER."""
    integers = b""
    for number in (int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")):
        encoded = number.to_bytes(number.bit_length() // 8 + 1, "big")
        integers += bytes([2, len(encoded)]) + encoded
    return bytes([48, len(integers)]) + integers


def main():
    before, count, evidence = None, 0, Evidence()
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8", newline="\n") as lines:
            for line in lines:
                entry = json.loads(line)
                if before is None and evidence.take(entry):
                    continue
                found = fault(entry, before) or evidence.fault(entry)
                if found is not None:
                    sys.exit(f"{path}: entry {entry['sequence']} {found}")
                before, count = entry, count + 1
    if evidence.verified + evidence.missing > 0:
        print(f"{evidence.verified} signatures, certificates and contradictions hold; {evidence.missing} without evidence")
    print(f"{count} entries are intact")


if __name__ == "__main__":
    main()
