import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { breaksBetween } from '../../../codegen/breaking.js';
import { objectMember } from '../../../codegen/json.js';
import type { JsonObject } from '../../../codegen/json.js';
import { runBuf } from '../../../codegen/protobuf.js';
import { documentOf, jsonBody, okay } from '../../support/codegen/tiny-document.js';

const ROUTE = 'POST /things/{}';
const query = (schema: JsonObject, required = false): JsonObject => ({
  parameters: [{ name: 'q', in: 'query', required, schema }],
});
const body = (schema: JsonObject, required = true): JsonObject => ({
  requestBody: jsonBody(schema, required),
});
const answer = (schema: JsonObject): JsonObject => ({
  responses: { '200': { description: 'x', content: { 'application/json': { schema } } } },
});
const object = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required,
});
const text = { type: 'string' };

describe('breaking changes of the document', () => {
  const cases: readonly (readonly [string, JsonObject, JsonObject, readonly string[]])[] = [
    ['nothing changed', body(object({ a: text })), body(object({ a: text })), []],
    ['another operationId', {}, { operationId: 'other' }, ['the operationId changeThing is now other']],
    ['a token is needed', { security: [] }, { security: [{ bearer: [] }] }, ['a token is now needed']],
    [
      'another scheme gone',
      { security: [{ bearer: [] }, { ticket: [] }] },
      { security: [{ bearer: [] }] },
      ['ticket no longer stands in for the token'],
    ],
    ['a scope is needed', {}, { 'x-dbr-scope': 'a' }, ['the scope a is now needed']],
    ['a parameter gone', query(text), {}, ['query parameter q: gone']],
    ['a parameter new and optional', {}, query(text), []],
    ['a parameter new and required', {}, query(text, true), ['query parameter q: now required']],
    ['a parameter now required', query(text), query(text, true), ['query parameter q: now required']],
    [
      'a parameter of another type',
      query(text),
      query({ type: 'integer' }),
      ['query parameter q: the type string is no longer taken'],
    ],
    ['a parameter widened from integer to number', query({ type: 'integer' }), query({ type: 'number' }), []],
    [
      'a parameter with fewer values',
      query({ enum: ['a', 'b'] }),
      query({ enum: ['a', 'c'] }),
      ['query parameter q: the value "b" is gone'],
    ],
    [
      'a parameter with an enum for the first time',
      query(text),
      query({ ...text, enum: ['a'] }),
      ['query parameter q: only some values are taken any more'],
    ],
    [
      'a tighter limit',
      query({ type: 'integer', maximum: 9 }),
      query({ type: 'integer', maximum: 8, minimum: 0 }),
      ['query parameter q: minimum is narrower', 'query parameter q: maximum is narrower'],
    ],
    ['a looser limit', query({ type: 'integer', maximum: 9 }), query({ type: 'integer' }), []],
    [
      'a new pattern',
      query(text),
      query({ ...text, pattern: '^a' }),
      ['query parameter q: pattern is narrower'],
    ],
    ['a body now required', body(text, false), body(text), ['body: now required']],
    [
      'a media type gone',
      body(text),
      { requestBody: { required: true, content: { 'text/csv': { schema: text } } } },
      ['body: application/json is gone'],
    ],
    [
      'a required property',
      body(object({ a: text })),
      body(object({ a: text, b: text }, ['b'])),
      ['body/b: now required'],
    ],
    [
      'a property now required',
      body(object({ a: text })),
      body(object({ a: text }, ['a'])),
      ['body/a: now required'],
    ],
    [
      'a request property gone',
      body(object({ a: text, b: text })),
      body(object({ a: text })),
      ['body/b: gone'],
    ],
    [
      'unknown members refused',
      body(object({})),
      body({ ...object({}), additionalProperties: false }),
      ['body/*: nothing is taken any more'],
    ],
    [
      'null no longer taken',
      body(object({ a: { type: ['string', 'null'] } })),
      body(object({ a: text })),
      ['body/a: the type null is no longer taken'],
    ],
    [
      'items narrowed',
      body({ type: 'array', items: {} }),
      body({ type: 'array', items: text }),
      ['body[]: the type any is no longer taken'],
    ],
    [
      'an alternative gone',
      body({ oneOf: [text, { type: 'integer' }] }),
      body({ oneOf: [text] }),
      ['body/oneOf/1: gone'],
    ],
    ['a response gone', { responses: { ...okay, '404': { description: 'x' } } }, {}, ['response 404: gone']],
    ['a response new', {}, { responses: { ...okay, '404': { description: 'x' } } }, []],
    [
      'a response property gone',
      answer(object({ a: text }, ['a'])),
      answer(object({})),
      ['response 200/a: gone'],
    ],
    [
      'a response property no longer certain',
      answer(object({ a: text }, ['a'])),
      answer(object({ a: text })),
      ['response 200/a: no longer certain'],
    ],
    ['a response property new', answer(object({})), answer(object({ a: text }, ['a'])), []],
    [
      'a response that may now be null',
      answer(object({ a: text })),
      answer(object({ a: { type: ['string', 'null'] } })),
      ['response 200/a: may now be of the type null'],
    ],
    [
      'a response value gone',
      answer({ enum: ['a', 'b'] }),
      answer({ enum: ['a'] }),
      ['response 200: the value "b" is gone'],
    ],
    ['a response value new', answer({ enum: ['a'] }), answer({ enum: ['a', 'b'] }), []],
    [
      'a demanded header gone',
      { responses: { '200': { description: 'x', headers: { ETag: { required: true, schema: text } } } } },
      {},
      ['response 200: the header ETag is no longer certain'],
    ],
  ];
  for (const [what, before, after, breaks] of cases) {
    it(`${what}: ${breaks.length === 0 ? 'no break' : 'found'}`, () => {
      expect(breaksBetween(documentOf(before), documentOf(after))).to.deep.equal(
        breaks.map((found) => `${ROUTE}: ${found}`),
      );
    });
  }

  it('finds a removed operation, but not one whose path parameter is renamed', () => {
    const document = documentOf({});
    const item = objectMember(objectMember(document, 'paths', 'document'), '/things/{id}', 'paths');
    const paths = (path: string): JsonObject => ({ ...document, paths: { [path]: item } });
    expect(breaksBetween(document, { ...document, paths: {} })).to.deep.equal([
      `${ROUTE}: the operation is gone`,
    ]);
    expect(breaksBetween(document, paths('/things/{thingId}'))).to.deep.equal([]);
  });

  it('follows references of both documents, and ends at schemas that refer to themselves', () => {
    const operation = body({ $ref: '#/components/schemas/Tree' });
    const tree = (value: JsonObject): JsonObject => ({
      Tree: object({ value, next: { $ref: '#/components/schemas/Tree' } }),
    });
    expect(breaksBetween(documentOf(operation, tree(text)), documentOf(operation, tree(text)))).to.deep.equal(
      [],
    );
    expect(
      breaksBetween(documentOf(operation, tree(text)), documentOf(operation, tree({ type: 'integer' }))),
    ).to.deep.equal([`${ROUTE}: body/value: the type string is no longer taken`]);
  });
});

describe('breaking changes of the proto files', function () {
  this.timeout(120_000);
  it('are found by buf against the image of the base', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dbr-buf-'));
    const proto = (type: string): string =>
      `syntax = "proto3";\npackage tiny.v1;\nmessage Thing {\n  ${type} size = 1;\n}\n`;
    const write = (type: string): Promise<void> =>
      writeFile(join(folder, 'proto/tiny/v1/tiny.proto'), proto(type));
    try {
      await mkdir(join(folder, 'proto/tiny/v1'), { recursive: true });
      await writeFile(
        join(folder, 'buf.yaml'),
        'version: v2\nmodules: [{ path: proto }]\nbreaking: { use: [FILE] }\n',
      );
      await write('int64');
      await runBuf(folder, ['build', '-o', 'base.binpb']);
      await runBuf(folder, ['breaking', '--against', 'base.binpb']);
      await write('int32');
      const refusal = await runBuf(folder, ['breaking', '--against', 'base.binpb']).then(
        () => null,
        (error: unknown) => error,
      );
      expect(refusal)
        .to.be.instanceOf(Error)
        .with.property('message')
        .that.contains('changed type from "int64" to "int32"');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
