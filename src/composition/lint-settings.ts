/** `dbr lint` with the settings of file, environment and database. */
import { hasLevel, lintDatabase, renderFindings, type LintScope } from '../lint/lint.js';
import { ESTIMATES_UNDER_POLICIES } from '../lint/relation-rules.js';
import type { Level } from '../lint/rule.js';
import { withSession } from '../postgres/session.js';
import type { Sources } from '../settings/load.js';
import type { Settings } from '../settings/settings.js';
import { openInspected, settingsInDatabase } from './inspected-database.js';

export interface LintOptions {
  readonly format: 'text' | 'json';
  /** The least level that fails; null never fails. */
  readonly failOn: Level | null;
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

/** @returns the text to print and the exit code. @throws why the database cannot be inspected */
export async function lintSettings(
  sources: Sources,
  { format, failOn, off }: LintOptions,
): Promise<{ readonly text: string; readonly code: 0 | 1 }> {
  const { addresses, settings: given } = await openInspected(sources);
  try {
    const settings = await settingsInDatabase(addresses.data, given);
    const schemas = settings['db-schemas'];
    const findings = await withSession(addresses.data, (session) =>
      lintDatabase(session, lintScope(settings, off)),
    );
    const text =
      format === 'json' ? JSON.stringify({ schemas, findings }, null, 2) : renderFindings(findings);
    return { text, code: failOn !== null && hasLevel(findings, failOn) ? 1 : 0 };
  } finally {
    await addresses.stop();
  }
}
