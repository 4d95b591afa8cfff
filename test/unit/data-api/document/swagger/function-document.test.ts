import { expect } from 'chai';
import { functionPath } from '../../../../../src/data-api/document/swagger.js';
import type { Parameter, Routine } from '../../../../../src/data-api/schema-cache/types.js';

const parameter = (name: string, type: string, rest: Partial<Parameter> = {}): Parameter => ({
  name,
  type,
  wideType: type,
  required: true,
  variadic: false,
  ...rest,
});

const routine = (parameters: readonly Parameter[], description: string | null = null): Routine => ({
  schema: 'api',
  name: 'act',
  description,
  parameters,
  returns: {
    kind: 'void',
    many: false,
    type: { schema: 'pg_catalog', name: 'void' },
    isDomain: false,
    columns: [],
    media: null,
  },
  volatility: 'volatile',
  settings: [],
  isolation: null,
  access: new Map(),
});

const queryOf = (only: Parameter, searchPath: readonly string[] = []) =>
  functionPath(routine([only]), searchPath).get?.parameters?.[0];

const bodyOf = (act: Routine) => functionPath(act, []).post?.parameters;

describe('description of a function', () => {
  it('describes each argument of the query as one text', () => {
    expect(queryOf(parameter('size', 'integer', { required: false }))).to.deep.equal({
      name: 'size',
      in: 'query',
      required: false,
      type: 'integer',
      format: 'integer',
    });
    expect(queryOf(parameter('sizes', 'integer[]'))).to.include({ type: 'string', format: 'integer[]' });
    expect(queryOf(parameter('data', 'jsonb'))).to.include({ type: 'string', format: 'jsonb' });
  });

  it('describes a variadic argument by its elements', () => {
    expect(queryOf(parameter('sizes', 'integer[]', { variadic: true }))).to.deep.equal({
      name: 'sizes',
      in: 'query',
      required: true,
      type: 'array',
      items: { format: 'integer', type: 'integer' },
      collectionFormat: 'multi',
    });
  });

  it('omits schemas of the search path from type names, in any spelling', () => {
    expect(queryOf(parameter('mood', 'api.mood'), ['api'])).to.include({ format: 'mood' });
    expect(queryOf(parameter('mood', '"Odd Api".mood'), ['Odd Api'])).to.include({ format: 'mood' });
    expect(queryOf(parameter('mood', 'apis.mood'), ['api'])).to.include({ format: 'apis.mood' });
    expect(queryOf(parameter('mood', 'api.mood'))).to.include({ format: 'api.mood' });
  });

  it('describes arguments as an object in the body', () => {
    const act = routine(
      [parameter('size', 'integer'), parameter('tags', 'text[]', { required: false })],
      'Acts',
    );
    expect(bodyOf(act)).to.deep.equal([
      {
        name: 'args',
        in: 'body',
        required: true,
        schema: {
          type: 'object',
          description: 'Acts',
          required: ['size'],
          properties: {
            size: { format: 'integer', type: 'integer' },
            tags: { format: 'text[]', type: 'array', items: { type: 'string' } },
          },
        },
      },
      { $ref: '#/parameters/preferParams' },
    ]);
  });

  it('describes no arguments for a function without them', () => {
    const { get } = functionPath(routine([]), []);
    expect(get).to.not.have.property('parameters');
    expect(bodyOf(routine([]))?.[0]).to.deep.equal({
      name: 'args',
      in: 'body',
      required: true,
      schema: { type: 'object' },
    });
  });

  it('has summary and description from its comment', () => {
    const { get, post } = functionPath(routine([], 'Acts\n\nAt once.'), []);
    for (const operation of [get, post]) {
      expect(operation).to.deep.include({
        tags: ['(rpc) act'],
        summary: 'Acts',
        description: 'At once.',
      });
    }
  });
});
