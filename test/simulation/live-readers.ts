/** Readers of live answers, and what their streams must have in the end. Events are folded here, without code of the service. */
import { policyOfRooms, ROOMS } from './database.js';
import type { FollowedEvent } from './event-client.js';
import type { Random } from './random.js';
import { json, type Plan } from './requests.js';

const QUERIES = [
  '/rooms?order=id',
  '/rooms?order=rank.desc,id&limit=3',
  '/rooms?order=rank,id&limit=2&offset=1',
  '/rooms?order=rank,id&limit=2',
  '/rooms?rank=gt.4&order=id',
  '/rooms?area=eq.1&order=id',
  '/rooms?area=eq.1&select=id,rank&order=rank,id&limit=2&offset=1',
  '/rooms?select=id,items(number)&order=id&items.order=number',
] as const;

/** Queries of a client, each once. Two clients have all. */
export function liveQueries(random: Random, client: number): readonly string[] {
  const count = QUERIES.length / 2;
  return shuffled(random, QUERIES)
    .slice((client % 2) * count)
    .slice(0, count);
}

function shuffled<Value>(random: Random, values: readonly Value[]): readonly Value[] {
  const rest = [...values];
  return values.flatMap(() => rest.splice(random.below(rest.length), 1));
}

const WORK = [
  ...(['add', 'add', 'rank', 'rank', 'move', 'remove', 'remove-first'] as const),
  ...(['renumber', 'item', 'item', 'no-items', 'seat', 'seat', 'all'] as const),
] as const;

type Work = (typeof WORK)[number];

const drawnChange = (random: Random, what: Work = random.pick(WORK)) => ({
  what,
  room: random.below(8),
  number: random.below(10),
});

/** Changes rooms by a function of their owner, which sees them all. */
const changeRooms: Plan = (context) => ({
  wire: {
    method: 'POST',
    path: '/rpc/change_rooms',
    headers: json(context),
    body: JSON.stringify(drawnChange(context.random)),
  },
  statuses: [200, 204],
  check: () => null,
});

export const LIVE_OPERATIONS = { changeRooms } as const;

/** What happens before a quiet moment, after which each live answer must be true. */
export interface Moment {
  /** The change, as statements. */
  readonly script: string;
  /** Of the rows that change. */
  readonly tenant: number;
  /** Another reader begins. */
  readonly path: string;
  readonly trouble: Trouble;
}

type Trouble =
  | { readonly kind: 'none' }
  /** A reader loses its connection before the change. */
  | { readonly kind: 'cut' }
  /** The log has the change before a snapshot sees it, by so many milliseconds. */
  | { readonly kind: 'ahead'; readonly milliseconds: number }
  /** The connection to the log is lost with the change. */
  | { readonly kind: 'lost' }
  /** A policy changes, and no row. */
  | { readonly kind: 'policy' };

interface Card {
  readonly kind: Trouble['kind'];
  readonly what: Work;
}

const card = (kind: Card['kind'], what: Work): Card => ({ kind, what });

const DECK = [
  ...[card('none', 'remove-first'), card('none', 'remove'), card('none', 'rank'), card('none', 'all')],
  ...[card('none', 'item'), card('none', 'move'), card('none', 'seat'), card('policy', 'rank')],
  ...[card('ahead', 'all'), card('cut', 'rank'), card('lost', 'all')],
] as const;

/**
 * The moments of a schedule. At the first one, rooms are as at the start, so that each later change has some.
 * @param tenants one of them for each client
 */
export function drawMoments(random: Random, tenants: readonly number[]): readonly Moment[] {
  const [tenant = NaN] = tenants;
  const first: Moment = { script: ROOMS, tenant, path: QUERIES[0], trouble: { kind: 'none' } };
  return [first, ...shuffled(random, DECK).map((drawn, index) => momentOf(random, drawn, tenants, index))];
}

function momentOf(random: Random, { kind, what }: Card, tenants: readonly number[], index: number): Moment {
  const { room, number } = drawnChange(random, what);
  const tenant = tenants[random.below(tenants.length)] ?? NaN;
  return {
    tenant,
    script:
      kind === 'policy'
        ? policyOfRooms(`id % 3 <> ${String(number % 3)}`)
        : `select set_config('request.jwt.claims', '{"tenant":${String(tenant)}}', true);
           select api.change_rooms('${what}', ${String(room)}, ${String(number)})`,
    path: `${random.pick(QUERIES)}&id=neq.${String(index)}`,
    trouble: kind === 'ahead' ? { kind, milliseconds: random.between(60, 150) } : { kind },
  };
}

interface Change {
  readonly key?: readonly string[];
  readonly upsert?: readonly Row[];
  readonly delete?: readonly (readonly unknown[])[];
  readonly order?: readonly (readonly unknown[])[];
}

type Row = Readonly<Record<string, unknown>>;

/** Folds the events of a stream over all its connections. @returns what is wrong with them, and the rows */
export function foldLive(
  events: readonly FollowedEvent[],
  tenant: number,
): { readonly problems: readonly string[]; readonly rows: readonly Row[] } {
  const problems: string[] = [];
  let rows: readonly Row[] = [];
  for (const { event, data } of events) {
    if (event === 'end') continue;
    if (event === 'snapshot') rows = JSON.parse(data) as Row[];
    else {
      const { key = [], upsert = [], delete: deleted = [], order } = JSON.parse(data) as Change;
      const keyOf = (row: Row): string => JSON.stringify(key.map((name) => row[name]));
      const byKey = new Map(rows.map((row) => [keyOf(row), row]));
      for (const gone of deleted)
        if (!byKey.delete(JSON.stringify(gone)))
          problems.push(`deletes ${JSON.stringify(gone)}, which was not there`);
      for (const row of upsert) byKey.set(keyOf(row), row);
      rows =
        order === undefined
          ? [...byKey.values()]
          : order.map((each) => byKey.get(JSON.stringify(each)) ?? {});
    }
    const foreign = rows.find(({ id }) => Math.floor(Number(id) / 1000) !== tenant);
    if (foreign !== undefined) problems.push(`a row of another tenant: ${JSON.stringify(foreign)}`);
  }
  return { problems, rows };
}
