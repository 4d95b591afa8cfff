/** Runs a check: all statements of a caller in one transaction, each probe after a savepoint, and nothing is committed. */
import { performance } from 'node:perf_hooks';
import type { Session } from '../postgres/session.js';
import { catalogueSql, quoteIdentifier, quoteLiteral, sql, type Sql } from '../postgres/sql.js';
import { claimValue, generateCallers, inventedRow } from './callers.js';
import { readCatalogue, type Catalogue, type Definer } from './catalogue.js';
import { calledRows, callsOf, hasOtherOwner, passesPolicy } from './definer-probes.js';
import type { OwnerRule } from './owners.js';
import {
  errorOf,
  isTable,
  lookUp,
  nameOf,
  rowsOf,
  type Caller,
  type Outcome,
  type OwnValue,
  type Probe,
  type Setting,
  type Step,
  type Subject,
} from './probe.js';
import { readProbes } from './read-probes.js';
import { findingOf, type CheckFinding } from './finding.js';
import { LIMITS, attempt, readSubjects } from './sample.js';
import { canInsert, insertOf, ownValues, writeProbes } from './write-probes.js';

export interface CheckScope {
  readonly schemas: readonly string[];
  readonly searchPath: readonly string[];
  readonly anonymousRole: string | null;
  /** Callers of a file; empty generates them. */
  readonly callers: readonly Caller[];
  readonly rules: readonly OwnerRule[];
  /** `db-estimates-under-policies`. */
  readonly estimates: boolean;
  /** Quoted `db-pre-request`; null for none. */
  readonly preRequest: Sql | null;
  readonly callFunctions: boolean;
  readonly seconds: number;
  readonly requests: number;
  readonly seed: number;
  /** Address of the data API for the requests that are shown. */
  readonly address: string;
}

export interface CheckReport {
  readonly findings: readonly CheckFinding[];
  readonly tables: number;
  readonly callers: number;
  readonly requests: number;
  /** What was not checked, and why. */
  readonly skipped: readonly string[];
  /** Whether time or requests ended before the check did. */
  readonly isCut: boolean;
}

interface Run {
  readonly session: Session;
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
  requests: number;
}

/**
 * @param owner session of a role that sees all rows; it reads tables, and runs no code of users
 * @param session of the authenticator, which runs the rest as requests do
 */
export async function checkDatabase(
  owner: Session,
  session: Session,
  scope: CheckScope,
): Promise<CheckReport> {
  const end = performance.now() + scope.seconds * 1000;
  await session.script(`begin read only; ${LIMITS}; set local search_path = ''`);
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
    const generated = (): readonly Caller[] =>
      generateCallers(catalogue.roles, scope.anonymousRole, [...subjects.values()], scope.seed);
    const callers = scope.callers.length > 0 ? scope.callers : generated();
    const run: Run = {
      ...{ session, scope, subjects, skipped, end, definers: catalogue.definers },
      roles: [...new Set(callers.map(({ role }) => role))],
      snapshot: String(exported?.['name']),
      ...{ found: new Map(), refuted: new Set(), requests: 0 },
    };
    await plantRows(run, callers);
    for (const caller of callers) await checkCaller(run, caller);
    return reportOf(run, catalogue, callers.length);
  } finally {
    await owner.script('rollback');
  }
}

function reportOf(run: Run, { tables }: Catalogue, callers: number): CheckReport {
  const isCut = isOver(run);
  const findings = [...run.found]
    .filter(([key, { isForAll }]) => !isForAll || (!isCut && !run.refuted.has(key)))
    .sort(([left], [right]) => left.localeCompare(right))
    .map(([, { finding }]) => finding);
  const skipped = [...run.skipped].sort();
  return {
    findings,
    tables: tables.filter(({ isExposed }) => isExposed).length,
    callers,
    requests: run.requests,
    skipped,
    isCut,
  };
}

const isOver = ({ end, requests, scope }: Run): boolean =>
  performance.now() >= end || requests >= scope.requests;

