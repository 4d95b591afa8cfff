import { expect } from 'chai';
import { resolve } from '../../../codegen/document.js';
import { asString, isObject, listMember, objectMember } from '../../../codegen/json.js';
import type { JsonValue } from '../../../codegen/json.js';
import type { Operation } from '../../../codegen/model.js';
import { isJson } from '../../../codegen/operations.js';
import { ROUTES } from '../../../generated/operations.js';
import { responseCheck } from '../../support/openapi/response-check.js';
import {
  examplesOf,
  publishedContract,
  writtenOperations,
} from '../../support/openapi/published-contract.js';

const statusesOf = (operation: Operation): readonly (number | 'default')[] =>
  operation.responses.map(({ status }) => status);

/** Whether the status is an error. 304 is not: it confirms the representation that the client has. */
const isError = (status: string): boolean =>
  status === 'default' || (Number(status) >= 300 && status !== '304');

describe('the operations of the document', () => {
  it('have a short summary, a description, and one tag that is described', async () => {
    const { document, operations } = await publishedContract();
    const tags = listMember(document, 'tags', 'document').map((tag) => (isObject(tag) ? tag['name'] : tag));
    for (const { id, summary, description, tag } of operations) {
      expect(summary, id).to.match(/^[A-Z].{5,58}[^.]$/);
      expect(description.trim(), id).to.match(/^[A-Z`][^]*\.$/);
      expect(tags, id).to.include(tag);
    }
  });

  it('have the tags of the document, each used by an operation', async () => {
    const { document, operations } = await publishedContract();
    const tags = listMember(document, 'tags', 'document').map((tag) => (isObject(tag) ? tag['name'] : tag));
    expect(new Set(operations.map(({ tag }) => tag))).to.deep.equal(new Set(tags));
  });

  it('have a route each, except for those that are mounted by hand', async () => {
    const { operations } = await publishedContract();
    const handled = operations.filter(({ raw }) => !raw);
    expect(ROUTES.map(({ id }) => id)).to.have.members(handled.map(({ id }) => id));
  });

  it('have the paths and methods that the service is bound to', async () => {
    const { operations } = await publishedContract();
    const routes = operations.map(({ method, path }) => `${method} ${path}`);
    expect(routes).to.include.members([
      'get /api/v1/notifications/me',
      'get /api/v1/notifications/me/unread-count',
      'post /api/v1/notifications/me/mark-read',
      ...['post', 'put', 'delete', 'get'].map((method) => `${method} /accounts/{id}/signing-config`),
      ...['get', 'head', 'post', 'put', 'patch', 'delete', 'options'].map(
        (method) => `${method} /{resource}`,
      ),
      ...['get', 'head', 'post', 'options'].map((method) => `${method} /rpc/{functionName}`),
    ]);
  });

  it('describe every parameter and give an example of it', async () => {
    const { document } = await publishedContract();
    for (const { id, written } of writtenOperations(document)) {
      for (const item of listMember(written, 'parameters', id)) {
        const parameter = resolve(document, item, id);
        const place = `${id}: ${asString(parameter['name'], id)}`;
        expect(parameter['description'], place).to.be.a('string').and.not.equal('');
        expect('example' in parameter || 'examples' in parameter, `${place} has an example`).to.equal(true);
      }
    }
  });

  it('give an example of every body and of every response with a body; the validators accept them', async () => {
    const { document } = await publishedContract();
    for (const { id, written } of writtenOperations(document)) {
      const body = written['requestBody'];
      if (body !== undefined) {
        for (const [mediaType, examples] of examplesOf(document, body, id))
          expect(examples, `${id}: body ${mediaType}`).not.to.be.empty;
      }
      for (const [status, response] of Object.entries(objectMember(written, 'responses', id))) {
        for (const [mediaType, examples] of examplesOf(document, response, `${id} ${status}`)) {
          const place = `${id}: ${status} ${mediaType}`;
          expect(examples, place).not.to.be.empty;
          const check = responseCheck(id, status, mediaType);
          expect(check === undefined, place).to.equal(!isJson(mediaType));
          for (const example of examples)
            if (check !== undefined)
              expect(check(example), `${place} ${JSON.stringify(check.errors)}`).to.equal(true);
        }
      }
    }
  });

  it('name the errors of each error response, unless the database raises them', async () => {
    const { document } = await publishedContract();
    for (const { id, written } of writtenOperations(document)) {
      for (const [status, response] of Object.entries(objectMember(written, 'responses', id))) {
        if (!isError(status)) continue;
        const resolved = resolve(document, response, id);
        const json = objectMember(objectMember(resolved, 'content', id), 'application/json', id)['schema'];
        const ofDatabase = isObject(json) && json['$ref'] === '#/components/schemas/DatabaseError';
        const named = listMember(resolved, 'x-dbr-errors', id);
        expect(named.length > 0 || ofDatabase, `${id}: ${status}`).to.equal(true);
      }
    }
  });

  it('have the statuses that follow from their form', async () => {
    const { operations } = await publishedContract();
    for (const operation of operations) {
      const { id, security, scope, body, tag, raw, parameters } = operation;
      const statuses = statusesOf(operation);
      expect(statuses.includes('default'), `${id}: default`).to.equal(true);
      expect(statuses.includes(401), `${id}: 401`).to.equal(security !== 'none');
      expect(statuses.includes(413), `${id}: 413`).to.equal(body !== null);
      expect(statuses.includes(415), `${id}: 415`).to.equal(body !== null);
      // Operations without a generated route check their parameters themselves.
      const read = !raw && parameters.some((parameter) => parameter.in !== 'path');
      if (body !== null || read) expect(statuses, id).to.include(400);
      if (scope !== null) expect(statuses, id).to.include(403);
      const has = (name: string): boolean => parameters.some((parameter) => parameter.name === name);
      expect(statuses.includes(304), `${id}: 304`).to.equal(has('If-None-Match'));
      expect(statuses.includes(412), `${id}: 412`).to.equal(has('If-Match'));
      // A ticket is made without a statement.
      if (tag === 'data-api' && id !== 'createLiveTicket')
        expect(statuses, id).to.include.members([500, 503, 504]);
    }
  });

  it('offer errors of notifications and signing as problem details too', async () => {
    const { operations } = await publishedContract();
    for (const { id, tag, responses } of operations) {
      if (tag === 'data-api') continue;
      for (const { status, contents, errors } of responses) {
        if (errors.length === 0) continue;
        const mediaTypes = contents.map(({ mediaType }) => mediaType);
        expect(mediaTypes, `${id}: ${String(status)}`).to.deep.equal([
          'application/json',
          'application/problem+json',
        ]);
      }
    }
  });

  it('list concrete paths before templated paths that match them', async () => {
    const { document } = await publishedContract();
    const paths = Object.keys(objectMember(document, 'paths', 'document'));
    paths.forEach((path, index) => {
      const pattern = new RegExp(`^${path.replaceAll(/[.]/g, '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`);
      const hidden = paths.slice(index + 1).filter((later) => !later.includes('{') && pattern.test(later));
      expect(hidden, path).to.be.empty;
    });
  });

  it('leave one-segment paths to the data API', async () => {
    const { operations } = await publishedContract();
    const short = operations.filter(({ path }) => path.split('/').length < 3 && path !== '/');
    expect(new Set(short.map(({ tag }) => tag))).to.deep.equal(new Set(['data-api']));
  });

  it('reduce large limits to the maximum and refuse invalid limits', async () => {
    const { document, operations } = await publishedContract();
    const limits = operations.flatMap(({ id, tag, parameters }) =>
      tag === 'data-api'
        ? []
        : parameters.filter(({ name }) => name === 'limit').map((limit) => ({ id, limit })),
    );
    expect(limits.map(({ id }) => id)).to.include('listNotifications');
    for (const { id, limit } of limits) {
      expect(limit.clamp, id).to.equal(100);
      expect(resolve(document, limit.schema, id), id).to.deep.equal({
        type: 'integer',
        minimum: 1,
        default: 50,
      });
    }
  });

  it('have no defaults in bodies, because the service fills in defaults of parameters only', async () => {
    const { document } = await publishedContract();
    const schemas = objectMember(objectMember(document, 'components', 'document'), 'schemas', 'components');
    expect(placesOf('default', schemas)).to.be.empty;
  });

  it('refuse unknown members, such as a list of parties, in the request for a session', async () => {
    const { document } = await publishedContract();
    const schema = { $ref: '#/components/schemas/SigningSessionRequest' };
    expect(resolve(document, schema, 'session')['additionalProperties']).to.equal(false);
  });

  it('have no ciphertext of a share in any response', async () => {
    const { document } = await publishedContract();
    const schema = { $ref: '#/components/schemas/DelegateUserShareReceipt' };
    const receipt = resolve(document, schema, 'receipt');
    expect(receipt['additionalProperties']).to.equal(false);
    expect(Object.keys(objectMember(receipt, 'properties', 'receipt'))).to.deep.equal([
      'delegatePartyId',
      'recipientKeyId',
      'suite',
      'ciphertextSha256',
      'suppliedAt',
    ]);
    const readable = ['SigningSession', 'SigningSessionEvent'].map((name) =>
      JSON.stringify(resolve(document, { $ref: `#/components/schemas/${name}` }, name)),
    );
    for (const text of readable) expect(text).not.to.match(/schemas\/DelegateUserShare"|"ciphertext"/);
  });
});

/** Paths of all members of this name in a value. */
function placesOf(name: string, value: JsonValue, place = ''): readonly string[] {
  if (Array.isArray(value))
    return value.flatMap((item: JsonValue, index) => placesOf(name, item, `${place}/${String(index)}`));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([member, inner]) => [
    ...(member === name ? [`${place}/${member}`] : []),
    ...placesOf(name, inner, `${place}/${member}`),
  ]);
}
