import { expect } from 'chai';
import { DbrError } from '../../../../src/errors/dbr-error.js';
import { planOf, type RequestParts } from '../../../support/data-api/planned.js';

function refusalOf(line: string, parts: RequestParts = {}): DbrError {
  try {
    planOf(line, parts);
  } catch (error) {
    if (error instanceof DbrError) return error;
    throw error;
  }
  throw new Error(`${line} was not refused`);
}

const json = { 'content-type': 'application/json' };

/** Line, name of the error, status, and other members. */
const REFUSALS: readonly (readonly [
  line: string,
  name: string,
  status: number,
  text: string,
  parts?: RequestParts,
])[] = [
  ['GET /films?nope.id=eq.1', 'NotEmbedded', 400, `'nope' is not an embedded resource in this request`],
  [
    'GET /films?select=id,roles(part)&roles.people.id=eq.1',
    'NotEmbedded',
    400,
    `'people' is not an embedded`,
  ],
  ['GET /films?nope.order=id', 'NotEmbedded', 400, `'nope'`],
  ['GET /films?nope.limit=1', 'NotEmbedded', 400, `'nope'`],
  ['GET /films?nope.or=(id.eq.1)', 'NotEmbedded', 400, `'nope'`],
  ['GET /films?select=id&order=specs(aspect)', 'NotEmbedded', 400, `'specs'`],
  [
    'GET /films?select=roles(part)&order=roles(part)',
    'RelatedOrderNotPossible',
    400,
    `'films' and 'roles' do not form`,
  ],
  [
    'PATCH /films?select=id,roles!inner(part)&roles.part=eq.x',
    'InnerWriteNotPossible',
    400,
    `'roles' does not choose the rows of a write`,
    { headers: json, body: '{"title":"x"}' },
  ],
  ['DELETE /films?id=eq.1&select=roles!inner()', 'InnerWriteNotPossible', 400, `'roles' does not choose`],
  ['GET /films?select=id,roles(part),roles(id)', 'EmbedNameTwice', 400, `alias:roles(…)`],
  [
    'GET /films?select=roles(people(id),people(name))',
    'EmbedNameTwice',
    400,
    `of 'roles' have the name 'people'`,
  ],
  ['GET /films?select=...roles(part)', 'SpreadNotPossible', 400, `'films' and 'roles' do not form`],
  ['GET /films?select=roles(part)&roles=eq.1', 'UnacceptableEmbedFilter', 400, `'roles' embedded resource`],
  ['GET /films?select=roles(part)&or=(roles.gt.1,id.eq.1)', 'UnacceptableEmbedFilter', 400, `'roles'`],
  [
    'GET /films?select=nope(id)',
    'RelationshipNotFound',
    400,
    `between 'films' and 'nope' in the schema 'api'`,
  ],
  [
    'GET /films?select=people!nope(id)',
    'RelationshipNotFound',
    400,
    `using the hint 'nope' in the schema 'api'`,
  ],
  [
    'GET /films?select=people(id)',
    'AmbiguousRelationship',
    300,
    `'people!films_director_fk', 'people!films_producer_fk', 'people!roles'`,
  ],
  [
    'GET /films?select=id.sum()',
    'AggregatesNotAllowed',
    400,
    'aggregate',
    { context: { aggregatesEnabled: false } },
  ],
  [
    'GET /films?select=id,roles(count())',
    'AggregatesNotAllowed',
    400,
    '',
    { context: { aggregatesEnabled: false } },
  ],
  [
    'GET /roles?select=...films(id.sum())',
    'AggregatesNotAllowed',
    400,
    '',
    { context: { aggregatesEnabled: false } },
  ],
  ['GET /films', 'UnacceptableMediaType', 406, 'text/html', { headers: { accept: 'text/html' } }],
  [
    'GET /films?select=id',
    'UnacceptableMediaType',
    406,
    'x-list',
    { headers: { accept: 'application/x-list' } },
  ],
  ['GET /films', 'UnacceptableMediaType', 406, 'plan', { headers: { accept: 'application/vnd.pgrst.plan' } }],
  ['GET /films', 'InvalidPreferences', 400, 'a=b', { headers: { prefer: 'handling=strict, a=b' } }],
  ['POST /nowhere', 'TableNotFound', 404, `'api.nowhere'`, { body: '{"a":1}', headers: json }],
  ['POST /films', 'ColumnNotFound', 400, `'nope' column of 'films'`, { body: '{"nope":1}', headers: json }],
  ['POST /films', 'ColumnNotFound', 400, `'__proto__'`, { body: '{"__proto__":1}', headers: json }],
  ['POST /films?columns=nope', 'ColumnNotFound', 400, `'nope'`, { body: '{}', headers: json }],
  ['PUT /films', 'InvalidPut', 405, 'primary key', { body: '{"id":1}', headers: json }],
  ['PUT /films?id=gt.1', 'InvalidPut', 405, '', { body: '{"id":1}', headers: json }],
  ['PUT /films?id=not.eq.1', 'InvalidPut', 405, '', { body: '{"id":1}', headers: json }],
  ['PUT /films?id=eq(any).{1}', 'InvalidPut', 405, '', { body: '{"id":1}', headers: json }],
  ['PUT /films?id=eq.1&year=eq.1', 'InvalidPut', 405, '', { body: '{"id":1}', headers: json }],
  ['PUT /films?id=eq.1&or=(id.eq.1)', 'InvalidPut', 405, '', { body: '{"id":1}', headers: json }],
  ['PUT /roles?film_id=eq.1&film_id=eq.2', 'InvalidPut', 405, '', { body: '{"film_id":1}', headers: json }],
  ['PUT /notes?line=eq.1', 'InvalidPut', 405, '', { body: '{"line":1}', headers: json }],
  ['PUT /films?id=eq.1', 'PutKeyMismatch', 400, '', { body: '{"title":"x"}', headers: json }],
  ['GET /rpc/nope', 'FunctionNotFound', 404, 'api.nope without parameters'],
  ['GET /rpc/add?b=1', 'FunctionNotFound', 404, 'api.add with parameter b'],
  ['GET /rpc/add?a=1&c=1', 'FunctionNotFound', 404, 'api.add with parameters a, c'],
  [
    'POST /rpc/add',
    'FunctionNotFound',
    404,
    'or with a single unnamed json/jsonb parameter',
    { body: '{"x":1}' },
  ],
  [
    'POST /rpc/add',
    'FunctionNotFound',
    404,
    'with a single unnamed text parameter',
    { body: 'x', headers: { 'content-type': 'text/plain' } },
  ],
  [
    'POST /rpc/add',
    'FunctionNotFound',
    404,
    'with a single json/jsonb parameter',
    { body: '{"a":1}', headers: { prefer: 'params=single-object' } },
  ],
  [
    'GET /rpc/add?a=1&b=2',
    'FunctionNotFound',
    404,
    'with a single json/jsonb parameter',
    { headers: { prefer: 'params=single-object' } },
  ],
  [
    'POST /rpc/take',
    'InvalidPayload',
    400,
    'All object keys must match',
    { body: '[{"a":1},{"b":1}]', headers: { prefer: 'params=single-object' } },
  ],
  ['GET /rpc/take', 'FunctionNotFound', 404, 'without parameters'],
  [
    'GET /rpc/measure?size=1',
    'AmbiguousFunction',
    300,
    'api.measure(size => integer), api.measure(size => text)',
  ],
  ['POST /rpc/add', 'InvalidPayload', 400, 'All object keys must match', { body: '[{"a":1},{"b":1}]' }],
  ['OPTIONS /nowhere', 'TableNotFound', 404, ''],
  ['GET /', 'InvalidPath', 404, '', { context: { root: { kind: 'disabled' } } }],
  ['GET /', 'UnacceptableMediaType', 406, 'text/csv', { headers: { accept: 'text/csv' } }],
];

