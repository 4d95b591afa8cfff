/** What a check finds, with the request that shows it; the report for people, and as SARIF 2.1.0. */
import { frame } from '../frame.js';
import { LEVELS as GRAVITY, quoteShell, version } from '../../../../src/face.js';
import type { Judged } from '../lint/accepted.js';
import type { Finding, Level } from '../lint/rule.js';
import { bodyOf, headersOf, type CheckedCaller, type Probe, type ShownRequest } from './probe.js';
import { CHECK_RULES, type CheckRuleName } from './rules.js';

/** A finding of `dbr check`. */
export interface CheckFinding extends Finding {
  readonly rule: CheckRuleName;
  /** The first caller for whom it was found: name, role and claims. */
  readonly caller: string;
  /** The request that shows it, for a shell in which TOKEN is the token of the caller. */
  readonly curl: string;
}

export interface CheckReport {
  readonly findings: readonly CheckFinding[];
  readonly tables: number;
  readonly callers: number;
  /** Statements and requests. */
  readonly requests: number;
  /** Requests of the data API by role. */
  readonly requestsByRole: Readonly<Record<string, number>>;
  /** What was not checked, and why. */
  readonly skipped: readonly string[];
  /** What no request could show a fault of. */
  readonly unjudged: readonly string[];
  /** Whether time or requests ended before the check did. */
  readonly isCut: boolean;
  /** The limit that ended the check, and what was left out; null for none. */
  readonly cut: string | null;
}

/** @param base address of the data API. A request for an anonymous caller has no token. */
export function curlOf(base: string, { claims }: CheckedCaller, request: ShownRequest): string {
  const { method, path } = request;
  const body = bodyOf(request);
  return [
    method === 'GET' ? 'curl' : `curl -X ${method}`,
    quoteShell(`${base}/${path}`),
    ...(claims === null ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...Object.entries(headersOf(request)).map(([name, value]) => `-H ${quoteShell(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoteShell(body)}`]),
  ].join(' ');
}

/** @param detail a sentence about this finding; empty for none */
export function findingOf(
  base: string,
  caller: CheckedCaller,
  { rule, object, request }: Pick<Probe, 'rule' | 'object' | 'request'>,
  detail: string,
): CheckFinding {
  const [level, meaning, cure] = CHECK_RULES[rule];
  const claims = caller.claims === null ? 'no token' : `claims ${caller.claims}`;
  return {
    ...{ rule, level, object, cure, message: `${meaning} ${detail}`.trimEnd() },
    caller: `${caller.name}: role ${caller.role}, ${claims}`,
    curl: curlOf(base, caller, request),
  };
}

type JudgedCheck = Omit<CheckReport, 'findings'> & Judged<CheckFinding>;

export function renderCheck(report: JudgedCheck): string {
  const { findings, accepted, unmatched, skipped, unjudged, cut, tables, callers, requests } = report;
  const graveFirst = findings.toSorted(
    (one, other) => GRAVITY.indexOf(one.level) - GRAVITY.indexOf(other.level),
  );
  const blocks = graveFirst.map(({ rule, level, object, message, cure, caller, curl }) =>
    frame({ level, title: `${rule}  ${object}`, lines: [message, `as ${caller}`, curl], cure }),
  );
  return [
    ...blocks,
    ...skipped.map((line) => `not checked: ${line}`),
    ...unjudged.map((line) => `not judged: ${line}`),
    ...(cut === null ? [] : [cut]),
    ...unmatched.map((line) => `accepted, and not found: ${line}`),
    `findings: ${String(findings.length)}, accepted: ${String(accepted.length)}, requests: ${String(requests)}, callers: ${String(callers)}, tables: ${String(tables)}`,
  ].join('\n');
}

/** SARIF 2.1.0, 3.27.10: the levels of results. */
const LEVELS: Readonly<Record<Level, string>> = { error: 'error', warning: 'warning', info: 'note' };

/** Objects of a database are logical locations (SARIF 2.1.0, 3.33). Accepted findings are results with a suppression. */
export function sarifOf({ findings, accepted }: JudgedCheck): string {
  const names = Object.keys(CHECK_RULES);
  const resultOf = ({ rule, level, object, message, caller, curl }: CheckFinding) => ({
    ...{ ruleId: rule, ruleIndex: names.indexOf(rule), level: LEVELS[level] },
    message: { text: `${object}: ${message} CheckedCaller ${caller}. Request: ${curl}` },
    locations: [{ logicalLocations: [{ fullyQualifiedName: object }] }],
    partialFingerprints: { 'ruleAndObject/v1': `${rule} ${object}` },
  });
  const rules = Object.entries(CHECK_RULES).map(([id, [level, meaning, cure]]) => ({
    ...{ id, shortDescription: { text: meaning }, help: { text: `Cure: ${cure}.` } },
    defaultConfiguration: { level: LEVELS[level] },
  }));
  const suppressions = [{ kind: 'external', status: 'accepted' }];
  const results = [
    ...findings.map(resultOf),
    ...accepted.map((each) => ({ ...resultOf(each), suppressions })),
  ];
  const tool = { driver: { name: 'dbr check', version: version(), rules } };
  const $schema = 'https://json.schemastore.org/sarif-2.1.0.json';
  return JSON.stringify({ $schema, version: '2.1.0', runs: [{ tool, results }] }, null, 2);
}
