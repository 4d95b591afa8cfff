-- Messages: what a session signs where its signature is over more than a digest. `message_digest` is then the SHA-256 of the
-- message. And the recovery ids of signatures on secp256k1.

alter table dbr_signing.signing_sessions
  add column message bytea
    constraint signing_sessions_message check (pg_catalog.octet_length(message) between 1 and 1048576),
  add column recovery_id smallint
    constraint signing_sessions_recovery_id check (recovery_id between 0 and 3);
-- Messages are mostly ciphertexts and hashes, which compression makes no smaller.
alter table dbr_signing.signing_sessions alter column message set storage external;
comment on column dbr_signing.signing_sessions.message is 'What the parties sign; null for a session that signs the digest.';
comment on column dbr_signing.signing_sessions.recovery_id is
  'Which of up to four keys that the signature fits is that of the account (SEC 1, 4.1.6); null where it has not been verified.';
