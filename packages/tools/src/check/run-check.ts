/** Runs a check: all statements of a caller in one transaction, each probe after a savepoint, and nothing is committed. */
import { performance } from 'node:perf_hooks';
import {
  catalogueSql,
  joinSql,
  quoteIdentifier,
  quoteLiteral,
  randomOf,
  type Session,
  sql,
  type Sql,
} from '../../../../src/face.js';
import { claimValue, generateCallers, inventedRow } from './callers.js';
import { grantOf, readCatalogue, type Definer, type Table } from './catalogue.js';
import { type OwnerRule, ownersOf } from './owners.js';
import {
  basesOf,
  isOfAnother,
  isTable,
  nameOf,
  step,
  type CheckedCaller,
  type ProbeOutcome,
  type OwnValue,
  type Probe,
  type Setting,
  type ShownRequest,
  type Step,
  type Subject,
  MANY_ROWS,
  columnNamed,
  tableSql,
  type RowTexts,
} from './probe.js';
import { definerProbes, readProbes, explainEqual, planOf } from './read-probes.js';
import { findingOf, type CheckFinding, type CheckReport } from './report.js';
import { anyTrial, formsOf, kindTrials } from './any-requests.js';
import { unjudged } from './unjudged.js';
import { callTwins, isEmptyPage, readTwins, writeTwins, type CheckAnswer, type Trial } from './requests.js';
import { canInsert, insertOf, valuesOf, writeProbes } from './write-probes.js';

export interface CheckScope {
  readonly schemas: readonly string[];
  readonly searchPath: readonly string[];
  readonly anonymousRole: string | null;
  /** Callers of a file; empty generates them. */
  readonly callers: readonly CheckedCaller[];
  readonly rules: readonly OwnerRule[];
  /** `db-estimates-under-policies`. */
  readonly estimates: boolean;
  /** Quoted `db-pre-request`; null for none. */
  readonly preRequest: Sql | null;
  readonly callFunctions: boolean;
  readonly seconds: number;
  readonly requests: number;
  /** Takes what returns the progress of the check at any time. */
  readonly watch: (progress: () => CheckProgress) => void;
  /** Generated requests of each role at least, if time is enough. */
  readonly requestsOfRole: number;
  readonly seed: number;
  /** Address of the data API for the requests that are shown. */
  readonly address: string;
}

export interface CheckProgress {
  readonly seconds: number;
  readonly requests: number;
  readonly findings: number;
}

/** Handles a request as the data API does, in a transaction that begins with steps and is rolled back. */
export type Send = (
  caller: CheckedCaller,
  request: ShownRequest,
  before: readonly Step[],
) => Promise<CheckAnswer>;

interface Run {
  readonly session: Session;
  readonly send: Send;
  readonly scope: CheckScope;
  readonly roles: readonly string[];
  readonly definers: readonly Definer[];
  readonly subjects: Map<number, Subject>;
  /** What the owner of the tables sees. */
  readonly snapshot: string;
  readonly found: Map<string, { readonly finding: CheckFinding; readonly isForAll: boolean }>;
  /** Findings for all callers that one of them does not show. */
  readonly refuted: Set<string>;
  readonly skipped: Set<string>;
  readonly end: number;
  /** The tables for each caller. */
  readonly settings: Map<CheckedCaller, readonly Setting[]>;
  readonly byRole: Map<string, number>;
  requests: number;
}

/**
 * @param owner session of a role that sees all rows; it reads tables, and runs no code of users
 * @param session of the authenticator, which runs the rest as requests do
 * @param openData opens the data API on the rows of a snapshot
 */
