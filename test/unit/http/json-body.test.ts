import { createServer, type Server } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { OperationId } from '../../../generated/operations.js';
import { DbrError } from '../../../src/errors/dbr-error.js';
import { createBodyMemory } from '../../../src/http/body-memory.js';
import { readJsonBody } from '../../../src/http/json-body.js';
import { createUploadRate } from '../../../src/http/upload-rate.js';

const unknown = (path: string) => ({ path, code: 'unknown_member', message: 'is not a known member' });
const readOnly = (path: string) => ({ path, code: 'read_only', message: 'is read-only' });

const bounds = {
  memory: createBodyMemory({ own: 16_777_216, lent: 0 }, null),
  rate: createUploadRate(0, () => 0),
};

const PARTY = {
  partyId: 'a',
  name: 'a',
  role: 'server',
  identityPublicKey: '00'.repeat(32),
  identitySignature: '00'.repeat(64),
};

describe('JSON bodies of notifications and signing', () => {
  let server: Server;
  let url: string;
  /** The error of the last refused body. */
  let refused: unknown;
  before(async () => {
    server = createServer((request, response) => {
      readJsonBody(request, response, bounds, {
        operation: (request.url ?? '').slice(1) as OperationId,
        required: true,
      })
        .catch((error: unknown) => (refused = error))
        .finally(() => response.end());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the server has no port');
    url = `http://127.0.0.1:${String(address.port)}`;
  });
  after(() => server.close());

  async function refusalOf(operation: OperationId, body: unknown): Promise<DbrError> {
    refused = null;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    await fetch(`${url}/${operation}`, { method: 'POST', body: Buffer.from(text) });
    if (!(refused instanceof DbrError)) throw new Error(`${text} was not refused: ${String(refused)}`);
    return refused;
  }

  it('have no coding, and are UTF-8 with or without a byte order mark', async () => {
    const send = async (headers: Readonly<Record<string, string>>, body: Buffer): Promise<unknown> => {
      refused = null;
      await fetch(`${url}/archiveNotifications`, { method: 'POST', body, headers });
      return refused;
    };
    const body = Buffer.from('{"notificationId":"x"}');
    for (const coding of ['gzip', 'deflate, gzip', 'X']) {
      const error = await send(
        { 'Content-Type': 'application/json', 'Content-Encoding': coding },
        gzipSync(body),
      );
      expect(error).to.include({
        ...{ code: 'DBR107', status: 415, message: `Content-Encoding not acceptable: ${coding}` },
      });
      expect(error).to.have.deep.property('headers', { 'Accept-Encoding': 'identity' });
    }
    const latin = await send({ 'Content-Type': 'application/json; charset=latin1' }, body);
    expect(latin).to.include({
      ...{
        code: 'DBR409',
        status: 415,
        message: 'Content-Type not acceptable: application/json; charset=latin1',
      },
    });
    const wide = await send({ 'Content-Type': 'application/json' }, Buffer.from(`\ufeff{}`, 'utf16le'));
    expect(wide).to.include({ code: 'DBR404', status: 400, details: 'the body is not UTF-8' });
    for (const headers of [
      { 'Content-Encoding': 'identity' },
      { 'Content-Type': 'application/json; charset="UTF-8"' },
    ]) {
      const marked = Buffer.concat([Buffer.from('\ufeff'), body]);
      expect(await send({ 'Content-Type': 'application/json', ...headers }, marked)).to.equal(null);
    }
  });

  it('have a bounded depth and number of values', async () => {
    const lists = (count: number) => `[${Array<string>(count).fill('[]').join(',')}]`;
    const members = (count: number) =>
      `{${Array.from({ length: count }, (_, index) => `"k${String(index)}":0`).join(',')}}`;
    const many = 'the body has more than 20000 commas and opening brackets';
    for (const [name, body, details] of [
      ['20,000 lists and commas', lists(10_000), 'the body does not match the schema'],
      ['20,002 lists and commas', lists(10_001), many],
      [
        '20,000 objects and commas',
        lists(10_000).replaceAll('[]', '{}'),
        'the body does not match the schema',
      ],
      ['20,002 objects and commas', lists(10_001).replaceAll('[]', '{}'), many],
      ['20,000 members', members(20_000), "'/k0' is not a known member"],
      ['20,001 members', members(20_001), many],
      ['87,000 members', members(87_000), many],
      ['more, of which none is JSON', ','.repeat(20_001), many],
      [
        'a text of commas, brackets and quotes',
        JSON.stringify({ k: '",[{\\'.repeat(20_001) }),
        "'/k' is not a known member",
      ],
      ['32 levels', '['.repeat(32) + ']'.repeat(32), 'the body does not match the schema'],
      ['33 levels', '['.repeat(33) + ']'.repeat(33), 'the body is nested deeper than 32 levels'],
    ] as const) {
      const error = await refusalOf('updateAccount', body);
      expect([error.status, error.code, error.details], name).to.deep.equal([400, 'DBR404', details]);
    }
  });

  it('name an unknown member', async () => {
    for (const [operation, body, problem] of [
      ['markNotificationsRead', { notificationID: 'x' }, unknown('/notificationID')],
      ['archiveNotifications', { ids: [] }, unknown('/ids')],
      ['cancelSigningSession', { because: 'x' }, unknown('/because')],
      ['updateAccount', { policy: 'deny' }, unknown('/policy')],
      ['createSigningConfig', { signingParties: [], 'a/b~c': 1 }, unknown('/a~1b~0c')],
      ['createSigningConfig', '{"signingParties":[],"__proto__":{}}', unknown('/__proto__')],
      [
        'replaceNotificationPreferences',
        { categories: { news: { inApp: true, email: true } } },
        unknown('/categories/news/email'),
      ],
      ['createNotifications', { userIds: ['u'], type: 't', title: 'T', colour: 'red' }, unknown('/colour')],
      [
        'createNotifications',
        { audience: 'tenant', userIds: ['u'], type: 't', title: 'T' },
        unknown('/userIds'),
      ],
      [
        'createNotifications',
        { userIds: ['u'], type: 't', title: 'T', actor: { type: 'user', id: 'x', name: null, age: 7 } },
        unknown('/actor/age'),
      ],
    ] as const) {
      const error = await refusalOf(operation, body);
      expect([error.status, error.code, error.message], operation).to.deep.equal([
        400,
        'DBR404',
        'Invalid request body',
      ]);
      expect(error.problems, operation).to.deep.equal([problem]);
      expect(error.details).to.equal(`'${problem.path}' is not a known member`);
    }
  });

  it('do not repeat a malformed member name', async () => {
    const error = await refusalOf('updateAccount', { ['s3cret'.repeat(11)]: 1 });
    expect(error.problems).to.deep.equal([
      { path: '', code: 'unknown_member', message: 'has a member that is not known' },
    ]);
    expect(error.details).to.equal("'' has a member that is not known");
  });

  it('name the member that only the service sets', async () => {
    for (const [operation, body, path] of [
      ['updateAccount', { threshold: 3 }, '/threshold'],
      ['updateAccount', { shares: [] }, '/shares'],
      ['updateParty', { role: 'delegate' }, '/role'],
      ['createParty', { ...PARTY, status: 'active' }, '/status'],
      ['createSigningSession', { messageDigest: '00'.repeat(32), state: 'completed' }, '/state'],
      ['createNotifications', { audience: 'tenant', type: 't', title: 'T', isRead: true }, '/isRead'],
    ] as const) {
      const error = await refusalOf(operation, body);
      expect(error.status).to.equal(400);
      expect(error.problems, operation).to.deep.equal([readOnly(path)]);
      expect(error.details).to.equal(`'${path}' is read-only`);
    }
  });

  it('name the violated keyword of a known member', async () => {
    const error = await refusalOf('markNotificationsRead', { notificationId: 7 });
    expect(error.details).to.equal('the body does not match the schema');
    expect(error.problems).to.deep.equal([
      { path: '/notificationId', code: 'type', message: 'must be string' },
    ]);
  });
});
