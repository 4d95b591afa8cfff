/** Relations between the answers to a role with ceilings and to one without. */
import fc from 'fast-check';
import { read } from './arbitrary-requests.js';
import { noteCondition, SEED } from './arbitrary-writes.js';
import { BOUNDED_ROLE, CEILINGS } from './fuzz-database.js';
import type { FuzzClient, FuzzReply } from './fuzz-client.js';
import { pathOf, same, type Relation, type Row } from './relation.js';
import { clear, stateOf } from './relations-of-batches.js';
import {
  conditionsOf,
  conditionText,
  ordersOf,
  pairsOf,
  type Condition,
  type Pair,
  type Read,
} from './request-model.js';
import { answerOf, requestOf, SPACE, type Write } from './write-model.js';

const OPERATORS: ReadonlySet<string> = new Set(CEILINGS.operators);
const ORDERS: ReadonlySet<string> = new Set(CEILINGS.orders);

/** The column of an order term: `film(id).desc`, `details->a`, `words.rank(…)`. */
const orderedColumn = (term: string): string =>
  /^\w+\((\w+)\)/.exec(term)?.[1] ?? /^(?:"[^"]*"|[^.(-])+/.exec(term)?.[0].replaceAll('"', '') ?? '';

/** The code of the refusal for operators and orders; null if the role may use all of them. */
function refusalOf(conditions: readonly Condition[], orders: readonly string[]): string | null {
  if (conditions.some(({ operator }) => !OPERATORS.has(operator))) return 'DBR192';
  return orders.every((term) => ORDERS.has(orderedColumn(term))) ? null : 'DBR193';
}

const bounded = async (client: FuzzClient) => ({ Authorization: await client.tokenOf(BOUNDED_ROLE) });

const codeOf = ({ text }: FuzzReply): unknown => (JSON.parse(text) as Row)['code'];

/** The answers that do not fit. */
const isTooLong = ({ status, text }: FuzzReply): boolean =>
  status < 300 && Buffer.byteLength(text) > CEILINGS.bytes;

/** A read within the ceilings of its role is answered as without them; one over them is refused. */
export const boundedReads: Relation<Read> = {
  arbitrary: read,
  async check({ relation, selection: selected }, client) {
    const request = { method: 'GET', path: pathOf(relation, pairsOf(selected)) };
    const [free, held] = await Promise.all([
      client.send(request),
      client.send({ ...request, headers: await bounded(client) }),
    ]);
    const refusal = refusalOf(conditionsOf(selected), ordersOf(selected));
    if (refusal !== null) same([held.status, codeOf(held)], [403, refusal], request.path);
    else same([held.status, held.text], [free.status, free.text], request.path);
  },
};

/** A body up to the bytes of the role is answered, a longer one is refused. */
export const boundedBytes: Relation<{ readonly fields: number; readonly limit: number }> = {
  arbitrary: fc.record({ fields: fc.integer({ min: 1, max: 90 }), limit: fc.integer({ min: 40, max: 60 }) }),
  async check({ fields, limit }, client) {
    const select = Array.from({ length: fields }, (_, index) => `a${String(index)}:label`).join(',');
    const path = `/films?select=${select}&order=id&limit=${String(limit)}`;
    const [free, held] = await Promise.all([
      client.send({ method: 'GET', path }),
      client.send({ method: 'GET', path, headers: await bounded(client) }),
    ]);
    same(free.status, 200, free.text);
    if (isTooLong(free)) same([held.status, codeOf(held)], [400, 'DBR131'], path);
    else same([held.status, held.text], [200, free.text], path);
  },
};

const ESTIMATE = /cost of (\d+)/;

/** A read is refused below its cost, with the same estimate each time, and answered at its cost. */
export const costs: Relation<Read> = {
  arbitrary: read,
  async check({ relation, selection: selected }, client) {
    const path = pathOf(relation, pairsOf(selected));
    const get = (prefer: string) => client.send({ method: 'GET', path, headers: { Prefer: prefer } });
    const plain = await client.send({ method: 'GET', path });
    const least = await get('max-cost=1');
    const cost = Number(ESTIMATE.exec(least.text)?.[1] ?? 0);
    if (least.status < 400) return same(least.text, plain.text, `${path} below its ceiling`);
    same([least.status, codeOf(least)], [400, 'DBR190'], path);
    const [at, below] = [await get(`max-cost=${String(cost + 1)}`), await get('max-cost=1')];
    same([at.status, at.text], [plain.status, plain.text], `${path} at its cost`);
    same(below.text, least.text, `${path} below its cost`);
  },
};

interface BoundedWrite {
  readonly deletes: boolean;
  readonly conditions: readonly Condition[];
  readonly order: readonly string[];
  readonly label: string;
}

/** A write within the ceilings of its role leaves the rows that it leaves without them; one over them leaves all as it is. */
export const boundedWrites: Relation<BoundedWrite> = {
  arbitrary: fc.record({
    deletes: fc.boolean(),
    conditions: fc.array(noteCondition, { maxLength: 2 }),
    order: fc.constantFrom<readonly string[]>([], ['id.desc'], ['label.asc', 'id'], ['amount', 'id']),
    // With all rows, the longest exceeds the bytes of the role, which hold for reads alone.
    label: fc.constantFrom('a', 'ä"'.repeat(40), 'x'.repeat(12_000)),
  }),
  async check({ deletes, conditions, order, label }, client) {
    const filters = conditions.map((each): Pair => [each.column, conditionText(each)]);
    const limited: readonly Pair[] = order.length === 0 ? [] : [...limitOf(order), ['limit', '9']];
    const change: Write = {
      ...{ method: deletes ? 'DELETE' : 'PATCH', relation: 'notes', prefer: ['return=representation'] },
      pairs: [['space', `eq.${SPACE}`], ...filters, ...limited],
      ...(deletes ? {} : { body: { extra: label } }),
    };
    const [free, held] = [client.space(), client.space()];
    for (const space of [free, held]) await client.send(requestOf(SEED, space));
    const before = await stateOf(client, held);
    const without = await client.send(requestOf(change, free));
    const sent = requestOf(change, held);
    const within = await client.send({ ...sent, headers: { ...sent.headers, ...(await bounded(client)) } });
    const states = [await stateOf(client, free), await stateOf(client, held)];
    await clear(client, [free, held]);
    const refusal = refusalOf(conditions, order);
    if (refusal === null) {
      same(answerOf(within, held), answerOf(without, free), 'a write within its ceilings');
      return same(states[1], states[0], 'the rows after a write within its ceilings');
    }
    same(codeOf(within), refusal, 'a write over its ceilings');
    same(states[1], before, 'the rows after a write over its ceilings');
  },
};

const limitOf = (order: readonly string[]): readonly Pair[] => [['order', order.join(',')]];