export async function checkDatabase(
  owner: Session,
  session: Session,
  scope: CheckScope,
  openData: (snapshot: string) => Send,
): Promise<CheckReport> {
  const began = performance.now();
  const end = began + scope.seconds * 1000;
  // The catalogue of many tables takes longer than a statement of a caller may.
  await session.script(
    `begin read only; ${LIMITS}; set local statement_timeout = '60s'; set local search_path = ''`,
  );
  const catalogue = await readCatalogue(session, scope.schemas, scope.anonymousRole);
  await session.script('rollback');
  await owner.script(
    `begin isolation level repeatable read, read only; ${LIMITS}; set local search_path = ''; set local row_security = off;
     set local idle_in_transaction_session_timeout = 0`,
  );
  try {
    // A savepoint would prevent it.
    const [exported] = await owner.query('select pg_export_snapshot() as name');
    await owner.script('savepoint probe');
    const skipped = new Set<string>();
    const subjects = new Map(await readSubjects(owner, catalogue.tables, scope.rules, skipped));
    const generated = (): readonly CheckedCaller[] =>
      generateCallers(catalogue.roles, scope.anonymousRole, [...subjects.values()], scope.seed);
    const callers = scope.callers.length > 0 ? scope.callers : generated();
    const snapshot = String(exported?.['name']);
    const run: Run = {
      ...{ session, scope, subjects, skipped, end, snapshot, definers: catalogue.definers },
      roles: [...new Set(callers.map(({ role }) => role))],
      send: openData(snapshot),
      ...{ found: new Map(), refuted: new Set(), settings: new Map(), byRole: new Map(), requests: 0 },
    };
    scope.watch(() => ({
      seconds: (performance.now() - began) / 1000,
      requests: run.requests,
      findings: run.found.size,
    }));
    await plantRows(run, callers);
    let asked = 0;
    for (const caller of callers) {
      await checkCaller(run, caller);
      if (!isOver(run)) asked += 1;
    }
    await tryRequests(run, callers);
    return {
      ...reportOf(run, callers.length),
      unjudged: unjudged(catalogue, scope.rules),
      cut: cutOf(run, callers.length - asked, callers.length),
    };
  } finally {
    await owner.script('rollback');
  }
}

function reportOf(run: Run, callers: number): Omit<CheckReport, 'cut' | 'unjudged'> {
  const { requests } = run;
  const isCut = isOver(run);
  const findings = [...run.found]
    .filter(([key, { isForAll }]) => !isForAll || (!isCut && !run.refuted.has(key)))
    .sort(([left], [right]) => left.localeCompare(right))
    .map(([, { finding }]) => finding);
  const skipped = [...run.skipped].sort();
  const requestsByRole = Object.fromEntries(run.byRole);
  return { findings, tables: exposedOf(run).length, callers, requests, requestsByRole, skipped, isCut };
}

/** Which limit ended the check, and what it left out; null for none. */
function cutOf(run: Run, unasked: number, callers: number): string | null {
  const { scope, byRole, roles, requests } = run;
  if (!isOver(run)) return null;
  const limit =
    requests >= scope.requests
      ? `${String(scope.requests)} requests (--requests)`
      : `${String(scope.seconds)} s (--seconds)`;
  const left = [
    ...(unasked === 0
      ? []
      : [`${String(unasked)} of ${String(callers)} callers were not asked all questions`]),
    ...roles
      .filter((role) => (byRole.get(role) ?? 0) < scope.requestsOfRole)
      .map(
        (role) => `${role} sent ${String(byRole.get(role) ?? 0)} of ${String(scope.requestsOfRole)} requests`,
      ),
  ];
  return `the limit of ${limit} ended the check${left.length === 0 ? '' : `: ${left.join(', ')}`}`;
}

const isOver = ({ end, requests, scope }: Run): boolean =>
  performance.now() >= end || requests >= scope.requests;

async function ask(run: Run, steps: readonly Step[]): Promise<readonly ProbeOutcome[]> {
  run.requests += steps.length;
  return await attempt(run.session, steps);
}

/** Probes that are sent together: each may take as long as a statement may. */
const PROBES_TOGETHER = 6;

