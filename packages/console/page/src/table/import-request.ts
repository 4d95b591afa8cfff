/** The request that imports the rows of a file, and what its answer says. */
import type { RelationDetail } from '../../../server/answers.js';
import { ApiError } from '../api.js';
import { profileOf } from '../data-request.js';
import { isJson } from '../fields/draft.js';
import { parseJson, type Json, type JsonRow } from '../json.js';
import { pathOf, quoted } from '../names.js';
import type { ApiRequest } from '../request.js';
import type { ImportedFile } from './import-file.js';

/** What happens to a row whose key exists. */
export type Resolution = 'refuse' | 'ignore-duplicates' | 'merge-duplicates';

/** The column of the table for each name of the file; null for one that is left out. */
export type Mapping = Readonly<Record<string, string | null>>;

/** Names that the table has are taken as they are, also in other cases of their letters. */
export function mappingOf({ columns }: RelationDetail, names: readonly string[]): Mapping {
  const writable = columns.filter(({ insert, generated }) => insert && !generated).map(({ name }) => name);
  return Object.fromEntries(
    names.map((name) => [
      name,
      writable.find((each) => each === name) ??
        writable.find((each) => each.toLowerCase() === name.trim().toLowerCase()) ??
        null,
    ]),
  );
}

const isWhole = (mapping: Mapping): boolean => Object.entries(mapping).every(([name, to]) => name === to);

/** The members of a row under the names of the table. JSON stands in CSV as its text. */
function mapped(row: JsonRow, mapping: Mapping, json: ReadonlySet<string>): JsonRow {
  const members = Object.entries(mapping).flatMap(([name, to]): readonly (readonly [string, Json])[] => {
    const value = row[name] ?? null;
    if (to === null) return [];
    return [[to, json.has(to) && typeof value === 'string' ? parseJson(value) : value]];
  });
  return Object.fromEntries(members);
}

/** A file of CSV with the names of the table is sent as it is; all else as lines of JSON. One transaction writes all rows. */
export function importRequest(
  relation: RelationDetail,
  schemas: readonly { readonly name: string }[],
  file: ImportedFile,
  mapping: Mapping,
  resolution: Resolution,
): ApiRequest {
  const prefer = ['return=minimal', ...(resolution === 'refuse' ? [] : [`resolution=${resolution}`])];
  const common = { method: 'POST', path: pathOf(relation.name), columns: relation.columns } as const;
  const profile = profileOf(relation.schema, schemas, 'POST');
  if (file.content !== null && isWhole(mapping))
    return {
      ...common,
      headers: {
        'Content-Type': 'text/csv; dialect=rfc4180',
        Prefer: ['stream', ...prefer].join(', '),
        ...profile,
      },
      file: { name: file.name, content: file.content },
    };
  const columns = Object.values(mapping).filter((name) => name !== null);
  const json = new Set(file.format === 'csv' ? relation.columns.filter(isJson).map(({ name }) => name) : []);
  const lines = file.rows.map((row) => `${JSON.stringify(mapped(row, mapping, json))}\n`);
  return {
    ...common,
    query: [['columns', columns.map(quoted).join(',')]],
    headers: { 'Content-Type': 'application/x-ndjson', Prefer: prefer.join(', '), ...profile },
    file: { name: `${relation.name}.ndjson`, content: new Blob(lines) },
  };
}

/** The row that the service has refused, from 0; null if it names none. */
export function refusedRow(error: unknown, request: ApiRequest): number | null {
  const line =
    error instanceof ApiError ? /Line (\d+) of the body/.exec(error.details ?? '')?.[1] : undefined;
  if (line === undefined) return null;
  // The first line of CSV has the names.
  return Number(line) - (request.headers?.['Content-Type'] === 'application/x-ndjson' ? 1 : 2);
}
