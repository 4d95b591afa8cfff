/** `dbr test`: the tests of policies of a project, with the settings of file, environment and database. */
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { utf8Text } from '../base/bytes.js';
import { PolicyTestError, readPolicyTests } from '../policy-tests/read-tests.js';
import { countWrong, renderReport, type FileVerdicts, type ReportFormat } from '../policy-tests/report.js';
import { runPolicyTests } from '../policy-tests/run-tests.js';
import { withSession } from '../postgres/session.js';
import { quoteDotted } from '../postgres/sql.js';
import type { Sources } from '../settings/load.js';
import type { Settings } from '../settings/settings.js';
import { withInspected } from './inspected-database.js';

interface PolicyTestOptions {
  /** Files, and folders of files `*.policies`. */
  readonly paths: readonly string[];
  readonly format: ReportFormat;
}

/**
 * @returns the report and the exit code
 * @throws PolicyTestError before anything runs; Error where there is no test or no database
 */
export async function testPolicies(
  sources: Sources,
  { paths, format }: PolicyTestOptions,
): Promise<{ readonly text: string; readonly code: 0 | 1 }> {
  const files = (await Promise.all(paths.map(filesOf))).flat();
  if (files.length === 0) throw new Error(`there are no files *.policies in ${paths.join(', ')}`);
  const tests = await Promise.all(
    files.map(async (file) => ({ file, steps: readPolicyTests(file, await textOf(file)) })),
  );
  return withInspected(sources, async ({ migrate }, settings) => {
    const results = await withSession(migrate, async (session) => {
      const judged: FileVerdicts[] = [];
      for (const { file, steps } of tests)
        judged.push({ file, verdicts: await runPolicyTests(session, steps, requestSettings(settings)) });
      return judged;
    });
    const wrong = countWrong(results.flatMap(({ verdicts }) => verdicts));
    return { text: renderReport(results, format), code: wrong === 0 ? 0 : 1 };
  });
}

async function filesOf(path: string): Promise<readonly string[]> {
  if (!existsSync(path)) throw new Error(`there is no ${path}: \`dbr init\` makes a project`);
  if (!(await stat(path)).isDirectory()) return [path];
  const names = (await readdir(path)).filter((name) => name.endsWith('.policies')).sort();
  return names.map((name) => join(path, name));
}

async function textOf(file: string): Promise<string> {
  const text = utf8Text(await readFile(file));
  if (text === null) throw new PolicyTestError(`${file} is not text in UTF-8`);
  return text;
}

function requestSettings(settings: Settings) {
  const [schema = 'public'] = settings['db-schemas'];
  const name = settings['db-pre-request'];
  return {
    searchPath: [schema, ...settings['db-extra-search-path']],
    preRequest: name === null ? null : quoteDotted(name),
  };
}