/** @param planted steps before each probe */
async function askAll(
  run: Run,
  caller: CheckedCaller,
  probes: readonly Probe[],
  planted: readonly Step[] | null = null,
): Promise<void> {
  const before = planted === null ? [] : [...planted, ...become(run, caller)];
  for (let at = 0; at < probes.length && !isOver(run); at += PROBES_TOGETHER) {
    const together = probes.slice(at, at + PROBES_TOGETHER);
    // Several rules judge the outcomes of the same steps.
    const asked = new Map<Probe['steps'], Promise<readonly ProbeOutcome[]>>();
    for (const { steps } of together)
      if (!asked.has(steps)) asked.set(steps, ask(run, [...before, ...steps]));
    await Promise.all(asked.values());
    for (const probe of together)
      judge(run, caller, probe, (await asked.get(probe.steps)) ?? [], before.length);
  }
}

/** @param before number of the steps before those of the probe */
function judge(
  run: Run,
  caller: CheckedCaller,
  probe: Probe,
  outcomes: readonly ProbeOutcome[],
  before: number,
): void {
  if (failureOf(outcomes.slice(0, before)) !== null) return;
  const own = outcomes.slice(before);
  const shown = probe.shows(
    own.map(({ rows, error }) => (error === null ? rows.length : null)),
    own,
  );
  if (shown === false) run.refuted.add(`${probe.rule} ${probe.object}`);
  else note(run, caller, probe, shown === true ? '' : shown);
}

function note(
  { found, scope }: Run,
  caller: CheckedCaller,
  probe: Pick<Probe, 'rule' | 'object' | 'request' | 'isForAll'>,
  detail: string,
): void {
  const key = `${probe.rule} ${probe.object}`;
  if (found.has(key)) return;
  found.set(key, {
    finding: findingOf(scope.address, caller, probe, detail),
    isForAll: probe.isForAll === true,
  });
}

/** Sets role, claims and search path as for a request. */
function become({ scope }: Run, { role, claims }: CheckedCaller): readonly Step[] {
  const path = [scope.schemas[0] ?? 'public', ...scope.searchPath].map(quoteIdentifier).join(', ');
  const text = sql`select set_config('search_path', $1, true), set_config('request.jwt.claims', $2, true), set_config('request.headers', '{}', true), set_config('role', $3, true)`;
  const preRequest = scope.preRequest === null ? [] : [step(sql`select ${scope.preRequest}()`)];
  return [step(text, [path, claims ?? JSON.stringify({ role }), role]), ...preRequest];
}

/** A transaction of a caller, which is rolled back. It sees the rows that the owner saw. */
async function asCaller(
  run: Run,
  caller: CheckedCaller,
  mode: 'read only' | 'read write',
  work: () => Promise<void>,
): Promise<void> {
  const { session, scope, skipped } = run;
  if (isOver(run)) return;
  if (mode === 'read write' && scope.preRequest !== null && !scope.callFunctions) {
    skipped.add(`all writes: they would run ${scope.preRequest}`);
    return;
  }
  const snapshot = quoteLiteral(run.snapshot);
  await session.script(
    `begin isolation level repeatable read, ${mode}; set transaction snapshot ${snapshot}; ${LIMITS}; savepoint probe`,
  );
  try {
    const failure = failureOf(await attempt(session, become(run, caller)));
    if (failure !== null) skipped.add(`caller ${caller.name}: ${failure}`);
    else {
      for (const { text, values } of become(run, caller)) await session.query(text, values);
      await session.script('savepoint probe');
      await work();
    }
  } finally {
    await session.script('rollback');
  }
}

/** The table for a caller. */
async function settingOf(run: Run, subject: Subject, caller: CheckedCaller): Promise<Setting> {
  const { subjects, roles, scope } = run;
  const own = await ownValues(run, subject, caller);
  const [base, ...more] = basesOf(subject, subjects);
  const ofBase = base === undefined || more.length > 0 ? [] : await ownValues(run, base, caller);
  const ofOthers = (base?.rows ?? []).filter((row) => isOfAnother(ofBase, row));
  return {
    ...{ ...subject, caller, own, ofOthers, subjects, roles },
    ...{ anonymousRole: scope.anonymousRole, seed: scope.seed },
  };
}

