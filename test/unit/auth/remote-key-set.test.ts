import { expect } from 'chai';
import { gzipSync } from 'node:zlib';
import { type KeySetPolicy, openRemoteKeySet, type RemoteKeySet } from '../../../src/auth/remote-key-set.js';
import type { KeyAddress } from '../../../src/auth/key-address.js';
import type { Observation } from '../../../src/observability/observation.js';
import {
  startTestIssuer,
  type Fault,
  type TestIssuer,
  type TestIssuerOptions,
} from '../../support/auth/test-issuer.js';

interface Opened {
  readonly issuer: TestIssuer;
  readonly set: RemoteKeySet;
  readonly observed: Observation[];
  removals: number;
}

const POLICY: KeySetPolicy = { refreshMs: 600_000, refetchMs: 1, maxStaleMs: null, timeoutMs: 10_000 };

describe('a key set of an issuer', function () {
  this.timeout(120_000);
  const opened: Opened[] = [];

  async function open(
    options: TestIssuerOptions = {},
    policy: Partial<KeySetPolicy> = {},
    addressOf: (issuer: TestIssuer) => KeyAddress = ({ issuer }) => ({ kind: 'issuer', issuer }),
  ): Promise<Opened> {
    const issuer = await startTestIssuer(options);
    const observed: Observation[] = [];
    const result: Opened = {
      issuer,
      observed,
      removals: 0,
      set: openRemoteKeySet({
        address: addressOf(issuer),
        policy: () => ({ ...POLICY, ...policy }),
        authorities: () => Promise.resolve(undefined),
        observe: (observation) => void observed.push(observation),
        onKeysRemoved: () => void (result.removals += 1),
      }),
    };
    opened.push(result);
    return result;
  }

  afterEach(async () => {
    for (const { issuer, set } of opened.splice(0)) {
      set.close();
      await issuer.close();
    }
  });

  const kids = ({ set }: Opened): readonly (string | null)[] | undefined => set.keys()?.map(({ kid }) => kid);

  it('is found by the metadata of the issuer, or at the address of the settings', async () => {
    const found = await open();
    await found.set.nextLoad();
    expect(found.issuer.requests).to.deep.equal(['/.well-known/openid-configuration', '/keys']);
    expect(kids(found)).to.deep.equal(['key-1']);
    const direct = await open({}, {}, ({ jwksUri }) => ({ kind: 'key-set', uri: jwksUri }));
    await direct.set.nextLoad();
    expect(direct.issuer.requests).to.deep.equal(['/keys']);
    expect(kids(direct)).to.deep.equal(['key-1']);
  });

  it('reports the withdrawal of keys, and of no others', async () => {
    const it = await open();
    await it.set.nextLoad();
    it.issuer.rotate();
    await it.set.nextLoad();
    expect([kids(it), it.removals]).to.deep.equal([['key-2', 'key-1'], 0]);
    it.issuer.retireOldKeys();
    await it.set.nextLoad();
    expect([kids(it), it.removals]).to.deep.equal([['key-2'], 1]);
    it.issuer.publishNothing();
    await it.set.nextLoad();
    expect([kids(it), it.removals]).to.deep.equal([[], 2]);
  });

  const faults: readonly (readonly [what: string, fault: Fault, reason: string])[] = [
    ['an error', (response) => response.writeHead(500).end(), 'the response has status 500'],
    [
      'a redirect',
      (response) => response.writeHead(302, { Location: 'http://localhost/keys' }).end(),
      'the response is a redirect (302), which is not followed',
    ],
    ['a page', (response) => response.end('<html>'), 'the response is not JSON in UTF-8'],
    [
      'bytes',
      (response) => response.end(Buffer.from([0x22, 0xff, 0x22])),
      'the response is not JSON in UTF-8',
    ],
    [
      'a huge document',
      (response) => response.end(Buffer.alloc(300_000, ' ')),
      'the response is longer than 262144 bytes',
    ],
    ['an endless document', endless, 'the response is longer than 262144 bytes'],
    [
      'a packed document',
      (response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync('{"keys":[]}')),
      'the response has a content coding that was not asked for',
    ],
    ['a broken connection', (response) => response.socket?.destroy(), 'socket hang up'],
    [
      'half a document',
      (response) =>
        response.writeHead(200, { 'Content-Length': '50' }).write('{', () => response.socket?.destroy()),
      'aborted',
    ],
    [
      'JSON that is no key set',
      (response, path) => response.end(metadataOr(path, '{"key":[]}')),
      'it is not a JWK set',
    ],
    [
      'too many keys',
      (response, path) =>
        response.end(metadataOr(path, JSON.stringify({ keys: Array.from({ length: 101 }, () => ({})) }))),
      'the key set has more than 100 keys',
    ],
  ];
  /** The metadata at their path, elsewhere the text. */
  let base = '';
  function metadataOr(path: string, text: string): string {
    return path === '/keys' ? text : JSON.stringify({ issuer: base, jwks_uri: `${base}/keys` });
  }

  for (const [what, fault, reason] of faults)
    it(`stays as it was when the issuer answers with ${what}`, async () => {
      const it = await open();
      base = it.issuer.issuer;
      await it.set.nextLoad();
      it.issuer.fault = fault;
      await it.set.nextLoad();
      expect(it.observed.at(-1)).to.include({ kind: 'key-set-failed', error: reason, hasCopy: true });
      expect(kids(it)).to.deep.equal(['key-1']);
      it.issuer.fault = null;
      it.issuer.rotate();
      await it.set.nextLoad();
      expect(it.observed.at(-1)).to.include({ kind: 'key-set-loaded', afterFailures: 1 });
      expect(kids(it)).to.deep.equal(['key-2', 'key-1']);
    });

  it('keeps its keys when the issuer does not respond in time', async () => {
    const it = await open({}, { timeoutMs: 500 });
    while (it.set.keys() === null) await it.set.nextLoad();
    it.issuer.fault = () => undefined;
    await it.set.nextLoad();
    expect(it.observed.at(-1)).to.include({ error: 'no complete response within 0.5 s', hasCopy: true });
  });

  it('has no keys when its last loaded copy is too old', async () => {
    const it = await open({}, { maxStaleMs: 0 });
    await it.set.nextLoad();
    await it.issuer.close();
    await it.set.nextLoad();
    expect(it.observed.at(-1)).to.include({ kind: 'key-set-failed', hasCopy: false });
    expect([it.set.keys(), it.removals]).to.deep.equal([null, 1]);
    await it.issuer.open();
    await it.set.nextLoad();
    expect(kids(it)).to.deep.equal(['key-1']);
  });

  it('refuses metadata of another issuer, and metadata that name another machine without TLS', async () => {
    const other = await open({ namedIssuer: 'https://other.example' });
    await other.set.nextLoad();
    expect(other.observed.at(-1)).to.include({ error: 'the metadata are of another issuer', hasCopy: false });
    for (const uri of [
      'http://keys.example/',
      'ftp://localhost/',
      'https://a:b@keys.example/',
      7,
      undefined,
    ]) {
      const it = await open();
      it.issuer.fault = (response) =>
        response.end(JSON.stringify({ issuer: it.issuer.issuer, jwks_uri: uri }));
      await it.set.nextLoad();
      await it.set.nextLoad();
      expect(it.observed.at(-1)).to.include({
        error: 'the metadata name no https address of a key set in "jwks_uri"',
      });
      expect(it.issuer.requests).not.to.include('/keys/');
    }
  });

  it('is refreshed at the interval, which the issuer cannot lengthen', async () => {
    const it = await open({}, { refreshMs: 20 });
    it.issuer.cacheControl = 'max-age=3600';
    while (it.observed.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(it.observed.map(({ kind }) => kind)).to.deep.equal(
      Array(it.observed.length).fill('key-set-loaded'),
    );
  });

  it('is loaded once for all waiting callers, and not more often than the rate allows', async () => {
    const it = await open({}, { refetchMs: 300 });
    const results = await Promise.all(Array.from({ length: 150 }, () => it.set.nextLoad()));
    expect(results.filter((waited) => waited)).to.have.length(100);
    expect(it.observed).to.have.length(1);
    const begunMs = performance.now();
    const again = await Promise.all(Array.from({ length: 20 }, () => it.set.nextLoad()));
    expect(again).not.to.include(false);
    expect(it.observed).to.have.length(2);
    expect(it.set.loadedSince(begunMs)).to.equal(true);
  });

  it('waits for no load after it is closed', async () => {
    const it = await open();
    it.issuer.fault = () => undefined;
    const waiting = it.set.nextLoad();
    it.set.close();
    await waiting;
    expect(await it.set.nextLoad()).to.equal(false);
    expect(it.observed).to.deep.equal([]);
  });
});

/** Sends pieces as long as the client reads. */
function endless(response: Parameters<Fault>[0]): void {
  const send = (): void => {
    // Newer versions of Node.js call back before the event loop runs, in which the reader ends the connection.
    const next = (error?: Error | null): unknown => (error ? null : setImmediate(send));
    if (!response.destroyed) response.write(Buffer.alloc(65_536, ' '), next);
  };
  send();
}
