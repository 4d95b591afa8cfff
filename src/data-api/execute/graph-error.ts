/** Errors of a step of a graph, with the path of the object in the body. */
import { dbrError, type DbrError } from '../../errors/dbr-error.js';
import { isFullControl } from '../../errors/error-style.js';
import type { BatchQuery } from '../../postgres/batch.js';
import { PostgresError } from '../../postgres/postgres-error.js';
import type { GraphRows, GraphStep, JunctionStep } from '../plan/graph.js';
import { graphOf } from '../prepare/prepared-plan.js';
import { pathText } from '../request/graph-body.js';
import { type Refusal, refusalOf } from '../sql/refusal.js';
import type { RequestQueries, Transaction } from './transaction.js';

/**
 * Returns the error of a failed transaction that writes a graph; errors of other queries are unchanged.
 * @param failed the query that failed
 */
export function graphError(
  transaction: Transaction,
  { steps }: RequestQueries,
  failed: BatchQuery | undefined,
  error: unknown,
): unknown {
  if (!(error instanceof PostgresError) || failed === undefined) return error;
  // The first statement sets the body.
  const step = graphOf(transaction.prepared.plan)?.steps[steps.indexOf(failed) - 1];
  const refusal = refusalOf(error.fields);
  if (step === undefined || isFullControl(error.fields.code, 'PGRST')) return error;
  if (refusal === null) {
    const objects = hasObjects(step) ? objectsOf(transaction, step) : [];
    const detail = [error.fields.detail ?? '', `At ${failedPath(error, step, objects)} of the body.`];
    return new PostgresError({ ...error.fields, detail: detail.join(' ').trim() }, error.query);
  }
  return stepError(refusal.kind, step, () => pathOfRefused(transaction, step, refusal.number)) ?? error;
}

/** @param number of the object; 0 if it is the only one, or unknown */
function pathOfRefused(transaction: Transaction, step: GraphStep, number: number): string {
  const objects = objectsOf(transaction, step);
  const found = number === 0 && objects.length > 1 ? undefined : objects[Math.max(number, 1) - 1];
  return found === undefined ? generalPath(step) : pathText(found.path);
}

/** Returns the error of a refusal of a step; null for the refusals of other queries. */
function stepError(
  kind: Refusal['kind'],
  { target }: GraphStep,
  pathOfObject: () => string,
): DbrError | null {
  const relation = target.name;
  switch (kind) {
    case 'unfound':
      return dbrError('GraphRowNotFound', { relation, path: pathOfObject() });
    case 'unequal':
    case 'differs':
    case 'generated':
    case 'keyless':
      return dbrError('GraphLinkNotPossible', { message: kind, path: pathOfObject() });
    case 'changed':
      return dbrError('GraphKeyChanged', { relation, path: pathOfObject() });
    case 'rows':
    case 'chosen':
    case 'key':
    case 'missing':
    case 'unguarded':
    case 'cut':
    case 'cost':
    case 'idempotency':
      return null;
  }
}

/** Whether a step concerns the objects of one resource, rather than other rows. */
const hasObjects = (step: GraphStep): step is Exclude<GraphStep, JunctionStep> => step.kind !== 'junction';

/** An object of the body with its path. */
interface Located {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

/** The body of a failed request is decoded to name the object; of longer bodies in bytes, the resource is named. */
const LONGEST_DECODED = 1_048_576;

/** Returns the objects of a step in the order of the body; none of a long body. */
function objectsOf(
  { bindings: { payload } }: Transaction,
  step: Pick<GraphRows, 'levels'>,
): readonly Located[] {
  if (payload?.kind !== 'json') return [];
  if (payload.body.length > LONGEST_DECODED) return [];
  let located: readonly Located[] = [{ path: [], value: JSON.parse(payload.body.toString('utf8')) }];
  for (const { key, many } of step.levels) {
    if (key !== null)
      located = located.map(({ path, value }) => ({ path: [...path, key], value: memberOf(value, key) }));
    located = many ? located.flatMap(elementsOf) : located.filter(({ value }) => value != null);
  }
  return located;
}

const elementsOf = ({ path, value }: Located): readonly Located[] =>
  Array.isArray(value)
    ? value.map((element: unknown, index) => ({ path: [...path, index], value: element }))
    : [];

function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.hasOwn(value, key) ? Object.getOwnPropertyDescriptor(value, key)?.value : undefined;
}

/** Returns the path of the object that the error concerns, as far as it can be known: `films[3]`, otherwise `films[]`. */
function failedPath({ fields }: PostgresError, step: GraphStep, objects: readonly Located[]): string {
  const [first] = objects;
  if (objects.length === 1 && first !== undefined) return pathText(first.path);
  const failed =
    fields.code === NOT_NULL ? firstWithout(fields.column, step, objects) : onlyWith(fields.detail, objects);
  return failed === undefined ? generalPath(step) : pathText(failed.path);
}

const NOT_NULL = '23502';

/** Rows are inserted in the order of the body, so that the first object without a value fails. */
function firstWithout(
  column: string | null,
  step: GraphStep,
  objects: readonly Located[],
): Located | undefined {
  if (column === null || !hasObjects(step)) return undefined;
  if (step.links.some(({ pairs }) => pairs.some((pair) => pair.column === column))) return undefined;
  const written = step.columns.find(({ name }) => name === column);
  return objects.find(({ value }) => {
    const given = memberOf(value, column);
    return given === null || (given === undefined && (written?.default ?? null) === null);
  });
}

/** `Key (title, year)=(Alien, 1979) already exists.` */
const KEY = /^Key \(([^()]+)\)=\((.*)\) (?:already exists|is not present)/s;

/** Returns the object with the values that the detail of a constraint names, if there is only one. */
function onlyWith(detail: string | null, objects: readonly Located[]): Located | undefined {
  const [, names, values] = KEY.exec(detail ?? '') ?? [];
  if (names === undefined || values === undefined) return undefined;
  const columns = names.split(', ');
  const found = objects.filter(
    ({ value }) => columns.map((column) => textOf(memberOf(value, column))).join(', ') === values,
  );
  return found.length === 1 ? found[0] : undefined;
}

/** The text of a scalar; that of arrays and objects is not the one that PostgreSQL shows. */
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

/** Returns the path of all objects of a resource: `films[].roles[]`. */
function generalPath(step: GraphStep): string {
  if (!hasObjects(step)) return step.path.join('.');
  const text = step.levels.map(
    ({ key, many }, at) => `${key ?? ''}${many && (key !== null || at === 0) ? '[]' : ''}`,
  );
  return text.filter((part) => part !== '').join('.') || 'the root';
}