function record(run: Run, caller: Caller, probe: Probe, shown: boolean | string): void {
  const key = `${probe.rule} ${probe.object}`;
  if (shown === false) run.refuted.add(key);
  else if (!run.found.has(key)) {
    const finding = findingOf(run.scope.address, caller, probe, shown === true ? '' : shown);
    run.found.set(key, { finding, isForAll: probe.isForAll === true });
  }
}

async function ask(run: Run, steps: readonly Step[]): Promise<readonly Outcome[]> {
  run.requests += steps.length;
  return await attempt(run.session, steps);
}

async function askAll(run: Run, { subject, caller }: Setting, probes: readonly Probe[]): Promise<void> {
  const before = subject.planted === null ? [] : [...subject.planted, ...become(run, caller)];
  for (const probe of probes) {
    if (isOver(run)) return;
    const outcomes = await ask(run, [...before, ...probe.steps]);
    const isPlanted = outcomes.slice(0, before.length).every(({ kind }) => kind === 'rows');
    if (isPlanted) record(run, caller, probe, probe.shows(outcomes.slice(before.length)));
  }
}

/** Sets role, claims and search path as for a request. */
function become({ scope }: Run, { role, claims }: Caller): readonly Step[] {
  const path = [scope.schemas[0] ?? 'public', ...scope.searchPath].map(quoteIdentifier).join(', ');
  const text = sql`select set_config('search_path', $1, true), set_config('request.jwt.claims', $2, true), set_config('request.headers', '{}', true), set_config('role', $3, true)`;
  return [
    { text, values: [path, claims ?? JSON.stringify({ role }), role] },
    ...(scope.preRequest === null ? [] : [{ text: sql`select ${scope.preRequest}()`, values: [] }]),
  ];
}

/** A transaction of a caller, which is rolled back. It sees the rows that the owner saw. */
async function asCaller(
  run: Run,
  caller: Caller,
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
    const steps = become(run, caller);
    const failed = (await attempt(session, steps)).find((outcome) => outcome.kind === 'error');
    if (failed === undefined) {
      for (const { text, values } of steps) await session.query(text, values);
      await session.script('savepoint probe');
      await work();
    } else skipped.add(`caller ${caller.name}: ${failed.kind === 'error' ? failed.message : ''}`);
  } finally {
    await session.script('rollback');
  }
}

/** The table for a caller, with its own values of the owner columns as policies compute them. */
async function settingOf(
  { session, subjects, roles, scope }: Run,
  subject: Subject,
  caller: Caller,
): Promise<Setting> {
  const own: OwnValue[] = [];
  for (const { column, expression, claim, isRule } of subject.owners)
    if (expression === null) own.push({ column, isRule, value: claimValue(caller, claim) });
    else {
      const text = sql`select (${catalogueSql(expression)})::text as value`;
      const [outcome] = await attempt(session, [{ text, values: [] }]);
      const value = outcome?.kind === 'rows' ? outcome.rows[0]?.['value'] : undefined;
      if (value === null || typeof value === 'string') own.push({ column, isRule, value });
    }
  return { subject, caller, own, subjects, roles, anonymousRole: scope.anonymousRole, seed: scope.seed };
}

const exposedOf = ({ subjects }: Run): readonly Subject[] =>
  [...subjects.values()].filter(({ table }) => table.isExposed);

/** Finds for each table without rows a caller that may insert one of its own: other callers are asked about this row. */
async function plantRows(run: Run, callers: readonly Caller[]): Promise<void> {
  const { subjects, scope, skipped } = run;
  const empty = (): readonly Subject[] =>
    exposedOf(run).filter(
      ({ table, rows }) =>
        isTable(table) && rows.length === 0 && table.grants.some(({ select }) => select.length > 0),
    );
  const codeOf = ({ table }: Subject): string | undefined =>
    scope.callFunctions ? undefined : table.writeCode[0];
  for (let before = Infinity; empty().length < before;) {
    before = empty().length;
    for (const caller of callers)
      if (empty().some((subject) => codeOf(subject) === undefined))
        await asCaller(run, caller, 'read write', async () => {
          for (const subject of empty())
            if (codeOf(subject) === undefined) await plantRow(run, subject, caller);
        });
  }
  for (const subject of empty()) {
    const code = codeOf(subject);
    const why = code === undefined ? 'no caller could insert one' : `an insert would run the ${code}`;
    skipped.add(`${nameOf(subject.table)}: no row of it is known, and ${why}`);
  }
  for (const subject of subjects.values()) {
    const behind = subject.table.reads.flatMap((oid) => subjects.get(oid)?.planted ?? []);
    if (behind.length > 0) subjects.set(subject.table.oid, { ...subject, planted: [...new Set(behind)] });
  }
}

