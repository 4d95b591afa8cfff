import { expect } from 'chai';
import { functionPath } from '../../../../../src/data-api/document/functions.js';
import type { Operation } from '../../../../../src/data-api/document/openapi.js';
import { FILM_CACHE } from '../../../../support/data-api/film-cache.js';

const pathOf = (name: string, terse = false) =>
  functionPath(FILM_CACHE.functions.get('api')?.get(name) ?? [], {
    profile: { reading: [{ $ref: 'reading' }], writing: [{ $ref: 'writing' }], components: new Map() },
    rowOf: ({ name: relation }) => (relation === 'films' ? { $ref: 'films' } : null),
    operationId: (method, of) => `${method} ${of}`,
    terse,
    allForms: false,
    live: false,
  });

/** The names of parameters, with a mark for those that are required. */
const parametersOf = (operation: Operation | undefined): readonly string[] =>
  (operation?.parameters ?? []).map((parameter) =>
    '$ref' in parameter
      ? (parameter.$ref.split('/').at(-1) ?? '')
      : `${parameter.name}${parameter.required ? '!' : ''}`,
  );

const ROWS = ['select', 'order', 'limit', 'offset', 'Prefer'];

describe('operations of functions in OpenAPI 3.1', () => {
  for (const [name, get, post] of [
    ['add', ['a!', 'b', 'Prefer', 'reading'], ['Prefer', 'writing']],
    ['films_since', ['since!', ...ROWS, 'reading'], [...ROWS, 'writing']],
    ['film', ['id!', ...ROWS, 'reading'], [...ROWS, 'writing']],
    ['measure', ['size!', 'Prefer', 'reading'], ['Prefer', 'writing']],
    ['new_films', null, [...ROWS, 'writing']],
    ['take', null, ['Prefer', 'writing']],
    ['forget', null, ['Prefer', 'writing']],
  ] as const)
    it(`take the parameters of ${name}`, () => {
      const path = pathOf(name);
      expect(path.get === undefined ? null : parametersOf(path.get)).to.deep.equal(get);
      expect(parametersOf(path.post)).to.deep.equal(post);
    });

  it('have a body for the arguments, which is required if one of them is in every overload', () => {
    const bodies = ['add', 'forget', 'take', 'take_bytes', 'measure'].map(
      (name) => pathOf(name).post?.requestBody,
    );
    const integer = { type: ['integer', 'null'] };
    const sized = (schema: object) => ({
      type: 'object',
      required: ['size'],
      properties: { size: schema },
    });
    expect(bodies).to.deep.equal([
      {
        required: true,
        content: {
          'application/json': {
            schema: { type: 'object', required: ['a'], properties: { a: integer, b: integer } },
          },
        },
      },
      { required: false, content: { 'application/json': { schema: { type: 'object', properties: {} } } } },
      { required: true, content: { 'application/json': { schema: {} } } },
      {
        required: true,
        content: { 'application/octet-stream': { schema: { type: 'string', format: 'bytea' } } },
      },
      {
        required: true,
        content: {
          'application/json': { schema: { anyOf: [sized(integer), sized({ type: ['string', 'null'] })] } },
        },
      },
    ]);
  });

  it('respond with one value, one row, rows, a body of their own or nothing', () => {
    const responsesOf = (name: string, terse = false) => pathOf(name, terse).post?.responses ?? {};
    expect(Object.keys(responsesOf('add'))).to.deep.equal(['200', '400', 'default']);
    expect(Object.keys(responsesOf('films_since'))).to.deep.equal(['200', '206', '400', 'default']);
    expect(Object.keys(responsesOf('films_since', true))).to.deep.equal(['2XX', '4XX']);
    expect(Object.keys(responsesOf('forget'))).to.deep.equal(['204', '400', 'default']);
    expect(responsesOf('add')['200']).to.deep.equal({
      description: 'The result.',
      content: { 'application/json': { schema: { type: ['integer', 'null'] } } },
    });
    expect(responsesOf('film')['200']).to.deep.equal({
      description: 'The result.',
      content: { 'application/json': { schema: { anyOf: [{ $ref: 'films' }, { type: 'null' }] } } },
    });
    expect(responsesOf('films_since', true)['2XX']).to.deep.equal({
      description: 'The result.',
      content: { 'application/json': { schema: { type: 'array', items: { $ref: 'films' } } } },
    });
    expect(responsesOf('page')['200']).to.deep.equal({
      description: 'The result.',
      content: { 'text/html': { schema: {} } },
    });
  });

  it('have names and texts, which a large description leaves out', () => {
    expect(pathOf('add').get).to.deep.include({
      operationId: 'get add',
      tags: ['rpc add'],
      summary: 'Call add',
      description: 'Call `add` in a read-only transaction.',
    });
    expect(pathOf('add').post).to.deep.include({
      operationId: 'post add',
      description: 'Call `add`.',
    });
    expect(pathOf('add', true).post).not.to.have.any.keys('tags', 'summary', 'description');
  });
});
