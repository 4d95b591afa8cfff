/** The files of a new project, as text. */
import {
  CONFIG_FILE,
  MIGRATIONS_FOLDER,
  quoteIdentifier,
  ROLES_FILE,
  TESTS_FOLDER,
} from '../../../../src/face.js';
import { DEFAULT_SCHEMA, type Choices } from './choices.js';
import { deploymentFiles } from './deployment.js';
import { grantsMigration, rightsOfOwner } from './existing-schema.js';

/** Random values for a new project. */
export interface Secrets {
  readonly owner: string;
  readonly authenticator: string;
  readonly service: string;
  readonly superuser: string;
  /** Signs the tokens of `dbr dev` and `dbr token`. */
  readonly tokens: string;
}

export interface ProjectFile {
  readonly path: string;
  readonly text: string;
  /** Permission bits. */
  readonly mode: number;
}

export const IGNORE_FILE = '.gitignore';
export const FIRST_MIGRATION = `${MIGRATIONS_FOLDER}/0001_notes.sql`;
export const GRANTS_MIGRATION = `${MIGRATIONS_FOLDER}/0001_grants.sql`;
export const FIRST_TEST = `${TESTS_FOLDER}/notes.policies`;
/** The passwords of the logins, for the server and for dbr. */
export const PASSWORDS_FILE = 'passwords.sql';
export const PASSFILE = '.pgpass';
/** The secret of tokens, which `dbr.conf` names. */
const SECRET_FILE = '.jwt-secret';

export function projectFiles(choices: Choices, secrets: Secrets): readonly ProjectFile[] {
  const { database, existing, issuer, compose, deploy } = choices;
  // Other names may be reserved words of SQL.
  const schema = choices.schema === DEFAULT_SCHEMA ? DEFAULT_SCHEMA : quoteIdentifier(choices.schema);
  return [
    open(CONFIG_FILE, configFile(choices)),
    open(ROLES_FILE, existing === null ? ROLES : ROLES + rightsOfOwner(existing)),
    ...(existing === null
      ? [open(FIRST_MIGRATION, firstMigration(schema)), open(FIRST_TEST, policyTest(schema))]
      : [open(GRANTS_MIGRATION, grantsMigration(existing))]),
    open(IGNORE_FILE, `${ignoredFiles(choices).join('\n')}\n`),
    ...(issuer === null ? [secret(SECRET_FILE, `${secrets.tokens}\n`)] : []),
    ...(database === null
      ? []
      : [
          // PostgreSQL in the container reads it with an account of its own.
          compose ? open(PASSWORDS_FILE, passwords(secrets)) : secret(PASSWORDS_FILE, passwords(secrets)),
          secret(PASSFILE, passfile(database, secrets)),
        ]),
    ...(database === null || !compose
      ? []
      : [
          open('compose.yaml', composeFile(database)),
          secret('.env', `POSTGRES_PASSWORD=${secrets.superuser}\n`),
        ]),
    ...(database === null || deploy === null
      ? []
      : deploymentFiles(deploy, database).map(({ path, text }) => open(path, text))),
  ];
}

const open = (path: string, text: string): ProjectFile => ({ path, text, mode: 0o666 });
const secret = (path: string, text: string): ProjectFile => ({ path, text, mode: 0o600 });

function configFile({ database, schema, issuer }: Choices): string {
  const address = (role: string): string =>
    `"${database?.replace('//', `//${role}@`) ?? ''}${database?.includes('?') === true ? '&' : '?'}passfile=${PASSFILE}"`;
  return [
    '# The settings of this project. `dbr settings --example` prints all settings, each with its meaning.',
    '',
    `db-schemas = "${schema}"`,
    '# The role of requests without a token.',
    'db-anon-role = "anon"',
    '',
    ...(database === null
      ? [
          '# Without db-uri, dbr runs a PostgreSQL of its own, with its data in .dbr.',
          'sample-database = false',
        ]
      : [
          '# The role of each address is made by roles.sql, and its password is in .pgpass.',
          `db-uri = ${address('dbr_authenticator')}`,
          `service-db-uri = ${address('dbr_service')}`,
          `migrate-db-uri = ${address('dbr_owner')}`,
        ]),
    '',
    ...(issuer === null
      ? [
          '# The secret of tokens, such as those of `dbr dev` and `dbr token`. `dbr init` makes a file that is missing.',
          '# In production, set JWT_SECRET in the environment, which comes first.',
          `service-jwt-secret = "@${SECRET_FILE}"`,
        ]
      : ['# Whose tokens are accepted.', `jwt-issuers = ["${issuer}"]`]),
    '',
  ].join('\n');
}

