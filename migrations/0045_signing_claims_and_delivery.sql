-- One-time keys are claimed for an account, shares are noted as delivered, and sessions have one of the protocols that verify.

-- A one-time key is good for a share of the account that it was claimed for.
alter table dbr_signing.party_encryption_keys
  add column claimed_by text,
  add column claimed_account_id uuid;
comment on column dbr_signing.party_encryption_keys.claimed_by is 'The user who claimed the one-time key.';
comment on column dbr_signing.party_encryption_keys.claimed_account_id is 'The account whose share the one-time key is for.';

-- When the delegate was first handed the share: only then do its acknowledgements erase it.
alter table dbr_signing.delegate_user_shares add column delivered_at timestamptz;
comment on column dbr_signing.delegate_user_shares.delivered_at is 'When the delegate was first handed the share.';

-- A share that expires undelivered ends its session: the sweeper finds it, without what it holds.
create index delegate_user_shares_undelivered on dbr_signing.delegate_user_shares (expires_at)
  where erased_at is null and delivered_at is null;
create policy every_tenant on dbr_signing.delegate_user_shares for select to dbr_signing_sweeper using (true);
grant select (session_id, tenant_id, expires_at, erased_at, delivered_at) on dbr_signing.delegate_user_shares
  to dbr_signing_sweeper;

update dbr_signing.signing_sessions set protocol = 'ed25519' where protocol = 'frost-ed25519';
update dbr_signing.signing_sessions as session
set protocol = case account.key_type
  when 'ed25519' then 'ed25519'
  when 'secp256k1' then 'ecdsa-secp256k1'
  when 'p256' then 'ecdsa-p256'
end
from dbr_signing.accounts as account
where account.account_id = session.account_id
  and session.protocol not in ('ed25519', 'ecdsa-secp256k1', 'bip340', 'ecdsa-p256');
alter table dbr_signing.signing_sessions
  add constraint signing_sessions_protocol check (protocol in ('ed25519', 'ecdsa-secp256k1', 'bip340', 'ecdsa-p256'));
