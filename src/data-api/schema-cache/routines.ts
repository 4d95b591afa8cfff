/** Builds the callable functions of the cache from catalogue rows. */
import type { Work } from '../../base/turns.js';
import { findOrPut, type MutableByName } from './by-name.js';
import { readMedia } from './media.js';
import type { FunctionRow } from './queries/functions.js';
import { ISOLATION_SETTING, readIsolation, readSetting, type Setting } from './role-settings.js';
import type { AccessList, ByName, Returns, Routine } from './types.js';

const VOLATILITIES = { i: 'immutable', s: 'stable', v: 'volatile' } as const;

export interface RoutineContext {
  /** Names of the settings that calls apply to their transaction. */
  readonly hoistedSettings: readonly string[];
  readonly access: (acl: string) => AccessList;
}

/** Keeps the order of the rows, where those with fewer parameters come first. */
export function* buildRoutines(
  rows: Iterable<FunctionRow>,
  context: RoutineContext,
): Work<ByName<readonly Routine[]>> {
  const routines: MutableByName<Routine[]> = new Map();
  for (const row of rows) {
    findOrPut(routines, row, () => []).push(buildRoutine(row, context));
    yield;
  }
  return routines;
}

function buildRoutine(row: FunctionRow, context: RoutineContext): Routine {
  const hoisted = row.settings.map(readSetting).filter(([name]) => context.hoistedSettings.includes(name));
  return {
    schema: row.schema,
    name: row.name,
    description: row.description,
    parameters: row.parameters.map(([name, type, wideType, required, variadic]) => ({
      name,
      type,
      wideType,
      required,
      variadic,
    })),
    returns: buildReturns(row),
    volatility: VOLATILITIES[row.volatility],
    settings: hoisted.filter(([name]) => name !== ISOLATION_SETTING),
    isolation: isolationOf(hoisted),
    access: context.access(row.acl),
  };
}

const isolationOf = (settings: readonly Setting[]): Routine['isolation'] => {
  const setting = settings.find(([name]) => name === ISOLATION_SETTING);
  return setting === undefined ? null : readIsolation(setting[1]);
};

function buildReturns(row: FunctionRow): Returns {
  return {
    kind: returnKind(row),
    many: row.many,
    type: { schema: row.typeSchema, name: row.typeName },
    isDomain: row.domain !== null,
    columns: row.outputs.map(([name, type]) => ({ name, type })),
    media: row.domain === null || row.many ? null : readMedia(row.domain, row.typeName),
  };
}

function returnKind(row: FunctionRow): Returns['kind'] {
  if (row.isRowType || row.outputs.length > 0) return 'composite';
  if (row.typeSchema !== 'pg_catalog') return 'scalar';
  if (row.typeName === 'record') return 'record';
  return row.typeName === 'void' && !row.many ? 'void' : 'scalar';
}
