/** The auditor: compares what clients were answered with what the database holds. It knows nothing of how the service works. */
import { TENANTS } from './database.js';
import type { Effect } from './requests.js';

/** What a client knows about a write. */
export interface Write {
  readonly name: string;
  readonly tenant: number;
  readonly user: string;
  /** In milliseconds; infinite while the outcome is unknown. */
  readonly sentAt: number;
  readonly doneAt: number;
  readonly effect: Effect;
  readonly outcome: 'acknowledged' | 'refused' | 'unknown';
}

export const AUDIT = `
select (select coalesce(json_agg(m), '[]') from (select mark, tenant, count(*)::int as count from api.marks group by 1, 2) as m)::text as marks,
       (select coalesce(json_agg(o), '[]') from (
          select mark, tenant,
                 (select count(*)::int from api.lines where order_id = orders.id and lines.tenant = orders.tenant) as lines
            from api.orders) as o)::text as orders,
       (select coalesce(json_agg(n), '[]') from (select tenant, key, value from api.notes) as n)::text as notes,
       (select json_object_agg(tenant, value) from api.counters)::text as counters`;

interface Mark {
  readonly mark: string;
  readonly tenant: number;
  readonly count: number;
}

interface Order {
  readonly mark: string;
  readonly tenant: number;
  readonly lines: number;
}

function listOf<Row>(
  row: Readonly<Record<string, unknown>>,
  name: string,
  isRow: (value: unknown) => value is Row,
) {
  const list: unknown = JSON.parse(String(row[name]));
  if (!Array.isArray(list) || !list.every(isRow)) throw new Error(`the audit of ${name} has another form`);
  return list;
}

const isMark = (value: unknown): value is Mark =>
  typeof value === 'object' && value !== null && 'mark' in value && 'tenant' in value && 'count' in value;

const isOrder = (value: unknown): value is Order =>
  typeof value === 'object' && value !== null && 'mark' in value && 'tenant' in value && 'lines' in value;

interface Note {
  readonly tenant: number;
  readonly key: string;
  readonly value: number;
}

const isNote = (value: unknown): value is Note =>
  typeof value === 'object' && value !== null && 'key' in value && 'tenant' in value && 'value' in value;

/** Each note is written by one client, one write after another. */
function auditNotes(notes: readonly Note[], writes: readonly Write[]): readonly string[] {
  const allowed = new Map<string, Set<number | null>>();
  for (const { tenant, effect, outcome } of writes) {
    if (effect.kind !== 'note') continue;
    const name = `${effect.key} of tenant ${String(tenant)}`;
    const values = allowed.get(name) ?? new Set([null]);
    if (outcome === 'acknowledged') values.clear();
    if (outcome !== 'refused') values.add(effect.value);
    allowed.set(name, values);
  }
  const found = new Map(notes.map(({ tenant, key, value }) => [`${key} of tenant ${String(tenant)}`, value]));
  return [...new Set([...allowed.keys(), ...found.keys()])].flatMap((name) => {
    const value = found.get(name) ?? null;
    const values = [...(allowed.get(name) ?? [])];
    return values.includes(value)
      ? []
      : [`the note ${name} is ${String(value)}, and may be ${values.join(' or ')}`];
  });
}

function auditTimes({ name, outcome }: Write, mark: string, times: number): string | null {
  if (times > 1) return `${name}: ${mark} was written ${String(times)} times`;
  if (outcome === 'acknowledged' && times === 0) return `${name}: ${mark} was acknowledged and is not there`;
  if (outcome === 'refused' && times > 0) return `${name}: ${mark} was refused and is there`;
  return null;
}

/** @param row of `AUDIT` @returns what is wrong */
export function audit(row: Readonly<Record<string, unknown>>, writes: readonly Write[]): readonly string[] {
  const marks = listOf(row, 'marks', isMark);
  const orders = listOf(row, 'orders', isOrder);
  const counters: unknown = JSON.parse(String(row['counters']));
  const known = new Set<string>();
  const problems: (string | null)[] = [...auditNotes(listOf(row, 'notes', isNote), writes)];
  const range = new Map<number, { least: number; most: number }>(
    TENANTS.map((tenant) => [tenant, { least: 0, most: 0 }]),
  );
  for (const write of writes) {
    const { effect, tenant, outcome, name } = write;
    switch (effect.kind) {
      case 'marks': {
        const times = effect.marks.map(
          (mark) => marks.find((each) => each.mark === mark && each.tenant === tenant)?.count ?? 0,
        );
        for (const mark of effect.marks) known.add(`${String(tenant)} ${mark}`);
        effect.marks.forEach((mark, at) => problems.push(auditTimes(write, mark, times[at] ?? 0)));
        if (new Set(times).size > 1) problems.push(`${name}: a part of a batch was written`);
        break;
      }
      case 'order': {
        const found = orders.filter((each) => each.mark === effect.mark);
        known.add(`${String(tenant)} ${effect.mark}`);
        problems.push(auditTimes(write, effect.mark, found.length));
        if (found.some(({ lines }) => lines !== effect.lines))
          problems.push(`${name}: a part of a graph was written`);
        break;
      }
      case 'notify':
      case 'mark':
      case 'config':
      case 'session':
      case 'cancel':
      case 'share':
      case 'webhook':
      case 'webhook-change':
      case 'note':
        break;
      case 'count': {
        const sums = range.get(tenant);
        if (sums === undefined || outcome === 'refused') break;
        sums.most += effect.by;
        if (outcome === 'acknowledged') sums.least += effect.by;
        break;
      }
    }
  }
  for (const { mark, tenant } of [...marks, ...orders])
    if (!known.has(`${String(tenant)} ${mark}`))
      problems.push(`a row that no client of the tenant has written: ${mark} of tenant ${String(tenant)}`);
  for (const [tenant, { least, most }] of range) {
    const value: unknown =
      typeof counters === 'object' && counters !== null ? Reflect.get(counters, String(tenant)) : null;
    if (typeof value !== 'number' || value < least || value > most)
      problems.push(
        `the counter of tenant ${String(tenant)} is ${String(value)}, not within ${String(least)} and ${String(most)}`,
      );
  }
  return problems.filter((problem) => problem !== null);
}
