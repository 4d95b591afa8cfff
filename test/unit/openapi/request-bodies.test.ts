import { expect } from 'chai';
import { resolve } from '../../../codegen/document.js';
import { asObject, asString, isObject, listMember, objectMember } from '../../../codegen/json.js';
import type { JsonObject, JsonValue } from '../../../codegen/json.js';
import { bodyChecks } from '../../../generated/validators-bodies.js';
import {
  examplesOf,
  publishedContract,
  writtenOperations,
} from '../../support/openapi/published-contract.js';

interface OpenObject {
  readonly place: string;
}

/** Objects of a schema that take members which they do not name, and do not say so. */
function openObjects(
  document: JsonObject,
  value: JsonValue,
  place: string,
  closedAbove = false,
): readonly OpenObject[] {
  if (!isObject(value)) return [];
  const schema = resolve(document, value, place);
  const says = schema['additionalProperties'] !== undefined || schema['unevaluatedProperties'] !== undefined;
  const isClosed = closedAbove || says;
  const isOpen = schema['type'] === 'object' && !isClosed;
  const below = (inner: JsonValue | undefined, name: string, closed = false): readonly OpenObject[] =>
    inner === undefined ? [] : openObjects(document, inner, `${place}/${name}`, closed);
  return [
    ...(isOpen ? [{ place }] : []),
    ...Object.entries(objectMember(schema, 'properties', place)).flatMap(([name, inner]) =>
      below(inner, name),
    ),
    ...below(schema['items'], 'items'),
    ...below(schema['additionalProperties'], '*'),
    ...listMember(schema, 'allOf', place).flatMap((part, index) =>
      below(part, `allOf/${String(index)}`, schema['unevaluatedProperties'] === false || closedAbove),
    ),
    ...['oneOf', 'anyOf'].flatMap((keyword) =>
      listMember(schema, keyword, place).flatMap((part, index) =>
        below(part, `${keyword}/${String(index)}`, closedAbove),
      ),
    ),
  ];
}

/** The example with a stranger in each of its objects in turn; free-form objects are left out. */
function* withStrangers(
  document: JsonObject,
  value: JsonValue,
  example: JsonValue,
  path = '',
): Generator<readonly [string, JsonValue]> {
  const schema = isObject(value) ? resolve(document, value, path) : {};
  if (Array.isArray(example)) {
    const items = schema['items'] ?? {};
    const given: readonly JsonValue[] = example;
    for (const [index, item] of given.entries())
      for (const [at, changed] of withStrangers(document, items, item, `${path}/${String(index)}`))
        yield [at, given.map((other, place) => (place === index ? changed : other))];
    return;
  }
  if (!isObject(example)) return;
  const extra = schema['additionalProperties'];
  if (extra !== true && !isObject(extra)) yield [`${path}/stranger~1~0`, { ...example, 'stranger/~': 1 }];
  for (const [name, member] of Object.entries(example)) {
    const inner = memberSchemas(document, schema).get(name) ?? extra;
    if (inner === undefined || typeof inner === 'boolean') continue;
    for (const [at, changed] of withStrangers(document, inner, member, `${path}/${name}`))
      yield [at, { ...example, [name]: changed }];
  }
}

function memberSchemas(document: JsonObject, schema: JsonObject): ReadonlyMap<string, JsonValue> {
  const parts = ['allOf', 'oneOf', 'anyOf'].flatMap((keyword) => listMember(schema, keyword, keyword));
  return new Map([
    ...parts.flatMap((part) => [...memberSchemas(document, resolve(document, part, 'part'))]),
    ...Object.entries(objectMember(schema, 'properties', 'schema')),
  ]);
}

async function bodies(): Promise<
  readonly { readonly id: string; readonly schema: JsonValue; readonly examples: readonly JsonValue[] }[]
> {
  const { document } = await publishedContract();
  return writtenOperations(document).flatMap(({ id, written }) => {
    const [tag] = listMember(written, 'tags', id);
    const body = written['requestBody'];
    if (body === undefined || (tag !== 'notifications' && tag !== 'signing')) return [];
    const contents = objectMember(resolve(document, body, id), 'content', id);
    const schema = asObject(contents['application/json'], id)['schema'] ?? null;
    return [{ id, schema, examples: examplesOf(document, body, id).flatMap(([, examples]) => examples) }];
  });
}

describe('the request bodies of notifications and signing', () => {
  it('define the members of every object', async () => {
    const { document } = await publishedContract();
    const all = await bodies();
    expect(all.length).to.be.greaterThan(10);
    expect(all.flatMap(({ id, schema }) => openObjects(document, schema, id))).to.be.empty;
  });

  it('refuse an unknown member at every depth', async () => {
    const { document } = await publishedContract();
    for (const { id, schema, examples } of await bodies()) {
      const check = bodyChecks[id];
      if (check === undefined) throw new Error(`${id} checks no body`);
      for (const example of examples) {
        expect(check(example), id).to.equal(true);
        const strangers = [...withStrangers(document, schema, example)];
        expect(strangers, id).not.to.be.empty;
        for (const [path, body] of strangers) expect(check(body), `${id} ${path}`).to.equal(false);
      }
    }
  });

  it('refuse members that only the service sets', async () => {
    const { document } = await publishedContract();
    const schemas = objectMember(objectMember(document, 'components', 'document'), 'schemas', 'components');
    const requests = Object.entries(schemas).filter(
      ([, schema]) => isObject(schema) && schema['x-dbr-resource'] !== undefined,
    );
    expect(requests.map(([name]) => name)).to.have.members([
      'AccountChange',
      'AccountRequest',
      'AccountShareRequest',
      'CeremonyRequest',
      'PartyChange',
      'PartyRequest',
      'SigningConfigRequest',
      'SigningSessionRequest',
      'TenantNotificationRequest',
      'TopicNotificationRequest',
      'UserNotificationRequest',
    ]);
    for (const { id, schema, examples } of await bodies()) {
      const request = resolve(document, schema, id);
      const name = request['x-dbr-resource'];
      if (name === undefined) continue;
      const resource = resolve(document, { $ref: `#/components/schemas/${asString(name, id)}` }, id);
      const taken = memberSchemas(document, request);
      const check = bodyChecks[id];
      for (const member of Object.keys(objectMember(resource, 'properties', id))) {
        if (taken.has(member)) continue;
        const [example] = examples;
        if (check === undefined || !isObject(example)) throw new Error(`${id} has no example`);
        expect(check({ ...example, [member]: null }), `${id}/${member}`).to.equal(false);
        expect(
          check.errors?.map(({ keyword }) => keyword),
          `${id}/${member}`,
        ).to.include('false schema');
      }
    }
  });
});
