-- Functions that run with the rights of their owner read through row security whatever row_security a database or role has:
-- with `off`, PostgreSQL refuses to read a table whose policies bind the owner, so that `notify` failed in every trigger.
do $$
declare
  definer regprocedure;
begin
  for definer in
    select p.oid::regprocedure
    from pg_catalog.pg_proc p
    where p.prosecdef
      and p.pronamespace in (
        select n.oid from pg_catalog.pg_namespace n where n.nspname in ('dbr_notifications', 'dbr_signing')
      )
  loop
    execute pg_catalog.format('alter function %s set row_security = on', definer);
  end loop;
end $$;
