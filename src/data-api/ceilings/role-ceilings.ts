/** What a role may ask for at most: the settings of the service, and those of the role that take their place. */
import { integer, type Kind, list, oneOf } from '../../settings/kinds.js';
import { OPERATORS } from '../grammar/operators.js';
import type { RoleSettings } from '../schema-cache/types.js';

/** `db-shapes`. */
export type ShapeMode = 'off' | 'record' | 'enforce';

export interface RoleCeilings {
  /** Greatest cost that the planner may estimate for a statement; null for no ceiling. */
  readonly maxCost: number | null;
  /** Longest body of a read, in bytes; null if the role has no limit of its own. */
  readonly maxResultBytes: number | null;
  readonly shapes: ShapeMode;
  /** Operators that filters may use; null for all. */
  readonly operators: ReadonlySet<string> | null;
  /** Columns by which rows may be ordered; null for all. */
  readonly orders: ReadonlySet<string> | null;
}

/** The settings of the service that settings of a role replace. */
interface GeneralCeilings {
  readonly 'db-max-cost': number | null;
  readonly 'db-shapes': ShapeMode;
}

export interface Ceilings {
  of(role: string): RoleCeilings;
  /** One message for each invalid setting of a role. The strictest value holds in place of an invalid one. */
  readonly problems: readonly string[];
}

const HIGHEST_COST = 1_000_000_000_000;
const COST = integer(1, HIGHEST_COST);
const SHORTEST_RESULT = 65_536;
const RESULT_BYTES = integer(SHORTEST_RESULT, 1_073_741_824);
const SHAPE_MODE = oneOf('off', 'record', 'enforce');

/** The list without items, as a word. */
const NONE = 'none';

/** Reads the settings of all roles. */
export function createCeilings(
  general: GeneralCeilings,
  roleSettings: ReadonlyMap<string, Pick<RoleSettings, 'ceilings'>>,
): Ceilings {
  const ofService: RoleCeilings = {
    maxCost: general['db-max-cost'],
    maxResultBytes: null,
    shapes: general['db-shapes'],
    operators: null,
    orders: null,
  };
  const problems: string[] = [];
  const byRole = new Map<string, RoleCeilings>();
  for (const [role, { ceilings }] of roleSettings)
    if (ceilings.size > 0) byRole.set(role, readCeilings(role, ceilings, ofService, problems));
  return { of: (role) => byRole.get(role) ?? ofService, problems };
}

function readCeilings(
  role: string,
  settings: RoleSettings['ceilings'],
  ofService: RoleCeilings,
  problems: string[],
): RoleCeilings {
  const complain = (name: string, expected: string): void =>
    void problems.push(`${name} of the role ${role} must be ${expected}`);
  const read = <T>(name: string, kind: Kind<T>, strictest: T, inherited: T): T => {
    const text = settings.get(name);
    if (text === undefined) return inherited;
    const parsed = kind.parse(text);
    if (parsed.ok) return parsed.value;
    complain(name, parsed.expected);
    return strictest;
  };
  const words = (name: string): ReadonlySet<string> | null => {
    const text = settings.get(name);
    if (text === undefined) return null;
    if (text.trim() === NONE) return new Set();
    const items = list.parse(text);
    if (!items.ok) complain(name, items.expected);
    return new Set(items.ok ? items.value : []);
  };
  const operators = words('dbr.operators');
  const unknown = [...(operators ?? [])].filter((word) => !Object.hasOwn(OPERATORS, word));
  if (unknown.length > 0) complain('dbr.operators', `names of operators, which ${unknown.join(', ')} is not`);
  return {
    maxCost: read<number | null>('dbr.db_max_cost', COST, 0, ofService.maxCost),
    maxResultBytes: read<number | null>('dbr.db_max_result_bytes', RESULT_BYTES, SHORTEST_RESULT, null),
    shapes: read('dbr.db_shapes', SHAPE_MODE, 'enforce', ofService.shapes),
    operators,
    orders: words('dbr.orders'),
  };
}
