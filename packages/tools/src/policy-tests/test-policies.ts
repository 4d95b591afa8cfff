/** `dbr test`: the tests of policies of a project, with the settings of file, environment and database. */
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type CatalogueTransaction,
  contextSql,
  queryRoleSettings,
  quoteDotted,
  quoteIdentifier,
  type ReportFormat,
  type Settings,
  type Sources,
  utf8Text,
  withSession,
} from '../../../../src/face.js';
import { PolicyTestError, readPolicyTests, type Sentence } from './read-tests.js';
import { countWrong, renderReport, type FileVerdicts } from './report.js';
import { runPolicyTests } from './run-tests.js';
import { withInspected } from '../inspected-database.js';

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
  return withInspected(sources, async ({ data, migrate }, settings) => {
    const ofRequest = await requestSettings(data, settings);
    const results = await withSession(migrate, async (session) => {
      const judged: FileVerdicts[] = [];
      for (const { file, steps } of tests)
        judged.push({ file, verdicts: await runPolicyTests(session, steps, ofRequest) });
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

/** Settings of roles by role, as the login of the data API reads them. */
const readRoleSettings = (uri: string): ReturnType<typeof queryRoleSettings> =>
  withSession(uri, async (session) => {
    const [row] = await session.query(
      `select pg_catalog.current_setting('server_version_num')::integer as version`,
    );
    const transaction: CatalogueTransaction = {
      any: async ({ text, values }) =>
        (await session.query(text, values)).map(({ entry }) => ({ entry: String(entry) })),
    };
    return queryRoleSettings(transaction, Number(row?.['version']));
  });

async function requestSettings(uri: string, settings: Settings) {
  const [schema = 'public'] = settings['db-schemas'];
  const searchPath = [schema, ...settings['db-extra-search-path']].map(quoteIdentifier).join(', ');
  const roles = settings['db-config'] ? await readRoleSettings(uri) : null;
  const app = [...settings['app.settings']];
  const name = settings['db-pre-request'];
  return {
    searchPath,
    contextOf({ role, claims }: Sentence['user']) {
      const ofRole = roles?.get(role)?.settings ?? [];
      const [method, path, headers, cookies] = ['', '', '{}', '{}'];
      return {
        text: contextSql({ roleSettings: ofRole.length, moreSettings: app.length, readOnly: false }),
        values: [
          ...[searchPath, ...ofRole.flat(), role, claims],
          ...[method, path, headers, cookies, ...app.flat()],
        ],
      };
    },
    preRequest: name === null ? null : quoteDotted(name),
  };
}
