/** `dbr lint` with the settings of file, environment and database. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolders } from '../base/make-folders.js';
import { acceptedLines, judge } from '../lint/accepted.js';
import { draftName, fixDraft, hasLevel, lintDatabase, renderJudged, type LintScope } from '../lint/lint.js';
import { ESTIMATES_UNDER_POLICIES } from '../lint/relation-rules.js';
import type { Finding, Level } from '../lint/rule.js';
import { ACCEPTED_FILE } from '../project/files.js';
import { withSession } from '../postgres/session.js';
import type { Sources } from '../settings/load.js';
import type { Settings } from '../settings/settings.js';
import { withInspected } from './inspected-database.js';

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

/** @returns the text to print and the exit code. @throws why the database cannot be inspected */
export function lintSettings(
  sources: Sources,
  { format, failOn, off, accepted, fix }: LintOptions,
): Promise<{ readonly text: string; readonly code: 0 | 1 }> {
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

/** @throws the error of the system for a file that is named and cannot be read */
const contentOf = (file: string | undefined): string =>
  file === undefined && !existsSync(ACCEPTED_FILE) ? '' : readFileSync(file ?? ACCEPTED_FILE, 'utf8');

async function writeFix(folder: string, findings: readonly Finding[]): Promise<string> {
  await makeFolders(folder);
  const path = join(folder, draftName(readdirSync(folder), 'lint'));
  writeFileSync(path, fixDraft(findings), { flag: 'wx' });
  return path;
}
