/** The report of a check: for people, and as SARIF 2.1.0. */
import { version } from '../base/package.js';
import type { Judged } from '../lint/accepted.js';
import type { Level } from '../lint/rule.js';
import type { CheckFinding } from './finding.js';
import { CHECK_RULES } from './rules.js';
import type { CheckReport } from './run-check.js';

export type JudgedCheck = Omit<CheckReport, 'findings'> & Judged<CheckFinding>;

const count = (number: number, one: string): string => `${String(number)} ${one}${number === 1 ? '' : 's'}`;

export function renderCheck(report: JudgedCheck): string {
  const { findings, accepted, unmatched, skipped, isCut, tables, callers, requests } = report;
  const blocks = findings.map(
    ({ rule, level, object, message, cure, caller, curl }) =>
      `${level.padEnd(7)}  ${rule}  ${object}\n         ${message}\n         as ${caller}\n         ${curl}\n         cure: ${cure}\n`,
  );
  return [
    ...blocks,
    ...skipped.map((line) => `not checked: ${line}`),
    ...unmatched.map((line) => `accepted, and not found: ${line}`),
    ...(isCut ? ['the limit of time or requests ended the check before its end'] : []),
    `${findings.length === 0 ? 'no findings' : count(findings.length, 'finding')}, ${String(accepted.length)} accepted: ` +
      `${count(requests, 'request')} of ${count(callers, 'caller')} to ${count(tables, 'table')}`,
  ].join('\n');
}

/** SARIF 2.1.0, 3.27.10: the levels of results. */
const LEVELS: Readonly<Record<Level, string>> = { error: 'error', warning: 'warning', info: 'note' };

/** Objects of a database are logical locations (SARIF 2.1.0, 3.33). Accepted findings are results with a suppression. */
export function sarifOf({ findings, accepted }: JudgedCheck): string {
  const names = Object.keys(CHECK_RULES);
  const resultOf = ({ rule, level, object, message, caller, curl }: CheckFinding) => ({
    ruleId: rule,
    ruleIndex: names.indexOf(rule),
    level: LEVELS[level],
    message: { text: `${object}: ${message} Caller ${caller}. Request: ${curl}` },
    locations: [{ logicalLocations: [{ fullyQualifiedName: object }] }],
    partialFingerprints: { 'ruleAndObject/v1': `${rule} ${object}` },
  });
  const rules = Object.entries(CHECK_RULES).map(([id, { level, meaning, cure }]) => ({
    id,
    shortDescription: { text: meaning },
    help: { text: `Cure: ${cure}.` },
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
