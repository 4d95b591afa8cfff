#!/usr/bin/env python3
"""Has a key made and a message signed, as the owner of an account and the approver of its requests, from docs/signing alone.

Usage: custody_client.py URL TENANT PARTIES MESSAGE
PARTIES is a file of JSON, [{"partyId": …, "identityPublicKey": …}, …]: three parties with their Ed25519 keys, as their operators
tell them and not as the service does. The tokens are in OPERATOR_TOKEN (accounts:write), OWNER_TOKEN and APPROVER_TOKEN
(sign:approve); the owner is the user ada. The parties may start when the first line is printed, with its keys in their policies.
Needs Python 3.8 and the package cryptography (python3-cryptography of Debian).
"""
import base64
import hashlib
import json
import os
import secrets
import sys
import time
import urllib.error
import urllib.request
import uuid
from datetime import datetime, timedelta, timezone

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from signed_statements import ceremony, ceremony_plan

THRESHOLD = 2
WAIT_SECONDS = 120


class Refused(Exception):
    """The service refused a call. The text has the status, the code, the message and every problem."""


class Service:
    """The HTTP API, called with the token of one user."""

    def __init__(self, url, token):
        self.url, self.token = url, token

    def call(self, method, path, body=None):
        content = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        request = urllib.request.Request(self.url + path, content, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            fault = json.load(error)
            problems = "".join(f": {one['path']} {one['message']}" for one in fault.get("errors", []))
            raise Refused(f"{error.code} {fault['code']} {fault['message']}{problems}") from None

    def completed(self, session_id):
        """The session once it is completed. Every other end, and a session that takes too long, ends the program."""
        deadline = time.monotonic() + WAIT_SECONDS
        while time.monotonic() < deadline:
            session = self.call("GET", f"/api/v1/signing-sessions/{session_id}")
            if session["state"] == "completed":
                return session
            if session["endedAt"] is not None:
                sys.exit(f"the session is {session['state']}: {session['failureReason']} {session['failureDetail']}")
            time.sleep(1)
        sys.exit(f"the session has not ended after {WAIT_SECONDS} seconds")


class Person(Service):
    """Somebody whose signature the parties ask for. Each key stays with its holder; this example has both in one process."""

    def __init__(self, url, token, name):
        super().__init__(url, token)
        self.name, self.key = name, Ed25519PrivateKey.generate()

    def registered(self):
        public_key = self.key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        return {"keyId": self.name, "algorithm": "ed25519", "publicKey": public_key.hex()}

    def sign(self, content):
        return {"keyId": self.name, "algorithm": "ed25519", "signature": self.key.sign(content).hex()}

    def approval(self, session_id, shown):
        """A signature over the request of the session, if it asks for exactly what the person was shown."""
        content = decoded(self.call("GET", f"/api/v1/signing-sessions/{session_id}")["request"]["content"])
        asked = json.loads(content)
        if canonical(asked) != content or any(asked.get(name) != value for name, value in shown.items()):
            sys.exit(f"{self.name} was shown something else")
        return self.sign(content)


def canonical(value):
    """JSON without blanks, its members sorted. Names of members are ASCII here, so that Python's order is the one of RFC 8785."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def encoded(content):
    """Base64url without padding."""
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def request_content(members):
    """The bytes that people sign: what is asked for, for ten minutes, once."""
    expires_at = datetime.now(timezone.utc) + timedelta(minutes=10)
    return canonical(
        {
            "type": "dbr-signing-request-v1",
            "derivationPath": [],
            "expiresAt": expires_at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{expires_at.microsecond // 1000:03}Z",
            "nonce": secrets.token_hex(16),
            **members,
        }
    )


def signed_by(public_key, content, signature):
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key)).verify(bytes.fromhex(signature), content)
    except InvalidSignature:
        return False
    return True


def make_key(owner, approver, account, parties):
    """The public key that the parties make, as all of them certify it."""
    names = [party["partyId"] for party in parties]
    session_id = str(uuid.uuid4())
    holders = [dict(party, shareIndex=index) for index, party in enumerate(parties, 1)]
    plan = {
        "kind": "keygen",
        "tenantId": account["tenantId"],
        "accountId": account["accountId"],
        "sessionId": session_id,
        "before": None,
        "after": {"threshold": THRESHOLD, "holders": holders},
    }
    plan_sha256 = sha256(ceremony_plan(plan))
    asked = {
        "tenantId": account["tenantId"],
        "accountId": account["accountId"],
        "operation": "make the key",
        "protocol": "frost-ed25519",
        "messageDigest": plan_sha256,
        "threshold": len(parties),
        "parties": names,
        "metadataSha256": sha256(canonical({})),
    }
    content = request_content(asked)
    request = {"content": encoded(content), "signatures": [owner.sign(content)]}
    body = {"kind": "keygen", "sessionId": session_id, "request": request}
    owner.call("POST", f"/accounts/{account['accountId']}/ceremonies", body)
    print(f"{owner.name} asks {', '.join(names)} to make a key")
    approver.call("POST", f"/api/v1/signing-sessions/{session_id}/approvals", approver.approval(session_id, asked))
    print(f"{approver.name} approves")

    made = owner.completed(session_id)["ceremony"]
    result = {name: made[name] for name in ("publicKey", "transcriptSha256")}
    statement = ceremony(dict(result, planSha256=plan_sha256))
    signatures = {one["partyId"]: one["signature"] for one in made["certificate"]}
    for party in parties:
        if not signed_by(party["identityPublicKey"], statement, signatures.get(party["partyId"], "")):
            sys.exit(f"{party['partyId']} did not certify the key")
    if owner.call("GET", f"/api/v1/accounts/{account['accountId']}")["publicKey"] != made["publicKey"]:
        sys.exit("the account has another key")
    print(f"the key {made['publicKey']} is certified by {', '.join(names)}")
    return made["publicKey"]


def sign_message(owner, approver, account, names, message):
    """The signature that the named parties make of the message."""
    metadata = {"invoice": 17}
    asked = {
        "tenantId": account["tenantId"],
        "accountId": account["accountId"],
        "operation": "pay invoice 17",
        "protocol": "ed25519",
        "messageSha256": sha256(message),
        "threshold": THRESHOLD,
        "parties": names,
        "metadataSha256": sha256(canonical(metadata)),
    }
    content = request_content(asked)
    request = {"content": encoded(content), "signatures": [owner.sign(content)]}
    body = {"message": encoded(message), "parties": names, "metadata": metadata, "request": request}
    session_id = owner.call("POST", f"/accounts/{account['accountId']}/signing-sessions", body)["sessionId"]
    print(f"{owner.name} asks {', '.join(names)} to sign {len(message)} bytes")

    approvals = f"/api/v1/signing-sessions/{session_id}/approvals"
    approval = approver.approval(session_id, asked)
    signature = bytes.fromhex(approval["signature"])
    altered = dict(approval, signature=(bytes([signature[0] ^ 1]) + signature[1:]).hex())
    try:
        approver.call("POST", approvals, altered)
        sys.exit("an altered approval was accepted")
    except Refused as refusal:
        print(f"an altered approval is refused: {refusal}")
    approver.call("POST", approvals, approval)
    print(f"{approver.name} approves")
    return owner.completed(session_id)["signature"]


def main():
    sys.stdout.reconfigure(line_buffering=True)
    url, tenant, path, text = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        parties = json.load(file)
    operator = Service(url, os.environ["OPERATOR_TOKEN"])
    owner = Person(url, os.environ["OWNER_TOKEN"], "ada")
    approver = Person(url, os.environ["APPROVER_TOKEN"], "bea")
    keys = [owner.registered(), approver.registered()]
    account = operator.call(
        "POST",
        "/api/v1/accounts",
        {
            "ownerUserId": owner.name,
            "name": "Treasury",
            "keyType": "ed25519",
            "threshold": THRESHOLD,
            "shares": [
                {"partyId": party["partyId"], "shareIndex": index, "shareType": "server"}
                for index, party in enumerate(parties, 1)
            ],
            "namedParties": "allowed",
            "requests": "required",
            "requestKeys": keys,
        },
    )
    # The tenant that the requests name is the one that the owner knows.
    account = {"tenantId": tenant, "accountId": account["accountId"]}
    signers = " and ".join(f"{key['keyId']} {key['publicKey']}" for key in keys)
    print(f"the account {account['accountId']} is for requests of {signers}")

    public_key = make_key(owner, approver, account, parties)
    names = [parties[0]["partyId"], parties[2]["partyId"]]
    message = text.encode()
    signature = sign_message(owner, approver, account, names, message)
    if not signed_by(public_key, message, signature):
        sys.exit("the signature does not verify")
    print(f"the signature {signature} of {', '.join(names)} verifies under the key")


if __name__ == "__main__":
    main()