/** The caller's own values of the owner columns, as policies compute them. */
async function ownValues(
  { session }: Run,
  { owners }: Subject,
  caller: CheckedCaller,
): Promise<readonly OwnValue[]> {
  const own: OwnValue[] = [];
  for (const { column, expression, claim, isRule } of owners) {
    const computed = sql`select (${catalogueSql(expression ?? 'null')})::text as value`;
    const [outcome] = expression === null ? [] : await attempt(session, [step(computed)]);
    const value = expression === null ? claimValue(caller, claim) : outcome?.rows[0]?.['value'];
    if (value === null || typeof value === 'string') own.push({ column, isRule, value });
  }
  return own;
}

const exposedOf = ({ subjects }: Run): readonly Subject[] =>
  [...subjects.values()].filter(({ table }) => table.isExposed);

/** What a write of the table would run of the users' code; null for nothing, and where this is asked for. */
const obstacleOf = ({ scope }: Run, { table }: Subject): string | null =>
  scope.callFunctions ? null : (table.writeCode[0] ?? null);

/** Finds for each table without rows a caller that may insert one of its own: other callers are asked about this row. */
async function plantRows(run: Run, callers: readonly CheckedCaller[]): Promise<void> {
  const { subjects, skipped } = run;
  const empty = (): readonly Subject[] =>
    exposedOf(run).filter(
      ({ table, rows }) =>
        isTable(table) && rows.length === 0 && table.grants.some(({ select }) => select.length > 0),
    );
  const open = (): readonly Subject[] => empty().filter((subject) => obstacleOf(run, subject) === null);
  for (let before = Infinity; open().length > 0 && open().length < before;) {
    before = open().length;
    for (const caller of callers)
      await asCaller(run, caller, 'read write', async () => {
        for (const subject of open()) await plantRow(run, await settingOf(run, subject, caller), subject);
      });
  }
  for (const subject of empty()) {
    const code = obstacleOf(run, subject);
    const why = code === null ? 'no caller could insert one' : `an insert would run the ${code}`;
    skipped.add(`${nameOf(subject.table)}: no row of it is known, and ${why}`);
  }
  for (const subject of subjects.values()) {
    const behind = subject.table.reads.flatMap((oid) => subjects.get(oid)?.planted ?? []);
    if (behind.length > 0) subjects.set(subject.table.oid, { ...subject, planted: [...new Set(behind)] });
  }
}

async function plantRow(run: Run, setting: Setting, subject: Subject): Promise<void> {
  const { table, caller, own, seed } = setting;
  if (isOver(run) || !canInsert(setting) || own.some(({ value }) => value === null)) return;
  const parents = table.foreignKeys.map((key) => ({ ...key, parent: run.subjects.get(key.table) }));
  const referred = parents.flatMap(({ columns, keys, parent }) =>
    columns.map((column, index) => [column, parent?.rows[0]?.[keys[index] ?? ''] ?? null] as const),
  );
  const row = { ...inventedRow(table.columns, seed), ...Object.fromEntries(referred), ...valuesOf(own) };
  const before = new Set(parents.flatMap(({ parent }) => parent?.planted ?? []));
  const planted = [...before, ...become(run, caller), insertOf(setting, row).step];
  if (failureOf(await ask(run, planted)) === null)
    run.subjects.set(table.oid, { ...subject, rows: [row], ownerValues: [row], planted });
}

