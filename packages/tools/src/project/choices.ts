/** What `dbr init` asks, with the answers of flags, of a person, or by default. */
import { createInterface } from 'node:readline/promises';
import { InputError } from '../../../../src/face.js';
import { deploymentOf, type Deployment } from './deployment.js';
import { readExisting, type ExistingSchema } from './existing-schema.js';

export const DEFAULT_SCHEMA = 'api';

export interface Choices {
  /** Null for the embedded PostgreSQL; otherwise an address, with its parameters, without user and password. */
  readonly database: string | null;
  readonly schema: string;
  /** The schema, if it was there before the project; null otherwise. */
  readonly existing: ExistingSchema | null;
  /** Null for tokens of the development secret; otherwise the URL of an issuer. */
  readonly issuer: string | null;
  /** Whether to write a compose file with PostgreSQL. */
  readonly compose: boolean;
  /** How the project runs on servers, if files for that are wanted. */
  readonly deploy: Deployment | null;
}

type ChoiceName = 'database' | 'existing' | 'schema' | 'login' | 'compose' | 'deploy';

/** The answers that flags give. */
export type Given = Readonly<Partial<Record<ChoiceName, string>>>;

/** An answer that cannot be used. */
export class ChoiceError extends InputError {
  override readonly name = 'ChoiceError';
}

interface Question {
  readonly name: Exclude<ChoiceName, 'existing' | 'deploy'>;
  readonly text: string;
  readonly default: string;
}

const DATABASE: Question = {
  name: 'database',
  text: 'Database: `embedded`, or the address of a server such as postgresql://localhost:5432/app',
  default: 'embedded',
};
const SCHEMA: Question = {
  name: 'schema',
  text: 'Schema that the data API exposes',
  default: DEFAULT_SCHEMA,
};
const LOGIN: Question = {
  name: 'login',
  text: 'Login: `secret` for tokens of your own, or the URL of an issuer (OpenID Connect)',
  default: 'secret',
};
const COMPOSE: Question = {
  name: 'compose',
  text: 'Write a compose.yaml that runs PostgreSQL in a container? (yes, no)',
  default: 'no',
};

/**
 * @param ask asks a person; null takes the defaults
 * @throws ChoiceError
 */
export async function chooseProject(given: Given, ask: Ask | null): Promise<Choices> {
  const address = await choose(DATABASE, addressOf, given, ask);
  const database = address === null ? null : withoutRole(address);
  const existing = given.existing === undefined ? null : await chooseExisting(address, given, ask);
  const schema = existing?.name ?? (await choose(SCHEMA, schemaOf, given, ask));
  const issuer = await choose(LOGIN, issuerOf, given, ask);
  // The embedded server needs no container, and neither does one that runs.
  const asksForCompose = database !== null && existing === null;
  const compose = await choose(COMPOSE, yesOrNo, given, asksForCompose ? ask : null);
  if (compose && !asksForCompose)
    throw new ChoiceError('a compose file is for a server of its own: name its address as the database');
  return { database, schema, existing, issuer, compose, deploy: deployOf(given.deploy, database) };
}

function deployOf(word: string | undefined, database: string | null): Deployment | null {
  if (word === undefined) return null;
  const deployment = deploymentOf(word);
  if (deployment === null)
    throw new ChoiceError(`--deploy takes compose, systemd or kubernetes, not ${word}`);
  if (database === null)
    throw new ChoiceError('--deploy needs the address of the server: --database ADDRESS');
  return deployment;
}

/** Reads the schemas of the database, and chooses one of them. */
async function chooseExisting(
  address: string | null,
  given: Given,
  ask: Ask | null,
): Promise<ExistingSchema> {
  if (address === null)
    throw new ChoiceError('--existing needs the address of the server: --database ADDRESS');
  const schemas = await readExisting(address);
  const names = schemas.map(({ name }) => name);
  const [first] = names;
  if (first === undefined) throw new ChoiceError('the database has no tables: leave out --existing');
  const find = (text: string): ExistingSchema => {
    const found = schemas.find(({ name }) => name === text);
    if (found === undefined)
      throw new ChoiceError(`the database has no tables in a schema ${text}: it has ${names.join(', ')}`);
    // It is written into the settings, where these characters separate and end values.
    if (/["\\,\s]/.test(text)) throw new ChoiceError(`the settings cannot name the schema ${text}`);
    return found;
  };
  return choose({ ...SCHEMA, default: first }, find, given, ask);
}

/** @returns the answer; empty for the default */
export type Ask = (question: string) => Promise<string>;

/** Asks again until the answer can be used. */
async function choose<Value>(
  question: Question,
  read: (text: string) => Value,
  given: Given,
  ask: Ask | null,
): Promise<Value> {
  const known = given[question.name];
  if (known !== undefined || ask === null) return read(known ?? question.default);
  for (let fault = ''; ;) {
    const typed = (await ask(`${fault}${question.text} [${question.default}]: `)).trim();
    try {
      return read(typed === '' ? question.default : typed);
    } catch (error) {
      if (!(error instanceof ChoiceError)) throw error;
      fault = `${error.message}\n`;
    }
  }
}

function addressOf(text: string): string | null {
  if (text === 'embedded') return null;
  if (!URL.canParse(text)) throw new ChoiceError(DATABASE_FAULT);
  const url = new URL(text);
  const isPostgres = url.protocol === 'postgresql:' || url.protocol === 'postgres:';
  if (!isPostgres || url.hostname === '' || !/^\/[^/]+$/.test(url.pathname))
    throw new ChoiceError(DATABASE_FAULT);
  return text;
}

/** The part of an address that all roles share. */
function withoutRole(address: string): string {
  const url = new URL(address);
  for (const name of OF_ROLES) url.searchParams.delete(name);
  // A blank is `+` in forms alone.
  return `postgresql://${url.host}${url.pathname}${url.search.replaceAll('+', '%20')}`;
}

/** Parameters that differ from role to role. */
const OF_ROLES = ['user', 'password', 'passfile'];

/** Does not repeat the address, which may have a password. */
const DATABASE_FAULT = 'the database is `embedded`, or an address such as postgresql://localhost:5432/app';

function schemaOf(text: string): string {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(text) || text.startsWith('pg_') || text === 'information_schema')
    throw new ChoiceError(`a schema has lower-case letters, digits and underscores, not ${text}`);
  return text;
}

function issuerOf(text: string): string | null {
  if (text === 'secret') return null;
  if (!/^https?:[^\s"\\]+$/.test(text) || !URL.canParse(text))
    throw new ChoiceError(`the login is \`secret\` or the URL of an issuer, not ${text}`);
  return text;
}

function yesOrNo(text: string): boolean {
  if (['yes', 'y', 'true'].includes(text)) return true;
  if (['no', 'n', 'false'].includes(text)) return false;
  throw new ChoiceError(`compose takes yes or no, not ${text}`);
}

/** Asks at the terminal, or reads the lines of a pipe. */
export async function askInTerminal<Result>(work: (ask: Ask) => Promise<Result>): Promise<Result> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // Lines of a pipe may all arrive before the second question.
  const lines = terminal[Symbol.asyncIterator]();
  try {
    return await work(async (question) => {
      process.stdout.write(question);
      const line = await lines.next();
      if (line.done === true) throw new ChoiceError('the input ended: --yes takes the defaults');
      return line.value;
    });
  } finally {
    terminal.close();
  }
}
