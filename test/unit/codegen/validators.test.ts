import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import type { JsonObject } from '../../../codegen/json.js';
import { readOperations } from '../../../codegen/model.js';
import { KNOWN_FORMATS } from '../../../codegen/schema-keywords.js';
import { bodyValidators, parameterValidators, responseChecks } from '../../../codegen/validators.js';
import type { Check } from '../../../generated/validators-bodies.js';
import { documentOf, jsonBody } from '../../support/codegen/tiny-document.js';

/** Below the repository, so that the modules find Ajv's runtime. Runs under several versions of Node may meet. */
const folder = join(import.meta.dirname, '../../../.cache', `validators-test-${String(process.pid)}`);
let modules = 0;

async function imported(text: string): Promise<unknown> {
  modules += 1;
  const file = join(folder, `${String(modules)}.ts`);
  await writeFile(file, text);
  return import(pathToFileURL(file).href);
}

async function bodyCheck(schema: JsonObject, schemas: JsonObject = {}): Promise<Check> {
  const document = documentOf({ requestBody: jsonBody(schema) }, schemas);
  const module = await imported(bodyValidators(document, readOperations(document)));
  return (module as { bodyChecks: { changeThing: Check } }).bodyChecks.changeThing;
}

describe('generated validators', () => {
  before(() => mkdir(folder, { recursive: true }));
  after(() => rm(folder, { recursive: true }));

  const formats: Readonly<Record<string, readonly [unknown, unknown]>> = {
    'date-time': ['2026-01-02T03:04:05Z', '2026-01-02'],
    date: ['2026-01-02', '2026-13-02'],
    uuid: ['0199aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee', '0199'],
    uri: ['https://example.org/a', '/a'],
    'uri-reference': ['/a?b=c', 'a b'],
    email: ['a@example.org', 'a.example.org'],
    int32: [2147483647, 2147483648],
    int64: [5, 5.5],
  };
  it('are tested with an example of every format in use', () => {
    expect(Object.keys(formats)).to.have.members([...KNOWN_FORMATS]);
  });
  for (const [format, [good, bad]] of Object.entries(formats)) {
    it(`check the format ${format}`, async () => {
      const check = await bodyCheck({ type: typeof good === 'number' ? 'number' : 'string', format });
      expect(check(good)).to.equal(true);
      expect(check(bad)).to.equal(false);
      expect(check.errors?.[0]?.keyword).to.equal('format');
    });
  }

  it('check lengths in characters, equality of items and patterns', async () => {
    const short = await bodyCheck({ type: 'string', maxLength: 2 });
    expect([short('😀😀'), short('abc')]).to.deep.equal([true, false]);
    const distinct = await bodyCheck({ type: 'array', uniqueItems: true, items: { type: 'object' } });
    expect([distinct([{ a: 1 }, { a: 2 }]), distinct([{ a: 1 }, { a: 1 }])]).to.deep.equal([true, false]);
    const hex = await bodyCheck({ type: 'string', pattern: '^[0-9a-f]+$' });
    expect([hex('0f'), hex('0F')]).to.deep.equal([true, false]);
  });

  it('coerce nothing in a body', async () => {
    const check = await bodyCheck({
      type: 'object',
      properties: { n: { type: 'integer' }, s: { type: ['string', 'null'] } },
    });
    expect(check({ n: '5' })).to.equal(false);
    expect(check({ s: 5 })).to.equal(false);
    const body = { s: '' };
    expect(check(body)).to.equal(true);
    expect(body).to.deep.equal({ s: '' });
  });

  it('fill defaults into a body', async () => {
    const check = await bodyCheck({ type: 'object', properties: { n: { type: 'integer', default: 3 } } });
    const body = {};
    expect(check(body)).to.equal(true);
    expect(body).to.deep.equal({ n: 3 });
  });

  it('stop at the first error, which bounds the cost of a hostile body', async () => {
    const check = await bodyCheck({ type: 'array', items: { type: 'string' } });
    expect(check(Array.from({ length: 1000 }, (_, index) => index))).to.equal(false);
    expect(check.errors).to.have.length(1);
  });

  it('follow references to components, also of components to themselves', async () => {
    const tree = {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string' }, example: { $ref: '#/components/schemas/Tree' } },
    };
    const check = await bodyCheck({ $ref: '#/components/schemas/Tree' }, { Tree: tree });
    expect(check({ name: 'a', example: { name: 'b' } })).to.equal(true);
    expect(check({ name: 'a', example: { name: 'b', example: {} } })).to.equal(false);
    expect(check.errors?.[0]?.instancePath).to.equal('/example/example');
  });

  it('check parameters of path, query and headers', async () => {
    const parameter = (place: string, name: string, schema: JsonObject): JsonObject => ({
      name,
      in: place,
      schema,
      required: place === 'path',
    });
    const document = documentOf({
      parameters: [
        parameter('path', 'id', { type: 'string', maxLength: 3 }),
        parameter('query', 'n', { type: 'integer', maximum: 5 }),
        parameter('header', 'If-Match', { type: 'string', pattern: '^"' }),
      ],
    });
    const module = await imported(parameterValidators(document, readOperations(document)));
    const check = (module as { parameterChecks: { changeThing: Check } }).parameterChecks.changeThing;
    expect(check({ path: { id: 'abc' }, query: { n: 5 }, headers: { 'if-match': '"1"' } })).to.equal(true);
    expect(check({ path: {}, query: {}, headers: {} })).to.equal(false);
    expect(check({ path: { id: 'abcd' }, query: {}, headers: {} })).to.equal(false);
    expect(check({ path: { id: 'a' }, query: { n: 6 }, headers: {} })).to.equal(false);
    expect(check({ path: { id: 'a' }, query: {}, headers: { 'if-match': '1' } })).to.equal(false);
    expect(check.errors?.[0]?.instancePath).to.equal('/headers/if-match');
  });

  it('are found by operation, status and media type for responses', () => {
    const content = {
      'application/json': { schema: { type: 'array' } },
      'application/problem+json': { schema: { type: 'object' } },
      'text/csv': { schema: { type: 'string' } },
    };
    const document = documentOf({
      responses: { '200': { description: 'x', content }, default: { description: 'y', content } },
    });
    const check = responseChecks(document, readOperations(document));
    expect(check('changeThing', '200', 'application/json')?.([])).to.equal(true);
    expect(check('changeThing', 'default', 'application/problem+json')?.([])).to.equal(false);
    expect(check('changeThing', '200', 'text/csv')).to.equal(undefined);
    expect(check('changeThing', '404', 'application/json')).to.equal(undefined);
  });
});
