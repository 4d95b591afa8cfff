/** The calls of typed clients that the console and the reference page print compile under `strict`. */
import { expect } from 'chai';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { openApiFetchOf } from '../../page/src/commands.js';
import {
  countRequest,
  EMPTY_VIEW,
  exportRequest,
  keyOf,
  keyPairs,
  profileOf,
  readRequest,
  rowRequest,
} from '../../page/src/data-request.js';
import { valueOf } from '../../page/src/fields/draft.js';
import type { Json, JsonRow } from '../../page/src/json.js';
import { pathOf } from '../../page/src/names.js';
import type { ApiRequest } from '../../page/src/request.js';
import {
  jsonOf,
  mediaTypesOf,
  operationsOf,
  parametersOf,
  resolve,
  type Operation,
  type Parameter,
} from '../../../reference/src/description.js';
import { exampleOf } from '../../../reference/src/json-schema.js';
import { clientOf, keyOf as parameterKey, requestOf, sampleOf } from '../../../reference/src/outgoing.js';
import { packageRoot } from '../../../../src/base/package.js';
import type { ColumnDetail, RelationDetail } from '../../server/answers.js';
import { describeAsOpenApi } from '../../../../src/data-api/document/openapi-document.js';
import { checkProgram } from '../../../../test/support/data-api/client-program.js';
import { EVERYTHING } from '../../../../test/support/data-api/document-options.js';
import {
  ALL_ROLES,
  column,
  FILM_CACHE,
  grouped,
  parameter,
  routine,
  SCALAR,
  table,
  TABLES,
} from '../../../../test/support/data-api/film-cache.js';

/** Types of columns, and what one types into their fields. */
const TYPED: readonly (readonly [name: string, type: string, text: string])[] = [
  ['id', 'integer', '42'],
  ['small', 'smallint', '-1'],
  ['large', 'bigint', '900719925474099'],
  ['price', 'numeric', '2.5'],
  ['ratio', 'double precision', ' 0.125 '],
  ['on_sale', 'boolean', 'false'],
  ['title', 'text', '42'],
  ['tags', 'text[]', '["a","b"]'],
  ['sizes', 'integer[]', '[1,2]'],
  ['facts', 'jsonb', '{"a":[1,null]}'],
  ['made', 'timestamp with time zone', '2026-01-31'],
  ['cost', 'money', '12'],
  ['two words', 'text', 'x'],
  ['a-b', 'integer', '1'],
  ['a.b', 'integer', '1'],
  ['2nd', 'integer', '1'],
  ['select', 'text', 'x'],
  ['after', 'integer', '1'],
  ['gr"öße', 'integer', '1'],
];

const NAMES = ['stock', 'two words', 'a/b?c', 'größe', 'openapi.json'];

const DETAILS: readonly ColumnDetail[] = TYPED.map(([name, type]) => ({
  ...{ name, comment: null, type, baseType: type, nullable: true, hasDefault: false, generated: false },
  ...{ enumLabels: [], select: true, insert: true, update: true },
}));

const relationOf = (schema: string, name: string): RelationDetail => ({
  ...{ schema, name, kind: 'table', comment: null, rowSecurity: false, columns: DETAILS },
  privileges: { select: true, insert: true, update: true, delete: true },
  ...{ primaryKey: ['id', 'two words'], references: [], referencedBy: [], policies: [] },
});

const SCHEMAS = [{ name: 'web' }, { name: 'api' }];
const ARGUMENTS = TYPED.map(([name, type]) => parameter(name, type, { required: false }));
const CACHE = {
  ...FILM_CACHE,
  schemas: SCHEMAS.map(({ name }) => ({ name, description: null })),
  tables: new Map([
    [
      'api',
      new Map(
        [
          ...TABLES,
          ...NAMES.map((name) =>
            table(
              name,
              ['id', 'two words'],
              TYPED.map(([each, type]) => column(each, type)),
            ),
          ),
        ].map((each) => [each.name, each]),
      ),
    ],
  ]),
  functions: new Map([
    [
      'api',
      grouped([
        ...[...(FILM_CACHE.functions.get('api')?.values() ?? [])].flat(),
        routine('typed_arguments', ARGUMENTS, SCALAR),
        routine('two words', ARGUMENTS, SCALAR, { volatility: 'volatile', access: ALL_ROLES }),
      ]),
    ],
  ]),
};

