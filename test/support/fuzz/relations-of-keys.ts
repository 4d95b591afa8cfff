/** Relations between requests with an idempotency key and the same requests without one. */
import fc from 'fast-check';
import { inserts, SEED, write } from './arbitrary-writes.js';
import type { FuzzClient, FuzzReply, FuzzRequest } from './fuzz-client.js';
import { same, type Relation, type Row } from './relation.js';
import { clear, stateOf } from './relations-of-batches.js';
import { answerOf, answersOfBatch, batchOf, errorOf, requestOf, type Write } from './write-model.js';

interface KeyCase {
  /** One insert, or the items of a batch. */
  readonly writes: readonly Write[];
  readonly isBatch: boolean;
  readonly rollsBack: boolean;
  /** Requests that are sent at the same time. */
  readonly copies: number;
  readonly other: Write;
}

const keyCase: fc.Arbitrary<KeyCase> = fc
  .record({
    insert: inserts,
    items: fc.array(write, { minLength: 1, maxLength: 3 }),
    isBatch: fc.boolean(),
    rollsBack: fc.integer({ min: 0, max: 4 }).map((each) => each === 0),
    copies: fc.integer({ min: 1, max: 4 }),
    other: inserts,
  })
  .map(({ insert, items, ...more }) => ({ ...more, writes: more.isBatch ? items : [insert] }));

function sentOf({ writes, isBatch, rollsBack }: KeyCase, space: number): FuzzRequest {
  const [first] = writes;
  if (isBatch || first === undefined) return batchOf(writes, space, rollsBack ? 'tx=rollback' : '');
  return requestOf(rollsBack ? { ...first, prefer: ['tx=rollback', ...first.prefer] } : first, space);
}

const withKey = (sent: FuzzRequest, key: string): FuzzRequest => ({
  ...{ ...sent, alone: true },
  headers: { ...sent.headers, 'Idempotency-Key': `"${key}"` },
});

/** The answer without the number of the case. The rows of a change have no order. */
const plainOf = (reply: FuzzReply, { isBatch }: KeyCase, space: number): unknown => {
  if (!isBatch) return answerOf(reply, space);
  return reply.status === 200 ? answersOfBatch(reply, space) : [reply.status, errorOf(reply.text)];
};

const isRunning = ({ text }: FuzzReply): boolean => text.includes('"DBR164"');

/** What a repetition must have from the first answer. */
const repeated = ({ status, headers, text }: FuzzReply) => ({
  ...{ status, text },
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !UNREPEATED.has(name))),
});

const UNREPEATED: ReadonlySet<string> = new Set(['date', 'connection', 'keep-alive', 'x-request-id']);

/** With one key, copies of a request are answered alike and done once; another request is refused and changes nothing. */
export const repeats: Relation<KeyCase> = {
  arbitrary: keyCase,
  async check(each, client) {
    const [plain, keyed] = [client.space(), client.space()];
    for (const space of [plain, keyed]) await client.send(requestOf(SEED, space));
    const expected = plainOf(await client.send(sentOf(each, plain)), each, plain);
    const key = `key of ${String(keyed)}`;
    const request = withKey(sentOf(each, keyed), key);
    const copies = await Promise.all(Array.from({ length: each.copies }, () => client.send(request)));
    const answers = [...copies.filter((reply) => !isRunning(reply)), await client.send(request)];
    for (const answer of answers) same(plainOf(answer, each, keyed), expected, 'the answer with a key');
    const [first] = answers;
    // A request that only reads keeps nothing.
    const writes = each.writes.some(({ method }) => method !== 'GET');
    const isKept = first !== undefined && first.status < 400 && writes && !each.rollsBack;
    if (isKept)
      for (const answer of answers) same(repeated(answer), repeated(first), 'the answer of a repetition');
    const [state, once] = [await stateOf(client, keyed), await stateOf(client, plain)];
    same(state, once, 'the rows after repetitions');
    if (isKept) await refuseOther(each, client, keyed, key);
    await clear(client, [plain, keyed]);
  },
};

/** Another request with a known key gets DBR163 and changes nothing. */
async function refuseOther(each: KeyCase, client: FuzzClient, space: number, key: string): Promise<void> {
  const other = requestOf(each.other, space);
  const { path, body } = sentOf(each, space);
  if (other.path === path && other.body === body) return;
  const before = await stateOf(client, space);
  const refused = await client.send(withKey(other, key));
  same([refused.status, (JSON.parse(refused.text) as Row)['code']], [422, 'DBR163'], 'another request');
  same(await stateOf(client, space), before, 'the rows after another request');
}
