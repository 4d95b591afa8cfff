/** `dbr lint`: runs the rules against a database, and renders what they find. */
import { LEVELS, READ_CATALOGUE, type Session, type Settings } from '../../../../src/face.js';
import { frame } from '../frame.js';
import type { Judged } from './accepted.js';
import { ACCEPTED_WITHOUT_FINDING, judgeComments } from './comments.js';
import { ESTIMATES_UNDER_POLICIES } from './relation-rules.js';
import type { AcceptedFinding, Finding, FindingRow, Level, Rule } from './rule.js';
import { RULES } from './rules.js';

interface LintScope {
  readonly schemas: readonly string[];
  readonly anonymousRole: string | null;
  /** Schemas of the search path that are not exposed. */
  readonly searchPath: readonly string[];
  /** Names of rules that do not run. */
  readonly off: ReadonlySet<string>;
}

/** @param off names of rules that do not run */
export const lintScope = (
  settings: Pick<
    Settings,
    'db-schemas' | 'db-anon-role' | 'db-extra-search-path' | 'db-estimates-under-policies'
  >,
  off: ReadonlySet<string>,
): LintScope => ({
  schemas: settings['db-schemas'],
  anonymousRole: settings['db-anon-role'],
  searchPath: settings['db-extra-search-path'],
  off: settings['db-estimates-under-policies'] ? off : new Set([...off, ESTIMATES_UNDER_POLICIES.name]),
});

interface Linted {
  readonly findings: readonly Finding[];
  /** Those that comments accept. */
  readonly accepted: readonly AcceptedFinding[];
}

/** Reads the catalogue in one read-only transaction. @param session of the authenticator */
export async function lintDatabase(session: Session, scope: LintScope): Promise<Linted> {
  await session.script(
    `begin isolation level repeatable read, read only; set local search_path = ''; ${READ_CATALOGUE}`,
  );
  const parameters = [[...scope.schemas], scope.anonymousRole, [...scope.searchPath]];
  const findings: Finding[] = [];
  for (const rule of RULES)
    if (!scope.off.has(rule.name) && rule !== ACCEPTED_WITHOUT_FINDING)
      for (const row of await session.query(rule.sql, parameters)) {
        const found = (rule.finding ?? rowOf)(row);
        if (found !== null) findings.push({ rule: rule.name, level: rule.level, ...found });
      }
  const comments = await session.query(ACCEPTED_WITHOUT_FINDING.sql, parameters);
  await session.script('commit');
  return judgeComments(findings, comments, scope.off);
}

const rowOf = ({ object, message, cure }: Readonly<Record<string, unknown>>): FindingRow => ({
  object: String(object),
  message: String(message),
  cure: String(cure),
});

/** Whether a finding is of the level or a graver one. */
export const hasLevel = (findings: readonly Finding[], least: Level): boolean =>
  findings.some(({ level }) => LEVELS.indexOf(level) <= LEVELS.indexOf(least));

/** The findings for people: rule, object, sentence, cure. */
export function renderFindings(findings: readonly Finding[]): string {
  const blocks = findings.map(({ rule, level, object, message, cure }) =>
    frame({ level, title: `${rule}  ${object}`, lines: [message], cure: `${cure};` }),
  );
  return `${blocks.join('\n')}${blocks.length === 0 ? '' : '\n'}${summaryOf(findings)}`;
}

/** The findings, and what the file of accepted findings did. */
export function renderJudged({ findings, accepted, unmatched }: Judged): string {
  return [
    renderFindings(findings),
    ...(accepted.length === 0 ? [] : [`${String(accepted.length)} accepted`]),
    ...unmatched.map((line) => `accepted, and not found: ${line}`),
  ].join('\n');
}

function summaryOf(findings: readonly Finding[]): string {
  if (findings.length === 0) return 'no findings';
  const counts = LEVELS.flatMap((level) => {
    const count = findings.filter((finding) => finding.level === level).length;
    return count === 0 ? [] : [`${String(count)} of level ${level}`];
  });
  return `${String(findings.length)} ${findings.length === 1 ? 'finding' : 'findings'}: ${counts.join(', ')}`;
}

/** The rules for people. */
export const renderRules = (rules: readonly Rule[] = RULES): string =>
  rules.map(({ name, level, meaning }) => `${level.padEnd(7)}  ${name}\n         ${meaning}`).join('\n');

/** The cures of findings as a draft of a migration, each below its finding. Those that need a decision are comments. */
export function fixDraft(findings: readonly Finding[]): string {
  const decisions = new Set(
    RULES.filter(({ needsDecision }) => needsDecision === true).map(({ name }) => name),
  );
  const blocks = findings.map(({ rule, object, message, cure }) => {
    const head = comment(`${rule}: ${object}\n${message}`);
    return decisions.has(rule)
      ? `${head}\n-- It needs a decision, or other rights than those of the owner:\n${comment(`${cure};`)}`
      : `${head}\n${cure};`;
  });
  return `-- A draft: cures of findings of dbr lint. Read each. It is a migration once its name ends in .sql.\n\n${blocks.join('\n\n')}\n`;
}

const comment = (text: string): string => text.replaceAll(/^/gm, '-- ');

const NUMBERED = /^(\d{4})_.*\.sql(?:\.draft)?$/;

/**
 * The name of a draft with the number of the next migration of a folder. `dbr migrate` and `dbr dev` leave it out until it
 * is renamed.
 * @param names of the files of the folder
 */
export function draftName(names: readonly string[], what: string): string {
  const numbers = names.map((name) => Number(NUMBERED.exec(name)?.[1] ?? 0));
  return `${String(Math.max(0, ...numbers) + 1).padStart(4, '0')}_${what}.sql.draft`;
}
