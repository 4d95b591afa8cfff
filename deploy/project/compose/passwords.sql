-- Run by the container of PostgreSQL after roles.sql. The passwords come from .env.
\set ON_ERROR_STOP on
\getenv owner dbr_owner
\getenv authenticator dbr_authenticator
\getenv service dbr_service
alter role dbr_owner password :'owner';
alter role dbr_authenticator password :'authenticator';
alter role dbr_service password :'service';