/** The values of the fields of all columns as they are sent. */
const VALUES: JsonRow = Object.fromEntries(
  DETAILS.map((field, index): readonly [string, Json] => [
    field.name,
    valueOf(field, { kind: 'text', text: TYPED[index]?.[2] ?? '' }) ?? null,
  ]),
);
const NULLS: JsonRow = Object.fromEntries(
  DETAILS.map((field): readonly [string, Json] => [field.name, valueOf(field, { kind: 'null' }) ?? null]),
);

/** The requests of the console to one relation. */
function requestsTo(name: string): readonly ApiRequest[] {
  const relation = relationOf('api', name);
  const path = pathOf(name);
  const rowKey = keyOf(relation, VALUES) ?? [];
  const key = keyPairs(relation, rowKey);
  const filters = DETAILS.map((field) => ({ column: field.name, operator: 'eq', value: '1' }));
  const order = { column: 'a.b', descending: true };
  const view = { ...EMPTY_VIEW, filters: [...filters, ...filters], order };
  const first = readRequest(relation, view, SCHEMAS);
  const someColumns = {
    ...relation,
    columns: DETAILS.map((each) => ({ ...each, select: each.name !== 'id' })),
  };
  const write = (method: 'POST' | 'PATCH' | 'DELETE'): Omit<ApiRequest, 'query'> => ({
    ...{ method, path },
    headers: { Prefer: 'return=minimal', ...profileOf('api', SCHEMAS, method) },
  });
  return [
    first,
    readRequest(someColumns, { ...EMPTY_VIEW, page: 'WzJd' }, SCHEMAS),
    readRequest({ ...relation, primaryKey: [] }, { ...EMPTY_VIEW, page: '100' }, SCHEMAS),
    readRequest(relation, { ...view, match: 'any' }, SCHEMAS),
    rowRequest(relation, rowKey, SCHEMAS),
    countRequest(relation, view, SCHEMAS),
    exportRequest(relation, view, SCHEMAS, ['id'], 'csv'),
    { ...write('POST'), body: VALUES },
    { ...write('PATCH'), query: key, body: VALUES },
    { ...write('PATCH'), query: key, body: NULLS },
    { ...write('DELETE'), query: key },
  ];
}

const AREAS: readonly ApiRequest[] = [
  { method: 'GET', path: '/api/v1/notifications/me', query: [['limit', 20]] },
  { method: 'GET', path: '/api/v1/parties', query: [['cursor', 'abc']] },
  { method: 'GET', path: '/api/v1/signing-sessions/{id}/events', parameters: { id: 'x' } },
  {
    ...{ method: 'GET', path: '/api/v1/notifications/webhooks/{webhookId}/messages' },
    parameters: { webhookId: 'x' },
    query: [
      ['state', 'dead'],
      ['limit', 50],
    ],
  },
];

/** A value for each parameter, as one types it. */
const textFor = ({ document }: Operation, { schema, example, isFilter }: Parameter): string => {
  if (isFilter) return 'eq.1';
  const value = example === '' ? exampleOf(document, schema) : example;
  const one: unknown = Array.isArray(value) ? value[0] : value;
  return typeof one === 'string' ? one || 'text' : JSON.stringify(one);
};

