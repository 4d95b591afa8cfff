-- Kept answers are bounded by the bytes of all together, which the generated column `size` has.

drop index dbr_requests.idempotent_usage;
alter table dbr_requests.idempotent drop column role;
