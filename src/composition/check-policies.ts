/** `dbr check`: requests of many callers against the policies of a database, with the settings of file, environment and database. */
import { readFileSync } from 'node:fs';
import { readRules } from '../check/owners.js';
import { renderCheck, sarifOf } from '../check/report.js';
import { checkDatabase, type CheckScope } from '../check/run-check.js';
import { acceptedLines, judge } from '../lint/accepted.js';
import { hasLevel } from '../lint/lint.js';
import { readUsers } from '../policy-tests/read-tests.js';
import { withSession } from '../postgres/session.js';
import { quoteDotted } from '../postgres/sql.js';
import type { Sources } from '../settings/load.js';
import type { Settings } from '../settings/settings.js';
import { openInspected, settingsInDatabase } from './inspected-database.js';

export interface CheckOptions extends Pick<CheckScope, 'seconds' | 'requests' | 'seed' | 'callFunctions'> {
  readonly format: 'text' | 'json' | 'sarif';
  /** A file with lines `user NAME is ROLE with {claims}`, as tests of policies have; undefined generates users. */
  readonly users: string | undefined;
  /** A file with lines `SCHEMA.TABLE COLUMN = CLAIM`. */
  readonly rules: string | undefined;
  /** A file with lines `RULE OBJECT` of findings that are accepted. */
  readonly baseline: string | undefined;
}

/** @returns the report, and exit code 1 for an error or a warning. @throws Error where a file or the database cannot be read */
export async function checkPolicies(
  sources: Sources,
  options: CheckOptions,
): Promise<{ readonly text: string; readonly code: 0 | 1 }> {
  const { addresses, settings: given } = await openInspected(sources);
  try {
    const scope = scopeOf(await settingsInDatabase(addresses.data, given), options);
    const { findings, ...rest } = await withSession(addresses.migrate, (owner) =>
      withSession(addresses.data, (session) => checkDatabase(owner, session, scope)),
    );
    const { baseline, format } = options;
    const accepted = baseline === undefined ? [] : acceptedLines(readFileSync(baseline, 'utf8'));
    const report = { ...rest, ...judge(findings, accepted) };
    const text =
      format === 'json'
        ? JSON.stringify(report, null, 2)
        : format === 'sarif'
          ? sarifOf(report)
          : renderCheck(report);
    return { text, code: hasLevel(report.findings, 'warning') ? 1 : 0 };
  } finally {
    await addresses.stop();
  }
}

function scopeOf(settings: Settings, options: CheckOptions): CheckScope {
  const { users, rules } = options;
  const preRequest = settings['db-pre-request'];
  return {
    ...options,
    schemas: settings['db-schemas'],
    searchPath: settings['db-extra-search-path'],
    anonymousRole: settings['db-anon-role'],
    callers: users === undefined ? [] : readUsers(users, readFileSync(users, 'utf8')),
    rules: rules === undefined ? [] : readRules(rules, readFileSync(rules, 'utf8')),
    estimates: settings['db-estimates-under-policies'],
    preRequest: preRequest === null ? null : quoteDotted(preRequest),
    address: `http://localhost:${String(settings['server-port'])}`,
  };
}