async function checkCaller(run: Run, caller: CheckedCaller): Promise<void> {
  const { estimates, callFunctions } = run.scope;
  const settings: Setting[] = [];
  const definers = run.definers.filter(({ roles }) => roles.includes(caller.role));
  const callAll = async (isVolatile: boolean): Promise<void> => {
    for (const definer of definers)
      if (definer.isVolatile === isVolatile) await askAll(run, caller, definerProbes(definer, settings));
  };
  await asCaller(run, caller, 'read only', async () => {
    settings.push(...(await Promise.all(exposedOf(run).map((subject) => settingOf(run, subject, caller)))));
    for (const setting of settings)
      if (setting.planted === null) await askAll(run, caller, readProbes(setting, estimates));
    await callAll(false);
  });
  run.settings.set(caller, settings);
  await asCaller(run, caller, 'read write', async () => {
    for (const setting of settings) {
      const { table, planted } = setting;
      if (planted !== null) await askAll(run, caller, readProbes(setting, estimates), planted);
      const probes = writeProbes(setting);
      const code = obstacleOf(run, setting);
      if (!isTable(table) && mayChange(setting))
        run.skipped.add(
          `${nameOf(table)}: writes to a ${table.kind === 'v' ? 'view' : 'foreign table'} are not tried`,
        );
      if (code === null) await askAll(run, caller, probes, planted);
      else if (probes.length > 0) run.skipped.add(`${nameOf(table)}: writes would run the ${code}`);
    }
    if (callFunctions) await callAll(true);
  });
  if (!callFunctions)
    for (const definer of definers)
      if (definer.isVolatile) run.skipped.add(`${nameOf(definer)}: it is a volatile function`);
}

function mayChange({ table, caller }: Setting): boolean {
  const { insert, update, delete: remove } = grantOf(table, caller.role);
  return table.isUpdatable && (insert.length > 0 || update.length > 0 || remove);
}

/** Trials that are sent together. */
const TOGETHER = 64;

interface PlacedTrial {
  readonly caller: CheckedCaller;
  readonly before: readonly Step[];
  readonly trial: Trial;
}

/** Sends the requests that tell hidden rows from absent ones, then any others until each role has its number. */
async function tryRequests(run: Run, callers: readonly CheckedCaller[]): Promise<void> {
  const { scope, settings, byRole, roles } = run;
  const placed = (setting: Setting, trials: readonly Trial[]): readonly PlacedTrial[] =>
    trials.map((trial) => ({ caller: setting.caller, before: setting.planted ?? [], trial }));
  for (const role of roles) {
    const compared = twinCallers(callers.filter((caller) => caller.role === role));
    // Callers of a role send requests of the same forms: their plans are made once.
    const known = compared.map((caller) => settings.get(caller) ?? []);
    const writable = known.map((own) => own.filter((setting) => mayWrite(run, setting)));
    const tables = exposedOf(run).flatMap((_, place) =>
      known.flatMap((own, index) => {
        const [setting, ofCaller] = [own[place], writable[index] ?? []];
        if (setting === undefined) return [];
        const writes = ofCaller.includes(setting) ? writeTwins(setting) : [];
        const kinds = kindTrials(setting, own, ofCaller);
        return placed(setting, [...readTwins(setting, scope.estimates), ...writes, ...kinds]);
      }),
    );
    const calls = compared.flatMap((caller) =>
      run.definers
        .filter((definer) => definer.roles.includes(role))
        .flatMap((definer) => callTwins(definer, settings.get(caller) ?? []))
        .map((trial) => ({ caller, before: [], trial })),
    );
    await sendAll(run, [...tables, ...calls]);
  }
  const random = randomOf(scope.seed);
  const forms = formsOf(exposedOf(run).length);
  const readable = roles.map((role) => ({
    role,
    settings: callers
      .filter((caller) => caller.role === role)
      .flatMap((caller) => settings.get(caller) ?? [])
      // Another server would answer requests of a foreign table.
      .filter(({ table }) => table.kind !== 'f' && grantOf(table, role).select.length > 0),
  }));
  for (;;) {
    const open = readable.filter(
      ({ role, settings: own }) => own.length > 0 && (byRole.get(role) ?? 0) < scope.requestsOfRole,
    );
    if (open.length === 0 || isOver(run)) return;
    for (const { settings: own } of open) {
      const trials = Array.from({ length: TOGETHER }, () => {
        const setting = own[random(own.length)];
        return setting === undefined
          ? []
          : placed(setting, [anyTrial(setting, mayWrite(run, setting), random, forms)]);
      });
      await sendAll(run, trials.flat());
    }
  }
}

