/** A dump that is restored into an embedded PostgreSQL of its own, in a temporary folder. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  type Addresses,
  quoteIdentifier,
  quoteLiteral,
  type Session,
  withSession,
} from '../../../../src/face.js';
import { startForCommand } from '../command-server.js';

/** The custom and the tar format of pg_dump need pg_restore. */
const CUSTOM = 'PGDMP';
const LONGEST_DUMP = 536_870_912;

/**
 * Restores a dump. Roles that it names are created; the authenticator may become those that own nothing.
 * @returns addresses of the server, which `stop` ends and removes
 * @throws Error for a dump that cannot be restored
 */
export async function openDump(file: string): Promise<Pick<Addresses, 'data' | 'migrate' | 'stop'>> {
  const text = await readDump(file);
  // The embedded server makes the folder, when signals are handled already.
  const folder = join(tmpdir(), `dbr-dump-${randomUUID()}`);
  const server = await startForCommand({ directory: folder, observe: () => undefined }, () =>
    rm(folder, { recursive: true, force: true }),
  );
  const migrate = server.uri('superuser');
  try {
    await withSession(migrate, (session) => restore(session, text));
  } catch (error) {
    await server.stop();
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${file} cannot be restored: ${reason}`, { cause: error });
  }
  return { data: server.uri('authenticator'), migrate, stop: () => server.stop() };
}

async function readDump(file: string): Promise<string> {
  const handle = await open(file);
  const { buffer } = await handle.read(Buffer.alloc(CUSTOM.length), 0, CUSTOM.length, 0);
  await handle.close();
  if (buffer.toString('latin1') !== CUSTOM) return readFile(file, 'utf8');
  const restored = await promisify(execFile)('pg_restore', ['-f', '-', file], { maxBuffer: LONGEST_DUMP });
  return restored.stdout;
}

async function restore(session: Session, text: string): Promise<void> {
  const created: string[] = [];
  for (const script of scriptsOf(text.split('\n'))) await run(session, script, created);
  await session.script('reset all; analyze');
  const roles = await session.query(
    `select rolname::text as name from pg_roles where rolname = any ($1)
     and not exists (select from pg_shdepend where refobjid = pg_roles.oid and deptype = 'o') order by 1`,
    [created],
  );
  for (const { name } of roles)
    await session.script(`grant ${quoteIdentifier(String(name))} to dbr_authenticator`);
}

/** Runs a script in one transaction, and again after the creation of a role that it lacked. */
async function run(session: Session, script: string, created: string[]): Promise<void> {
  try {
    await session.script(script);
  } catch (error) {
    const [, role] = /^role "(.*)" does not exist$/s.exec(error instanceof Error ? error.message : '') ?? [];
    if (role === undefined || created.includes(role)) throw error;
    created.push(role);
    await session.script(`create role ${quoteIdentifier(role)}`);
    await run(session, script, created);
  }
}

/** A table without columns has no list of them. */
const COPY = /^COPY (.+? (?:\(.*\))?) FROM stdin;$/;
/** Commands of psql that pg_dump writes. Another line that begins so is one of a text, such as the body of a function. */
const COMMAND = /^\\(?:connect|restrict|unrestrict)\b/;
/** Rows of one INSERT. */
const ROWS = 500;

/** The statements of a dump, without the commands of psql, and with INSERT in place of COPY. */
function* scriptsOf(lines: readonly string[]): Generator<string> {
  let statements: string[] = [];
  let rows: string[] = [];
  let target: string | null = null;
  for (const line of lines) {
    const [, copied] = COPY.exec(line) ?? [];
    if (target === null && copied !== undefined) {
      if (statements.length > 0) yield statements.join('\n');
      [statements, target] = [[], copied];
    } else if (target === null) {
      if (!COMMAND.test(line)) statements.push(line);
    } else if (line === '\\.') {
      if (rows.length > 0) yield insertSql(target, rows);
      [rows, target] = [[], null];
    } else if (rows.push(line) === ROWS) {
      yield insertSql(target, rows);
      rows = [];
    }
  }
  yield statements.join('\n');
}

const insertSql = (target: string, rows: readonly string[]): string =>
  `INSERT INTO ${target} OVERRIDING SYSTEM VALUE VALUES ${rows.map((row) => `(${row.split('\t').map(valueSql).join(', ')})`).join(', ')}`;

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** A value of the text format of COPY (PostgreSQL manual, COPY, Text Format). */
const valueSql = (field: string): string =>
  field === '\\N'
    ? 'NULL'
    : quoteLiteral(field.replaceAll(/\\(.)/g, (_, escaped: string) => ESCAPES[escaped] ?? escaped));
