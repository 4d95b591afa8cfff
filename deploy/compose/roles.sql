-- The roles of dbr in a database of yours, for psql as a superuser. The passwords come from the environment.
-- docs/operating/roles.md says what each role may do.
\set ON_ERROR_STOP on
\getenv owner_password DBR_OWNER_PASSWORD
\getenv service_password DBR_SERVICE_PASSWORD
\getenv authenticator_password AUTHENTICATOR_PASSWORD

begin;

-- The data API logs in as this role, and has in each transaction the privileges of the role of the token alone.
create role anon nologin;
create role authenticator login noinherit password :'authenticator_password';
grant anon to authenticator;

-- `dbr migrate` logs in as this role, which owns the tables of notifications and signing.
create role dbr_owner login password :'owner_password';
select pg_catalog.format('grant create on database %I to dbr_owner', pg_catalog.current_database()) \gexec

-- The group roles to which the migrations grant these tables; notifications and signing log in as dbr_service.
create role dbr_notifications_user nologin;
create role dbr_notifications_producer nologin;
create role dbr_notifications_system nologin;
create role dbr_signing_service nologin;
create role dbr_signing_sweeper nologin;
create role dbr_erasure nologin;
grant dbr_notifications_user, dbr_notifications_producer, dbr_notifications_system,
  dbr_signing_service, dbr_signing_sweeper, dbr_erasure to dbr_owner with admin option;
-- The group role that keeps answers to requests with an Idempotency-Key. `db-idempotency` needs it granted to authenticator.
create role dbr_idempotency nologin;
create role dbr_service login noinherit password :'service_password';
grant dbr_notifications_user, dbr_notifications_producer, dbr_notifications_system,
  dbr_signing_service, dbr_signing_sweeper, dbr_erasure to dbr_service;

commit;