/** Those who see most and least of a role: the first user, whose claims a row has, and the stranger. */
const twinCallers = (callers: readonly CheckedCaller[]): readonly CheckedCaller[] => {
  const [first] = callers;
  const stranger = callers.find(({ name }) => name.endsWith('-stranger')) ?? callers.at(-1);
  return first === undefined || stranger === undefined ? [] : [...new Set([first, stranger])];
};

const mayWrite = (run: Run, setting: Setting): boolean =>
  isTable(setting.table) &&
  obstacleOf(run, setting) === null &&
  canInsert(setting) &&
  (run.scope.preRequest === null || run.scope.callFunctions);

/** Sends trials side by side, and judges their answers in order. */
async function sendAll(run: Run, trials: readonly PlacedTrial[]): Promise<void> {
  for (let at = 0; at < trials.length && !isOver(run); at += TOGETHER) {
    const together = trials.slice(at, at + TOGETHER);
    // The second request of a trial has the form of the first one, and finds its plan.
    const firsts = await sendEach(run, together, ([first]) => (first === undefined ? [] : [first]));
    const others = await sendEach(run, together, ([, ...rest]) => rest);
    for (const [index, placed] of together.entries()) {
      const shown = placed.trial.shows([...(firsts[index] ?? []), ...(others[index] ?? [])]);
      if (shown === null) continue;
      const looks = await sendTo(run, placed, shown.looks ?? []);
      if (looks.every(isEmptyPage)) note(run, placed.caller, shown, shown.detail);
    }
  }
}

const sendEach = (
  run: Run,
  trials: readonly PlacedTrial[],
  chosen: (requests: Trial['requests']) => Trial['requests'],
): Promise<readonly (readonly CheckAnswer[])[]> =>
  Promise.all(trials.map((placed) => sendTo(run, placed, chosen(placed.trial.requests))));

async function sendTo(
  run: Run,
  { caller, before }: PlacedTrial,
  requests: readonly ShownRequest[],
): Promise<readonly CheckAnswer[]> {
  run.requests += requests.length;
  run.byRole.set(caller.role, (run.byRole.get(caller.role) ?? 0) + requests.length);
  return await Promise.all(requests.map((request) => run.send(caller, request, before)));
}

const SAMPLE = 20;

/** A check must not wait for locks of a service, nor hold it up with long statements. */
const LIMITS = `set local lock_timeout = '500ms'; set local statement_timeout = '5s'`;

/** Runs steps, the first error ends them, and goes back to the savepoint `probe`. All are sent at once. */
async function attempt(session: Session, steps: readonly Step[]): Promise<readonly ProbeOutcome[]> {
  if (steps.length === 0) return [];
  const sent = steps.map(({ text, values }) => session.query(text, values).then(outcomeOf, failed));
  const [outcomes] = await Promise.all([Promise.all(sent), session.script('rollback to savepoint probe')]);
  const end = outcomes.findIndex(({ error }) => error !== null);
  return end < 0 ? outcomes : outcomes.slice(0, end + 1);
}

const outcomeOf = (rows: ProbeOutcome['rows']): ProbeOutcome => ({ rows, error: null });

function failed(error: unknown): ProbeOutcome {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') throw error;
  return { rows: [], error: { code: error.code, message: error.message } };
}

/** The error that ended steps; null if all of them ran. */
const failureOf = (outcomes: readonly ProbeOutcome[]): string | null =>
  outcomes.at(-1)?.error?.message ?? null;