/** Also run on the embedded server, as its superuser: every statement may run again. */
const ROLES = `-- The roles of this project. Run it as a superuser, in the database of the project; it may run again.
-- The roles that log in have no password yet.

do $roles$
declare
  name text;
begin
  -- Roles of the data API: requests without a token, and requests of users.
  foreach name in array array['anon', 'web_user'] loop
    if pg_catalog.to_regrole(name) is null then
      execute pg_catalog.format('create role %I nologin', name);
    end if;
  end loop;

  -- The owner runs \`dbr migrate\` and \`dbr test\`. The authenticator is the login of the data API, which becomes one of
  -- the roles above in each transaction. The service is the login of notifications and signing.
  if pg_catalog.to_regrole('dbr_owner') is null then create role dbr_owner login; end if;
  if pg_catalog.to_regrole('dbr_authenticator') is null then create role dbr_authenticator login noinherit; end if;
  if pg_catalog.to_regrole('dbr_service') is null then create role dbr_service login noinherit; end if;

  -- The roles to which the migrations of dbr grant its tables.
  foreach name in array array[
    'dbr_notifications_user', 'dbr_notifications_producer', 'dbr_notifications_system',
    'dbr_signing_service', 'dbr_signing_sweeper', 'dbr_erasure', 'dbr_idempotency'
  ] loop
    if pg_catalog.to_regrole(name) is null then
      execute pg_catalog.format('create role %I nologin', name);
    end if;
    execute pg_catalog.format('grant %I to dbr_owner with admin option', name);
    if name <> 'dbr_idempotency' then
      execute pg_catalog.format('grant %I to dbr_service', name);
    end if;
  end loop;

  execute pg_catalog.format('grant create on database %I to dbr_owner', pg_catalog.current_database());
end
$roles$;

grant anon, web_user to dbr_authenticator;
-- \`dbr test\` becomes them too.
grant anon, web_user to dbr_owner;
`;

const USER_ID = `(select nullif(current_setting('request.jwt.claims', true), '')::json ->> 'sub')`;

const firstMigration = (schema: string): string => `-- Notes, of which each user has their own.
create schema if not exists ${schema};
grant usage on schema ${schema} to anon, web_user;

create table ${schema}.notes (
  id         bigint      generated always as identity primary key,
  owner      text        not null default nullif(current_setting('request.jwt.claims', true), '')::json ->> 'sub',
  body       text        not null check (body <> ''),
  created_at timestamptz not null default now()
);
create index notes_owner on ${schema}.notes (owner);
comment on table ${schema}.notes is 'Notes of users.';

-- Rows are hidden until a policy shows them. The claim \`sub\` of the token names the user.
alter table ${schema}.notes enable row level security;
create policy own_notes on ${schema}.notes to web_user
  using (owner = ${USER_ID})
  with check (owner = ${USER_ID});
grant select, insert, update, delete on ${schema}.notes to web_user;
`;

const policyTest = (schema: string): string => `# Who may see and change notes. Run it with: dbr test
user ada is web_user with {"sub": "ada"}
user bob is web_user with {"sub": "bob"}
user stranger is anon

fixture
  delete from ${schema}.notes;
  insert into ${schema}.notes (owner, body) values ('ada', 'Buy milk'), ('bob', 'Call Ada'), ('bob', 'Sleep');

test users see their own notes
as ada: select * from ${schema}.notes sees 1 row
as bob: sees 2 rows
as stranger: is refused

test users write their own notes
as ada: insert into ${schema}.notes (body) values ('Read') changes 1 row
as ada: insert into ${schema}.notes (owner, body) values ('bob', 'Read') is refused
as ada: update ${schema}.notes set body = 'Buy bread' where owner = 'bob' changes 0 rows
as bob: delete from ${schema}.notes changes 2 rows
`;

/** Files that stay out of version control. */
export const ignoredFiles = ({ database, issuer }: Choices): readonly string[] => [
  '.dbr/',
  ...(issuer === null ? [SECRET_FILE] : []),
  ...(database === null ? [] : [PASSFILE, PASSWORDS_FILE, '.env']),
];

const passwords = ({ owner, authenticator, service }: Secrets): string =>
  `-- Run it after roles.sql. Keep it out of version control.
alter role dbr_owner password '${owner}';
alter role dbr_authenticator password '${authenticator}';
alter role dbr_service password '${service}';
`;

function passfile(database: string, { owner, authenticator, service }: Secrets): string {
  const { hostname, port, pathname } = new URL(database);
  // A colon and a backslash are escaped (PostgreSQL manual, "The Password File").
  const place = [
    hostname.replace(/^\[(.*)\]$/, '$1'),
    port === '' ? '5432' : port,
    decodeURIComponent(pathname.slice(1)),
  ]
    .map((field) => field.replaceAll(/[:\\]/g, String.raw`\$&`))
    .join(':');
  return [
    `${place}:dbr_owner:${owner}`,
    `${place}:dbr_authenticator:${authenticator}`,
    `${place}:dbr_service:${service}`,
    '',
  ].join('\n');
}

function composeFile(database: string): string {
  const { port, pathname } = new URL(database);
  // Compose takes a dollar sign for a variable.
  const name = JSON.stringify(decodeURIComponent(pathname.slice(1)).replaceAll('$', '$$$$'));
  return `# PostgreSQL of this project: docker compose up --wait
services:
  postgres:
    image: postgres:17-bookworm
    restart: unless-stopped
    environment:
      POSTGRES_DB: ${name}
      POSTGRES_PASSWORD: \${POSTGRES_PASSWORD:?set it in .env}
    ports:
      - '127.0.0.1:${port === '' ? '5432' : port}:5432'
    volumes:
      - postgres:/var/lib/postgresql/data
      # Run once, when the volume is empty.
      - ./${ROLES_FILE}:/docker-entrypoint-initdb.d/10-roles.sql:ro
      - ./${PASSWORDS_FILE}:/docker-entrypoint-initdb.d/20-passwords.sql:ro
    healthcheck:
      test: [CMD, pg_isready, -h, 127.0.0.1, -U, postgres]
      interval: 2s
      timeout: 5s
      retries: 30

volumes:
  postgres:
`;
}
