-- What each role keeps, so that its share of the table can be bounded (`db-idempotency-role-bytes`, `db-idempotency-role-rows`).
-- Answers that were kept before belong to no role and count for all of them together until they expire.

alter table dbr_requests.idempotent
  add column role text not null default '',
  -- Bytes of the answer, with what the row and its indexes take.
  add column size integer not null generated always as (
    512 + pg_catalog.octet_length(headers::text) + coalesce(pg_catalog.octet_length(body), 0)) stored;
comment on column dbr_requests.idempotent.role is 'The role of the token, whose share the answer belongs to.';
comment on column dbr_requests.idempotent.key is 'SHA-256 of claims, key and the role behind the function of db-pre-request.';
create index idempotent_usage on dbr_requests.idempotent (role) include (size);