/** The call that the reference page prints of an operation whose form is filled in. */
function printedFor(operation: Operation): string {
  const parameters = parametersOf(operation);
  const values = Object.fromEntries(parameters.map((each) => [parameterKey(each), textFor(operation, each)]));
  const types = mediaTypesOf(operation.document, resolve(operation.document, operation.value['requestBody']));
  const type = jsonOf(types) ?? types[0];
  const request = requestOf('api', operation, parameters, values, type, sampleOf(operation, type) || 'text');
  return clientOf(operation, parameters, values, request);
}

/** A program of calls, each in a function of its own. */
const programOf = (imports: string, calls: readonly string[]): string =>
  `${imports}\n${calls.map((call, index) => `export const call${String(index)} = async () => {\n${call}\n};`).join('\n')}\n`;

const fetchClient = (types: string): string => `import createClient from 'openapi-fetch';
import type { paths } from './${types}.js';
const client = createClient<paths>({ baseUrl: 'http://localhost' });`;

describe('printed calls of typed clients', function () {
  this.timeout(240_000);
  // The packages of the clients are found from here.
  const folder = join(packageRoot(), 'test/clients/printed/out');
  const description = [...describeAsOpenApi(CACHE, EVERYTHING)].join('');
  let service = '';

  const problemsOf = async (name: string, program: string): Promise<readonly string[]> => {
    const file = join(folder, `${name}.ts`);
    await writeFile(file, program);
    return checkProgram(file);
  };
  const operationsIn = (text: string, isOfDatabase: boolean): readonly Operation[] =>
    operationsOf(JSON.parse(text) as JsonRow, isOfDatabase);

  before(async () => {
    service = await readFile(join(packageRoot(), 'generated/openapi.json'), 'utf8');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'database.ts'), astToString(await openapiTS(description)));
    await writeFile(join(folder, 'service.ts'), astToString(await openapiTS(service)));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('have values of the types of their columns', () => {
    expect(VALUES).to.deep.include({
      id: 42,
      price: 2.5,
      ratio: 0.125,
      on_sale: false,
      title: '42',
      cost: '12',
    });
  });

  it('of the console to the database compile', async () => {
    const call: ApiRequest = {
      ...{ method: 'POST', path: '/rpc/two%20words', body: VALUES },
      headers: profileOf('api', SCHEMAS, 'POST'),
    };
    const calls = [...NAMES.flatMap(requestsTo), call].map(openApiFetchOf);
    expect(await problemsOf('console', programOf(fetchClient('database'), calls))).to.deep.equal([]);
  });

  it('of the console to the areas compile', async () => {
    const program = programOf(fetchClient('service'), AREAS.map(openApiFetchOf));
    expect(await problemsOf('areas', program)).to.deep.equal([]);
  });

  it('of the reference page for each operation of a database compile', async () => {
    const calls = operationsIn(description, true).map(printedFor);
    expect(await problemsOf('reference', programOf(fetchClient('database'), calls))).to.deep.equal([]);
  });

  it('of the reference page for each operation of the areas compile', async () => {
    const operations = operationsIn(service, false);
    const imports = `import { ${operations.map(({ id }) => id).join(', ')} } from '../../../../generated/client/index.js';`;
    expect(await problemsOf('client', programOf(imports, operations.map(printedFor)))).to.deep.equal([]);
  });

  it('do not compile with a text in place of a number, or with a path that is decoded', async () => {
    const requests = requestsTo('two words');
    const [read] = requests;
    const insert = requests.find(({ method }) => method === 'POST');
    const wrong = [
      { ...read, query: [['limit', '100']] as const },
      { ...insert, body: { ...VALUES, id: '42' } },
      { ...read, path: '/two words' },
    ].map((each) => openApiFetchOf({ method: 'GET', path: '', ...each }));
    const problems = await problemsOf('wrong', programOf(fetchClient('database'), wrong));
    expect(problems.map((problem) => /Type 'string'|'"\/two words"'/.exec(problem)?.[0])).to.deep.equal([
      "Type 'string'",
      "Type 'string'",
      `'"/two words"'`,
    ]);
  });
});
