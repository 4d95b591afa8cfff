/** The tables that an execution plan reads or writes. */

export interface Scan {
  readonly schema: string;
  readonly table: string;
  /** The filters of sequential scans; empty if the table is read by its indexes. */
  readonly filter: string;
  /** Rows that the planner expects from the scan. */
  readonly rows: number;
}

/** @param plan text of EXPLAIN (VERBOSE, FORMAT JSON) @returns each table once */
export function scansOf(plan: string): readonly Scan[] {
  const tables = new Map<string, Scan>();
  for (const node of nodesOf(JSON.parse(plan))) {
    const { Schema: schema, 'Relation Name': table, 'Node Type': kind } = node;
    if (typeof schema !== 'string' || typeof table !== 'string') continue;
    const key = JSON.stringify([schema, table]);
    const known = tables.get(key) ?? { schema, table, filter: '', rows: 0 };
    const { Filter: filter, 'Plan Rows': rows } = node;
    const isSequential = kind === 'Seq Scan' && typeof filter === 'string';
    tables.set(
      key,
      isSequential
        ? // The blank marks the end of the last name.
          {
            ...known,
            filter: `${known.filter} ${qualified(filter)} `,
            rows: typeof rows === 'number' ? rows : 0,
          }
        : known,
    );
  }
  return [...tables.values()];
}

/** Separates names from what follows them: parentheses, casts, subscripts. */
const qualified = (filter: string): string => filter.replaceAll(/[)(:,[\]]/g, ' ');

type PlanNode = Readonly<Record<string, unknown>>;

function* nodesOf(value: unknown): Generator<PlanNode> {
  if (Array.isArray(value)) for (const each of value) yield* nodesOf(each);
  else if (isNode(value)) {
    yield value;
    yield* nodesOf(value['Plan']);
    yield* nodesOf(value['Plans']);
  }
}

const isNode = (value: unknown): value is PlanNode => typeof value === 'object' && value !== null;