/**
 * Reads rows of tables with the rights of their owner. No code of users runs: views are left out, and tables whose plans call
 * functions of users; values are written by the output functions of their types, since a cast may be a function of a user.
 * @param session with the savepoint `probe`, an empty search path, and row_security off
 * @param notes gets the tables whose rows cannot be read
 */
async function readSubjects(
  session: Session,
  tables: readonly Table[],
  rules: readonly OwnerRule[],
  notes: Set<string>,
): Promise<ReadonlyMap<number, Subject>> {
  const byOid = new Map(tables.map((table) => [table.oid, table]));
  const subjects = new Map<number, Subject>();
  for (const table of tables) {
    const ruled = rules
      .filter((rule) => rule.table === nameOf(table))
      .map((rule) => ({ ...rule, isRule: true }));
    const derived = [table.oid, ...table.reads].flatMap((oid) => ownersOf(byOid.get(oid) ?? table));
    const owners = [...ruled, ...derived.map((owner) => ({ ...owner, isRule: false }))]
      .filter(({ column }, index, all) => all.findIndex((each) => each.column === column) === index)
      .filter(({ column }) => columnNamed(table, column) !== undefined);
    const names = owners.map(({ column }) => column);
    const read = isTable(table) ? await readRows(session, table, names) : NO_ROWS;
    if (typeof read === 'string') notes.add(`${nameOf(table)}: its rows cannot be read: ${read}`);
    subjects.set(table.oid, { table, owners, planted: null, ...(typeof read === 'string' ? NO_ROWS : read) });
  }
  return subjects;
}

type Rows = Pick<Subject, 'rows' | 'ownerValues' | 'indexCosts'>;
const NO_ROWS: Rows = { rows: [], ownerValues: [], indexCosts: [] };

/** The columns as text: strings to 1,000 characters, without the blanks that pad them, and no other large values. */
const texts = (table: Table, columns: readonly string[]): Sql =>
  joinSql(
    columns.map((column) => {
      const name = quoteIdentifier(column);
      const { category = '', type = '' } = columnNamed(table, column) ?? {};
      if (type.startsWith('character(')) return sql`left(rtrim(${name}::text), 1000) as ${name}`;
      return category === 'S'
        ? sql`case when ${name} is not null then left(format('%s', ${name}), 1000) end as ${name}`
        : sql`case when pg_column_size(${name}) < 8192 then format('%s', ${name}) end as ${name}`;
    }),
    ', ',
  );

/** @returns what prevents it, where it cannot be done */
async function readRows(session: Session, table: Table, owners: readonly string[]): Promise<Rows | string> {
  const [code] = table.readCode;
  if (code !== undefined) return `an index or a column calls the ${code}`;
  const from = table.kind === 'p' ? sql`from ${tableSql(table)}` : sql`from only ${tableSql(table)}`;
  const order =
    table.key.length === 0 ? sql`` : sql`order by ${joinSql(table.key.map(quoteIdentifier), ', ')}`;
  const names = table.columns.map(({ name }) => name);
  const outcomes = await attempt(session, [
    step(sql`select ${texts(table, names)} ${from} ${order} limit ${SAMPLE}`),
    step(sql`select ${texts(table, owners)} ${from} limit ${MANY_ROWS + 1}`),
  ]);
  const failure = failureOf(outcomes);
  if (failure !== null) return failure;
  // The queries make texts.
  const [rows = [], ownerValues = []] = outcomes.map((outcome) => outcome.rows as readonly RowTexts[]);
  const indexCosts: Rows['indexCosts'][number][] = [];
  for (const column of ownerValues.length > MANY_ROWS ? table.indexed : []) {
    const value = rows.map((row) => row[column]).find((each) => typeof each === 'string') ?? null;
    const [plan] = value === null ? [] : await attempt(session, [explainEqual(table, column, value)]);
    const { text = '', cost = 0 } = planOf(plan) ?? {};
    if (value !== null && /"Node Type":"[^"]*Index/.test(text)) indexCosts.push({ column, value, cost });
  }
  return { rows, ownerValues, indexCosts };
}
