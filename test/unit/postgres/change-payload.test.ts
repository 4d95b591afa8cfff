import { expect } from 'chai';
import { changedPayloads, presencePayload, readPayload } from '../../../src/postgres/change-feed.js';
import { hashKey } from '../../../src/postgres/watch-sets.js';

const SENDER = hashKey('a process');
const hashes = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => hashKey(String(index)));

describe('payloads of change notifications', () => {
  it('can be parsed after rendering', () => {
    for (const kind of ['joined', 'present', 'left'] as const)
      expect(readPayload(presencePayload(SENDER, kind))).to.deep.equal({ kind, sender: SENDER });
    const [payload = ''] = changedPayloads(SENDER, 'session', hashes(2));
    expect(readPayload(payload)).to.deep.equal({
      kind: 'changed',
      sender: SENDER,
      topic: 'session',
      hashes: hashes(2),
    });
  });

  it('stay below the 8,000 bytes of PostgreSQL, however many keys have changed', () => {
    for (const count of [1, 300, 301, 3000, 3001, 100_000]) {
      const payloads = changedPayloads(SENDER, 'a-topic-with-a-name-of-30-chars', hashes(count));
      expect(payloads.length).to.be.lessThan(11);
      for (const payload of payloads) expect(Buffer.byteLength(payload)).to.be.lessThan(8000);
    }
  });

  it('name all keys up to 3,000, and beyond that stand for any key', () => {
    const read = changedPayloads(SENDER, 'session', hashes(3000)).map(readPayload);
    expect(
      read.flatMap((payload) => (payload?.kind === 'changed' ? (payload.hashes ?? []) : [])),
    ).to.deep.equal(hashes(3000));
    const [any = '', ...more] = changedPayloads(SENDER, 'session', hashes(3001));
    expect(more).to.deep.equal([]);
    expect(readPayload(any)).to.deep.include({ topic: 'session', hashes: null });
  });

  it('hold no key', () => {
    const [payload = ''] = changedPayloads(SENDER, 'session', [hashKey('["acme","node-a"]')]);
    expect(payload).to.not.include('acme').and.not.include('node-a');
  });

  it('are ignored if they are malformed', () => {
    const [good = ''] = changedPayloads(SENDER, 'session', hashes(2));
    const bad = [
      '',
      'reload schema',
      good.slice(0, -1),
      `${good} `,
      `${good}\n`,
      good.replace('dbr1', 'dbr2'),
      good.replace('session', 'Session; drop'),
      good.replace(SENDER, 'x'),
      `dbr1 ${SENDER} changed session`,
      `dbr1 ${SENDER} changed session ../../etc/passwd`,
      `dbr1 ${SENDER} arrived`,
      'x'.repeat(7999),
      `dbr1 ${SENDER} changed session ${'a'.repeat(7900)}`,
    ];
    for (const text of bad) expect(readPayload(text), text).to.equal(null);
  });
});
