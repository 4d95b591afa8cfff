/** `dbr lint` with the settings of file, environment and database. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ACCEPTED_FILE, InputError, makeFolders, type Sources, withSession } from '../../../../src/face.js';
import { acceptedLines, judge } from './accepted.js';
import { draftName, fixDraft, hasLevel, lintDatabase, lintScope, renderJudged } from './lint.js';
import type { Finding, Level } from './rule.js';
import { RULES } from './rules.js';
import { withInspected } from '../inspected-database.js';

interface LintOptions {
  readonly format: 'text' | 'json';
  /** The least level that fails; null never fails. */
  readonly failOn: Level | null;
  readonly off: ReadonlySet<string>;
  /** The file of accepted findings; without it, that of the project if it exists. */
  readonly accepted: string | undefined;
  /** The folder to which a draft of a migration with the cures is written; null for none. */
  readonly fix: string | null;
}

/** @returns the text to print and the exit code. @throws InputError, and why the database cannot be inspected */
export async function lintSettings(
  sources: Sources,
  { format, failOn, off, accepted, fix }: LintOptions,
): Promise<{ readonly text: string; readonly code: 0 | 1 }> {
  requireRules(off);
  return withInspected(sources, async ({ data }, settings) => {
    const schemas = settings['db-schemas'];
    const linted = await withSession(data, (session) => lintDatabase(session, lintScope(settings, off)));
    const byFile = judge(linted.findings, acceptedLines(contentOf(accepted)));
    const judged = { ...byFile, accepted: [...linted.accepted, ...byFile.accepted] };
    const { findings } = judged;
    const written = fix === null || findings.length === 0 ? null : await writeFix(fix, findings);
    const text =
      format === 'json'
        ? JSON.stringify({ schemas, ...judged, written }, null, 2)
        : [
            renderJudged(judged),
            ...(written === null ? [] : [`wrote ${written}, a draft: without .draft it is a migration`]),
          ].join('\n');
    return { text, code: failOn !== null && hasLevel(findings, failOn) ? 1 : 0 };
  });
}

/** @throws InputError for names that no rule has */
function requireRules(names: ReadonlySet<string>): void {
  const unknown = [...names].filter((name) => !RULES.some((rule) => rule.name === name));
  if (unknown.length > 0) throw new InputError(`unknown rule ${unknown.join(', ')}: see dbr lint --rules`);
}

/** @throws the error of the system for a file that is named and cannot be read */
const contentOf = (file: string | undefined): string =>
  file === undefined && !existsSync(ACCEPTED_FILE) ? '' : readFileSync(file ?? ACCEPTED_FILE, 'utf8');

async function writeFix(folder: string, findings: readonly Finding[]): Promise<string> {
  await makeFolders(folder);
  const path = join(folder, draftName(readdirSync(folder), 'lint'));
  writeFileSync(path, fixDraft(findings), { flag: 'wx' });
  return path;
}