async function plantRow(run: Run, subject: Subject, caller: Caller): Promise<void> {
  const { table } = subject;
  const setting = await settingOf(run, subject, caller);
  if (isOver(run) || !canInsert(setting) || setting.own.some(({ value }) => value === null)) return;
  const parents = table.foreignKeys.map((key) => ({ ...key, parent: run.subjects.get(key.table) }));
  const referred = parents.flatMap(({ columns, keys, parent }) =>
    columns.map((column, index) => [column, parent?.rows[0]?.[keys[index] ?? ''] ?? null] as const),
  );
  const row = {
    ...inventedRow(table.columns, run.scope.seed),
    ...Object.fromEntries(referred),
    ...ownValues(setting),
  };
  const before = new Set(parents.flatMap(({ parent }) => parent?.planted ?? []));
  const steps = [...before, ...become(run, caller), insertOf(setting, row).step];
  if (rowsOf((await ask(run, steps))[steps.length - 1]) === 1)
    run.subjects.set(table.oid, { ...subject, rows: [row], ownerValues: [row], planted: steps });
}

async function checkCaller(run: Run, caller: Caller): Promise<void> {
  const { estimates, callFunctions } = run.scope;
  const settings: Setting[] = [];
  await asCaller(run, caller, 'read only', async () => {
    for (const subject of exposedOf(run)) {
      if (isOver(run)) return;
      const setting = await settingOf(run, subject, caller);
      settings.push(setting);
      if (subject.planted === null) await askAll(run, setting, readProbes(setting, estimates));
    }
    await callDefiners(run, caller, settings, false);
  });
  if (settings.length === 0) return;
  await asCaller(run, caller, 'read write', async () => {
    for (const setting of settings) {
      const { table, planted } = setting.subject;
      if (planted !== null) await askAll(run, setting, readProbes(setting, estimates));
      const [code] = table.writeCode;
      const probes = writeProbes(setting);
      if (code === undefined || callFunctions) await askAll(run, setting, probes);
      else if (probes.length > 0) run.skipped.add(`${nameOf(table)}: writes would run the ${code}`);
    }
    if (callFunctions) await callDefiners(run, caller, settings, true);
  });
}

async function callDefiners(
  run: Run,
  caller: Caller,
  settings: readonly Setting[],
  isVolatile: boolean,
): Promise<void> {
  for (const definer of run.definers.filter(({ roles }) => roles.includes(caller.role)))
    if (definer.isVolatile === isVolatile) await callDefiner(run, caller, definer, settings);
    else if (!run.scope.callFunctions && definer.isVolatile)
      run.skipped.add(`${nameOf(definer)}: it is a volatile function`);
}

async function callDefiner(
  run: Run,
  caller: Caller,
  definer: Definer,
  settings: readonly Setting[],
): Promise<void> {
  const table = definer.returns === null ? undefined : run.subjects.get(definer.returns)?.table;
  const own = settings.flatMap((setting) => setting.own);
  for (const call of callsOf(definer, [...run.subjects.values()])) {
    if (isOver(run)) return;
    const [called] = await ask(run, [call]);
    for (const row of calledRows(called)) {
      const canLookUp =
        table?.hasRowSecurity === true &&
        table.key.length > 0 &&
        table.key.every((key) => typeof row[key] === 'string');
      const [seen] = canLookUp ? await ask(run, [lookUp(table, table.key, row)]) : [];
      const passes = canLookUp
        ? rowsOf(seen) === 0 || errorOf(seen) === '42501'
        : definer.returns === null && hasOtherOwner(row, own);
      if (!passes) continue;
      record(run, caller, passesPolicy(definer, caller.role, call.request), true);
      return;
    }
  }
}
