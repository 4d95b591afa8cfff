import { lintFromString, createConfig } from '@redocly/openapi-core';
import { expect } from 'chai';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { describeAsOpenApi } from '../../../src/data-api/document/openapi-document.js';
import type { Column, Table } from '../../../src/data-api/schema-cache/types.js';
import { packageRoot } from '../../../src/base/package.js';
import { checkClientProgram, checkProgram } from '../../support/data-api/client-program.js';
import { EVERYTHING } from '../../support/data-api/document-options.js';
import { FILM_CACHE } from '../../support/data-api/film-cache.js';

const COMPARED = `
  declare const body: Films0Insert;
  declare const changes: Films0Update;
  declare const row: Films0;
  const [id, title, year, code, length]: [number, string, number | null, string, number] = [
    row.id, row.title, row.year, row.code, row.length,
  ];
  export const used = [id, title, year, code, length, body, changes, row];
  export const inserted: Films0Insert = { code: 'x', year: null };
  export const changed: Films0Update = {};
  // @ts-expect-error an insert needs the code
  export const without: Films0Insert = { year: 1979 };
  // @ts-expect-error the code of a row is not null
  export const empty: Films0['code'] = null;
  // @ts-expect-error a row has all its columns
  export const part: Films0 = { id: 1, code: 'x', title: 'y' };
  // @ts-expect-error the type of a column
  export const typed: Films0Update = { year: '1979' };
  // @ts-expect-error a generated column
  export const made: Films0Update = { length: 1 };
  // @ts-expect-error no such column
  export const unknown: Films0Insert = { code: 'x', colour: 'red' };
`;

const CLIENT = `
import { createClient } from './client/client/index.js';
import { getFilms0, patchFilms0, postFilms0, postFilms1, putFilms0 } from './client/index.js';
import type { Films0, Films0Insert, Films0Update } from './client/index.js';
${COMPARED}
export async function use(client: ReturnType<typeof createClient>): Promise<readonly unknown[]> {
  const { data, error } = await getFilms0({ client, query: { year: 'gt.1990', order: 'id', limit: 2, offset: 1 } });
  const titles: readonly string[] = (data ?? []).map((film) => film.title);
  await postFilms0({ client, query: { on_conflict: 'code' }, body: [{ code: 'x' }, { code: 'y', year: 1 }] });
  await postFilms1({ client, body: {} });
  await putFilms0({ client, query: { id: 'eq.1' }, body: { id: 1, code: 'x' } });
  await patchFilms0({ client, query: { id: 'eq.1' }, body: { year: null } });
  // @ts-expect-error an insert needs the code
  await postFilms0({ client, body: [{}] });
  // @ts-expect-error one row
  await putFilms0({ client, body: [{ code: 'x' }] });
  // @ts-expect-error no such filter
  await getFilms0({ client, query: { colour: 'eq.red' } });
  return [titles, error?.code];
}
`;

const TYPES = `
import type { components, operations } from './types.js';
type Films0 = components['schemas']['films_0'];
type Films0Insert = components['schemas']['films_0.insert'];
type Films0Update = components['schemas']['films_0.update'];
type Read = operations['get_films_0']['responses']['2XX']['content']['application/json'];
export const titles = (rows: Read): readonly string[] => rows.map((film) => film.title);
${COMPARED}
`;

/** Least number of relations of a large schema. */
const LARGE = 1001;

/** The first two relations of a large schema: inserts of the first require a column. */
function firstOfLarge(): string {
  const films = FILM_CACHE.tables.get('api')?.get('films');
  const title = films?.columns.get('title');
  const year = films?.columns.get('year');
  if (films === undefined || title === undefined || year === undefined) throw new Error('there are no films');
  const code: Column = { ...title, name: 'code', default: null };
  const length: Column = { ...year, name: 'length', nullable: false, generated: true };
  const demanding: Table = {
    ...films,
    name: 'films_0',
    columns: new Map([...films.columns, ['code', code], ['length', length]]),
  };
  const others = Array.from({ length: LARGE - 1 }, (_, at) => ({
    ...films,
    name: `films_${String(at + 1)}`,
  }));
  const tables = new Map([demanding, ...others].map((table) => [table.name, table]));
  const pieces = describeAsOpenApi(
    { ...FILM_CACHE, tables: new Map([['api', tables]]), relationships: new Map(), functions: new Map() },
    { ...EVERYTHING, maxBatch: 100 },
  );
  const belongsToOthers = (name: string): boolean => /^\/?films_(?!0\b|1\b)/.test(name);
  return JSON.stringify(
    JSON.parse([...pieces].join(''), (name, value: unknown) => (belongsToOthers(name) ? undefined : value)),
  );
}

describe('the types of the description of more than 1,000 relations', function () {
  this.timeout(240_000);
  const folder = join(packageRoot(), 'test-artefacts', 'large-description');
  const description = firstOfLarge();
  after(() => rm(folder, { recursive: true, force: true }));

  it('are those of a small schema in the generated client', async () => {
    const { problems } = await checkClientProgram(folder, description, CLIENT);
    expect(problems).to.deep.equal([]);
  });

  it('are those of a small schema in the types of openapi-typescript', async () => {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'types.ts'), astToString(await openapiTS(description)));
    const file = join(folder, 'program.ts');
    await writeFile(file, TYPES);
    expect(checkProgram(file)).to.deep.equal([]);
  });

  it('follow the recommended rules of redocly, but for summaries', async () => {
    const problems = await lintFromString({
      source: description,
      absoluteRef: 'document.json',
      config: await createConfig({ extends: ['recommended'], rules: { 'operation-summary': 'off' } }),
    });
    expect(problems.map(({ ruleId, location }) => `${location[0]?.pointer ?? ''} ${ruleId}`)).to.deep.equal(
      [],
    );
  });
});