describe('planning refuses', () => {
  for (const [line, name, status, text, parts] of REFUSALS) {
    it(`${line} ${JSON.stringify(parts ?? {})} as ${name}`, () => {
      const error = refusalOf(line, parts);
      expect(error.name).to.equal(name);
      expect(error.status).to.equal(status);
      expect(JSON.stringify([error.message, error.details, error.hint])).to.contain(text);
    });
  }

  const unknown = { prefer: 'handling=strict, foo' };
  const image = { accept: 'image/webp' };
  const FAULTS: readonly (readonly [about: string, line: string, parts: RequestParts, name: string])[] = [
    [
      'an embed before preferences',
      'GET /films?select=nope(id)',
      { headers: unknown },
      'RelationshipNotFound',
    ],
    ['an embed before Accept', 'GET /films?select=nope(id)', { headers: image }, 'RelationshipNotFound'],
    [
      'Accept before preferences, by GET',
      'GET /films',
      { headers: { ...unknown, ...image } },
      'UnacceptableMediaType',
    ],
    [
      'Accept before preferences, of a call',
      'GET /rpc/add?a=1',
      { headers: { ...unknown, ...image } },
      'UnacceptableMediaType',
    ],
    [
      'preferences before Accept, by POST',
      'POST /films',
      { body: '{}', headers: { ...unknown, ...image } },
      'InvalidPreferences',
    ],
    [
      'preferences before Accept, by DELETE',
      'DELETE /films',
      { headers: { ...unknown, ...image } },
      'InvalidPreferences',
    ],
    [
      'an embed before a column',
      'POST /films?select=nope(id)',
      { body: '{"nope":1}' },
      'RelationshipNotFound',
    ],
    [
      'a column before preferences',
      'POST /films',
      { body: '{"nope":1}', headers: unknown },
      'ColumnNotFound',
    ],
    [
      'the key of a PUT before preferences',
      'PUT /films?year=eq.1',
      { body: '{"id":1}', headers: unknown },
      'InvalidPut',
    ],
    [
      'an embed before the key of a PUT',
      'PUT /films?year=eq.1&select=nope(id)',
      { body: '{"id":1}' },
      'RelationshipNotFound',
    ],
    ['an unknown function before preferences', 'GET /rpc/nope', { headers: unknown }, 'FunctionNotFound'],
    [
      'preferences when all else is right',
      'GET /films?select=id',
      { headers: unknown },
      'InvalidPreferences',
    ],
  ];
  for (const [about, line, parts, name] of FAULTS) {
    it(`of several faults ${about}`, () => {
      expect(refusalOf(line, parts).name).to.equal(name);
    });
  }

  it('an impossible embed, in every write with any preference', () => {
    const body = '{"id":1}';
    for (const wanted of ['minimal', 'headers-only', 'representation']) {
      for (const line of [
        'POST /films?',
        'PATCH /films?id=eq.1&',
        'PUT /films?id=eq.1&',
        'DELETE /films?id=eq.1&',
      ]) {
        const parts = { body, headers: { prefer: `return=${wanted}` } };
        expect(refusalOf(`${line}select=nope(id)`, parts).name).to.equal('RelationshipNotFound');
        expect(refusalOf(`${line}select=...roles(part)`, parts).name).to.equal('SpreadNotPossible');
      }
    }
  });

  it('an ambiguous embed with all candidates', () => {
    expect(refusalOf('GET /films?select=people(id)').details).to.deep.equal([
      {
        cardinality: 'many-to-one',
        embedding: 'films with people',
        relationship: 'films_director_fk using films(director_id) and people(id)',
      },
      {
        cardinality: 'many-to-one',
        embedding: 'films with people',
        relationship: 'films_producer_fk using films(producer_id) and people(id)',
      },
      {
        cardinality: 'many-to-many',
        embedding: 'films with people',
        relationship: 'roles using roles_film_id_fkey(film_id) and roles_person_id_fkey(person_id)',
      },
    ]);
  });
});
