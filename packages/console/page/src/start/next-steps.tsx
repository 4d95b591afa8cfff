/** What to do where the role may use nothing yet. */
import type { JSX } from 'preact';
import type { Catalogue } from '../../../server/answers.js';
import { Code } from '../parts.js';

const identifier = (name: string): string =>
  /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;

const statements = (schema: string, role: string): string =>
  `create table ${schema}.notes (
  id bigint generated always as identity primary key,
  body text not null,
  owner text not null default (current_setting('request.jwt.claims', true)::json ->> 'sub')
);
alter table ${schema}.notes enable row level security;
create policy own on ${schema}.notes to ${role}
  using (owner = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
grant usage on schema ${schema} to ${role};
grant select, insert, update, delete on ${schema}.notes to ${role};`;

export function NextSteps({ catalogue }: { readonly catalogue: Catalogue }): JSX.Element {
  const schema = identifier(catalogue.schemas[0]?.name ?? 'public');
  const role = identifier(catalogue.role === '' ? 'web_user' : catalogue.role);
  return (
    <section aria-labelledby="next-steps">
      <h2 id="next-steps">Next steps</h2>
      <p>
        The role <b>{catalogue.role}</b> may use no table yet. Tables of a schema of <code>db-schemas</code>{' '}
        are served when the role has privileges on them.
      </p>
      <ol class="steps">
        <li>
          Create a table, or grant privileges on one that is there. Put the statements into a migration, or
          run them as the owner of the schema:
          <Code label="Statements" text={statements(schema, role)} />
        </li>
        <li>
          Load this page again. The service reads the schema after a change by itself; where it does not, run{' '}
          <code>notify pgrst, 'reload schema'</code>.
        </li>
        <li>
          Look at <a href="#/lint">Lint</a>, which finds tables without row security and grants that reach too
          far.
        </li>
      </ol>
    </section>
  );
}
