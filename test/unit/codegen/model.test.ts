import { expect } from 'chai';
import type { JsonObject } from '../../../codegen/json.js';
import { readOperations } from '../../../codegen/model.js';
import { operationsModule } from '../../../codegen/operations.js';
import { parametersModule } from '../../../codegen/parameters.js';
import { documentOf, jsonBody, okay } from '../../support/codegen/tiny-document.js';

const query = (schema: JsonObject, more: JsonObject = {}): JsonObject => ({
  parameters: [{ name: 'q', in: 'query', schema, ...more }],
});

describe('reading the document', () => {
  it('gives a parameter of the operation precedence over that of its path', () => {
    const operation = documentOf({
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
    });
    const paths = operation['paths'] as Record<string, JsonObject>;
    const item = {
      ...paths['/things/{id}'],
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
    };
    const [read] = readOperations({ ...operation, paths: { '/things/{id}': item } });
    expect(read?.parameters.map(({ schema }) => schema)).to.deep.equal([{ type: 'integer' }]);
  });

  it('uses the security of the document if the operation has none', () => {
    const secured = { security: [{ bearer: [] }] };
    const securityOf = (document: JsonObject): string | undefined => readOperations(document)[0]?.security;
    expect(securityOf(documentOf({}))).to.equal('none');
    expect(securityOf({ ...documentOf({}), ...secured })).to.equal('bearer');
    expect(securityOf({ ...documentOf({ security: [] }), ...secured })).to.equal('none');
    expect(securityOf({ ...documentOf({ security: [{}, { bearer: [] }] }), ...secured })).to.equal(
      'optional',
    );
  });

  it('distinguishes the bearer token from schemes that are accepted instead of it', () => {
    const [operation] = readOperations(documentOf({ security: [{ bearer: [] }, { ticket: [] }] }));
    expect(operation).to.deep.include({ security: 'bearer', alternatives: ['ticket'] });
  });

  const refused: readonly (readonly [string, JsonObject, RegExp])[] = [
    ['an operation without an id', documentOf({ operationId: null }), /operationId: expected a string/],
    ['an id that is no name', documentOf({ operationId: 'Change-thing' }), /Change-thing is not camelCase/],
    ['two tags', documentOf({ tags: ['a', 'b'] }), /exactly one tag/],
    [
      'schemes demanded together',
      documentOf({ security: [{ bearer: [], ticket: [] }] }),
      /never demanded together/,
    ],
    [
      'security without the token',
      documentOf({ security: [{ ticket: [] }] }),
      /the bearer token is not among/,
    ],
    ['a misspelt extension', documentOf({ 'x-dbr-scopes': 'a' }), /unknown extension x-dbr-scopes/],
    ['another handler than raw', documentOf({ 'x-dbr-handler': 'row' }), /x-dbr-handler is raw or absent/],
    [
      'a cookie parameter',
      documentOf({ parameters: [{ name: 'c', in: 'cookie', schema: {} }] }),
      /only path, query and header/,
    ],
    [
      'a range of statuses',
      documentOf({ responses: { '4XX': { description: 'x' } } }),
      /4XX: a status is three digits/,
    ],
    [
      'a reference to nowhere',
      documentOf({ requestBody: { $ref: '#/components/requestBodies/No' } }),
      /No.*expected an object/,
    ],
    [
      'an unknown keyword',
      documentOf(query({ type: 'string', maxLenght: 5 })),
      /parameter q\/schema: unknown schema keyword maxLenght/,
    ],
    [
      'an unknown keyword deep in a body',
      documentOf({ requestBody: jsonBody({ properties: { a: { items: { nullable: true } } } }) }),
      /properties\/a\/items: unknown schema keyword nullable/,
    ],
    [
      'an unknown keyword in an alternative',
      documentOf({ requestBody: jsonBody({ anyOf: [{}, { if: {} }] }) }),
      /anyOf\/1: unknown schema keyword if/,
    ],
    [
      'an unknown keyword in a component',
      documentOf({}, { Thing: { additionalProperties: { dependentRequired: {} } } }),
      /Thing\/additionalProperties: unknown schema keyword/,
    ],
    [
      'an unknown keyword in a header',
      documentOf({ responses: { '200': { description: 'x', headers: { E: { schema: { typ: 'x' } } } } } }),
      /header E\/schema: unknown schema keyword typ/,
    ],
    ['an unknown format', documentOf(query({ type: 'string', format: 'ipv9' })), /unknown format ipv9/],
  ];
  for (const [what, document, message] of refused) {
    it(`refuses ${what}`, () => {
      expect(() => readOperations(document)).to.throw(message);
    });
  }

  it('does not treat the name of a property as a keyword', () => {
    expect(() =>
      readOperations(documentOf({ requestBody: jsonBody({ properties: { nullable: {}, if: true } }) })),
    ).not.to.throw();
  });

  it('refuses an id that is used twice', () => {
    const post = { operationId: 'twice', tags: ['a'], responses: okay };
    const document = { ...documentOf({}), paths: { '/a': { post, get: post } } };
    expect(() => readOperations(document)).to.throw('the operationId twice is used twice');
  });

  it('refuses a parameter that the service cannot read, unless the operation is mounted by hand', () => {
    const list = query({ type: 'array', items: { type: 'string' } });
    const document = documentOf(list);
    expect(() => operationsModule(document, readOperations(document))).to.throw(
      'the parameter q is none of string, integer, boolean',
    );
    const raw = documentOf({ ...list, 'x-dbr-handler': 'raw' });
    expect(operationsModule(raw, readOperations(raw))).not.to.contain('ChangeThingRequest');
    expect(parametersModule(raw, readOperations(raw))).not.to.contain('changeThing');
  });

  it('refuses a clamp on a parameter that is not an integer', () => {
    const document = documentOf(query({ type: 'string' }, { 'x-dbr-clamp': 5 }));
    expect(() => parametersModule(document, readOperations(document))).to.throw('only integers are clamped');
  });
});
