-- Chain codes: with one, the service derives the child keys of an account, and verifies their signatures.
alter table dbr_signing.accounts
  add column chain_code bytea
    constraint accounts_chain_code
      check (chain_code is null or (pg_catalog.octet_length(chain_code) = 32 and key_type = 'secp256k1'));
