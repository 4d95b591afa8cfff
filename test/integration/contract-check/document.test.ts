import { expect } from 'chai';
import { readContract, responseFor, type Operation } from '../../support/contract-check/document.js';
import { compileSchemas } from '../../support/contract-check/schemas.js';
import fc from 'fast-check';
import { NO_NOTES } from '../../support/contract-check/notes.js';
import { mutate, openValues } from '../../support/contract-check/values.js';

const ADDRESS = 'https://api.example/docs/openapi.json';
const operation = { responses: { '2XX': { description: '' }, default: { description: '' } } };
const documentOf = (item: object, more: object = {}): object => ({
  ...{ openapi: '3.1.0', paths: { '/a/{id}': item } },
  ...more,
});
const readOne = (item: object, more: object = {}): Operation => {
  const [only] = readContract(documentOf(item, more), ADDRESS).operations;
  if (only === undefined) throw new Error('there is no operation');
  return only;
};

describe('the values of a schema', () => {
  for (const format of ['constructor', 'toString', '__proto__', 'unknown'])
    it(`are texts where their format is ${format}`, () => {
      const [value] = fc.sample(openValues({}, { isOdd: false })({ type: 'string', format }), 1);
      expect(value).to.be.a('string');
    });
});

describe('the contract of a document', () => {
  it('resolves servers against the address of the document', () => {
    const read = (url: string) =>
      readContract(documentOf({ get: operation }, { servers: [{ url }] }), ADDRESS);
    expect(read('/v1/')).to.include({ origin: 'https://api.example' });
    expect(read('/v1/').operations[0]?.path).to.equal('/v1/a/{id}');
    expect(read('http://other:8080')).to.include({ origin: 'http://other:8080' });
  });

  it('has parameters of the path and of the operation, which replace them, without those of OpenAPI itself', () => {
    const { parameters } = readOne(
      {
        parameters: [
          { name: 'id', in: 'path', schema: { type: 'string' } },
          { name: 'q', in: 'query', schema: { type: 'string' } },
          { $ref: '#/components/parameters/a~1b' },
        ],
        get: { ...operation, parameters: [{ name: 'q', in: 'query', required: true, example: 5 }] },
      },
      { components: { parameters: { 'a/b': { name: 'Authorization', in: 'header' } } } },
    );
    expect(parameters.map(({ name, required, examples }) => ({ name, required, examples }))).to.deep.equal([
      { name: 'id', required: true, examples: [] },
      { name: 'q', required: true, examples: [5] },
    ]);
  });

  it('has examples of bodies, those of their schemas, and none of other media types', () => {
    const schema = { $ref: '#/components/schemas/A' };
    const examples = { one: { value: { n: 1 } }, two: { $ref: '#/components/examples/Two' } };
    const content = { 'text/csv': { example: 'n' }, 'application/json': { schema, examples } };
    const { body } = readOne(
      { post: { ...operation, requestBody: { content } } },
      { components: { schemas: { A: { examples: [3] } }, examples: { Two: { value: 2 } } } },
    );
    expect(body?.examples).to.deep.equal([{ n: 1 }, 2, 3]);
  });

  it('is open where a requirement of security is empty or there is none', () => {
    const components = { securitySchemes: { jwt: { type: 'http', scheme: 'Bearer' } } };
    const read = (security: object | undefined) => {
      const { isOpen, takesToken } = readOne({ get: { ...operation, security } }, { components });
      return { isOpen, takesToken };
    };
    expect(read(undefined)).to.deep.equal({ isOpen: true, takesToken: false });
    expect(read([{ jwt: [] }])).to.deep.equal({ isOpen: false, takesToken: true });
    expect(read([{ jwt: [] }, {}])).to.deep.equal({ isOpen: true, takesToken: true });
  });

  it('finds the response of a status, of its range, or the default', () => {
    const responses = {
      '200': { content: { 'Application/JSON; a=b': {} } },
      '4xx': {},
      default: { headers: { A: {} } },
    };
    const one = readOne({ get: { responses } });
    expect([...(responseFor(one, 200)?.content.keys() ?? [])]).to.deep.equal(['application/json']);
    expect(responseFor(one, 404)?.headers).to.deep.equal([]);
    expect(responseFor(one, 500)?.headers.map(({ name }) => name)).to.deep.equal(['a']);
    expect(responseFor(readOne({ get: { responses: { '200': {} } } }), 404)).to.equal(undefined);
  });

  for (const [name, document] of [
    ['of an earlier version', { openapi: '3.0.3', paths: { '/': { get: operation } } }],
    ['that is none', []],
    ['without operations', { openapi: '3.1.0', paths: {} }],
    ['with references in a circle', documentOf({ $ref: '#/paths/~1a~1{id}' })],
    ['with a reference to nothing', documentOf({ $ref: '#/x' })],
    ['with a reference to another document', documentOf({ $ref: 'other.json' })],
  ] as const)
    it(`refuses a document ${name}`, () => {
      expect(() => readContract(document, ADDRESS)).to.throw();
    });
});

