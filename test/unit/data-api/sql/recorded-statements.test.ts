/**
 * The exact statements, parameters and outputs of some sixty requests, one for each form: reads, pages by key, calls, writes,
 * graphs. What requests are answered is shown by the conformance cases; these show the SQL to a reader, and each change of it.
 *
 * `RECORD=1 npx mocha test/unit/data-api/sql/recorded-statements.test.ts` writes the records of the present sources, whose
 * difference to the former ones has to be read like a change of code.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type PlanContext, releaseRules } from '../../../../src/data-api/plan/plan-context.js';
import { preparePlan, type PreparedStatement } from '../../../../src/data-api/prepare/prepared-plan.js';
import type { PageRange } from '../../../../src/data-api/request/api-request.js';
import type { SchemaCache } from '../../../../src/data-api/schema-cache/types.js';
import { FILM_CACHE } from '../../../support/data-api/film-cache.js';
import { WORKSHOP_CACHE } from '../../../support/data-api/workshop-cache.js';
import { planOf } from '../../../support/data-api/planned.js';

interface Recorded {
  /** Method and URL. */
  readonly request: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly context: keyof typeof CONTEXTS;
  /** The page of keyset pagination; absent for none. */
  readonly page?: PageRange;
  /** What the service makes of the request. */
  readonly gives: unknown;
}

/** The cache whose films have the time of their last change. */
function datedCache(): SchemaCache {
  const films = FILM_CACHE.tables.get('api')?.get('films');
  if (films === undefined) throw new Error('no films');
  const tables = new Map(FILM_CACHE.tables.get('api')).set('films', { ...films, lastModified: 'year' });
  return { ...FILM_CACHE, tables: new Map([['api', tables]]) };
}

const CONTEXTS = {
  plain: {},
  later: { maxRows: 5n, rules: releaseRules('16', true, false), planEnabled: true },
  dated: { cache: datedCache() },
  workshop: { cache: WORKSHOP_CACHE, maxRows: 1000n },
  stranger: {
    rules: releaseRules('16', false, false),
    maxRows: 100n,
    aggregatesEnabled: false,
    role: 'nobody',
  },
} as const satisfies Readonly<Record<string, Partial<PlanContext>>>;

const FILE = join(import.meta.dirname, 'recorded-statements.json');
const NO_STATEMENTS = { get: () => undefined };

/** The text of a statement by lines, with its parameters. The mark of refusals is another one in each process. */
const statement = ({ statement: { text }, parameters }: PreparedStatement) => ({
  sql: text.replaceAll(/dbr-refused-[0-9a-f]+/g, 'dbr-refused').split('\n'),
  ...withoutNone({ parameters: parameters.map((operand) => JSON.stringify(operand)) }),
});

function givenBy({ request, headers, body, context, page }: Recorded): unknown {
  const plan = planOf(request, {
    headers,
    body,
    context: CONTEXTS[context],
    ...(page === undefined ? {} : { page }),
  });
  if (plan.kind === 'inspect' || plan.kind === 'document') throw new Error('the request has no statement');
  const { steps, main, columns, estimate, stream, access, checks, bound, mayStream, mayChangeSettings } =
    preparePlan(plan, '', NO_STATEMENTS);
  return withoutNone({
    steps: steps.map(statement),
    main: statement(main),
    columns,
    estimate: estimate === null ? null : statement(estimate),
    header: stream === null || stream.header === null ? null : statement(stream.header),
    access,
    checks,
    bound: bound === 'none' ? null : bound,
    mayStream,
    mayChangeSettings,
    output: JSON.stringify(plan.output),
    cuts: plan.cuts,
    ...(plan.kind === 'read' ? { path: plan.path, dated: plan.dated } : {}),
    ...(plan.kind === 'mutation'
      ? { path: plan.path, represent: plan.represent, keyColumns: plan.keyColumns }
      : {}),
  });
}

/** Leaves out the members that are null, false or empty. */
const withoutNone = (members: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(members).filter(
      ([, value]) => value !== null && value !== false && !(Array.isArray(value) && value.length === 0),
    ),
  );

/** The value as JSON has it. */
const plainValue = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_key, member: unknown) => (typeof member === 'bigint' ? String(member) : member)),
  );

describe('recorded statements', () => {
  const records = JSON.parse(readFileSync(FILE, 'utf8')) as readonly Recorded[];
  if (process.env['RECORD'] === '1') {
    const written = records.map((recorded) => ({ ...recorded, gives: plainValue(givenBy(recorded)) }));
    writeFileSync(FILE, `${JSON.stringify(written, null, 1)}\n`);
  }

  for (const recorded of records) {
    const { request, headers, body, context, page } = recorded;
    it(`${request} ${JSON.stringify(headers)} ${body} (${context}) ${JSON.stringify(page ?? null)}`, () => {
      expect(plainValue(givenBy(recorded))).to.deep.equal(recorded.gives);
    });
  }
});