describe('the schemas of a contract', () => {
  const schemas = compileSchemas(
    { openapi: '3.1.0', components: { schemas: { A: { type: 'integer' } } } },
    NO_NOTES,
  );
  const place = (value: unknown) => ({ value, pointer: '' });

  it('judge a text by the values that it may stand for', () => {
    const integer = { value: {}, pointer: '/components/schemas/A' };
    expect(schemas.faultOfText(integer, '5')).to.equal(null);
    expect(schemas.faultOfText(integer, '5.5')).to.equal('must be integer');
    expect(schemas.faultOfText(integer, 'x')).to.equal('must be integer');
  });

  it('decide nothing where a schema says too little', () => {
    const decided = (schema: unknown, isFreeText = false) => schemas.decides(place(schema), isFreeText);
    expect(decided({ type: 'string' })).to.equal(true);
    expect(decided({ type: 'string' }, true)).to.equal(false);
    expect(decided({ type: 'string', pattern: 'a' }, true)).to.equal(true);
    expect(decided({ type: 'string', format: 'tsvector' })).to.equal(false);
    expect(decided({ type: 'string', format: 'uuid' }, true)).to.equal(true);
    expect(decided({})).to.equal(false);
    expect(decided({ type: 'array' })).to.equal(false);
    expect(decided({ type: 'object', properties: { a: {} } })).to.equal(false);
    expect(decided({ $ref: '#/components/schemas/A' })).to.equal(true);
  });
});

describe('the change of a value', () => {
  const value = { a: [1, 2], b: 'x' };
  it('removes, adds and replaces one member', () => {
    expect(mutate(value, { at: 0, change: { kind: 'replace', by: null } })).to.equal(null);
    expect(mutate(value, { at: 1, change: { kind: 'remove' } })).to.deep.equal({ b: 'x' });
    expect(mutate(value, { at: 3, change: { kind: 'replace', by: true } })).to.deep.equal({
      a: [1, true],
      b: 'x',
    });
    expect(mutate(value, { at: 0, change: { kind: 'add' } })).to.deep.equal({
      ...value,
      'unknown member': 1,
    });
    expect(mutate(value, { at: 9, change: { kind: 'remove' } })).to.deep.equal({ a: [1, 2] });
  });
});

describe('schemas of a document that names values beside them', () => {
  const schemas = {
    list: { type: ['array', 'null'], items: { type: 'integer' } },
    real: { type: ['number', 'null'] },
    rows: { type: 'array', items: { type: 'object' } },
  };
  const notes = { elements: [{ type: 'null' }, { type: 'array' }], numbers: ['NaN'] };
  const faults = (given: typeof notes) => {
    const compiled = compileSchemas({ components: { schemas } }, given);
    return Object.entries({ list: [1, null, [2]], real: 'NaN', rows: [null] }).map(([name, value]) =>
      compiled.fault({ value: {}, pointer: `/components/schemas/${name}` }, value),
    );
  };

  it('allow them', () => {
    expect(faults(notes)).to.deep.equal([null, null, '/0 must be object']);
  });

  it('refuse them without the note', () => {
    expect(faults({ elements: [], numbers: [] })).to.deep.equal([
      '/1 must be integer',
      'must be number,null',
      '/0 must be object',
    ]);
  });
});
