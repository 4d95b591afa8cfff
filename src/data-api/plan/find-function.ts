import { dbrError } from '../../errors/dbr-error.js';
import type { ApiRequest } from '../request/api-request.js';
import { functionHint, knownTo } from '../schema-cache/lookups.js';
import type { Routine } from '../schema-cache/types.js';
import type { PlanContext } from './plan-context.js';

/** Types of the single unnamed parameter that takes a whole body, by the media type of the body (data API §1.12). */
const WHOLE_BODY_TYPES: Readonly<Record<string, readonly string[]>> = {
  'application/json': ['json', 'jsonb'],
  'text/plain': ['text'],
  'text/xml': ['xml'],
  'application/octet-stream': ['bytea'],
};

/**
 * Returns the function that a request calls: the overload whose parameters match the names of the arguments, or else
 * the one whose single unnamed parameter takes the body. Throws DBR202 if there is none, DBR203 if there are several.
 */
export function findFunction(request: ApiRequest, name: string, context: PlanContext): Routine {
  const overloads = context.cache.functions.get(request.schema)?.get(name) ?? [];
  const keys = argumentNames(request);
  const named = overloads.filter((routine) => takesArguments(routine, keys, request));
  const candidates =
    named.length > 0 ? named : overloads.filter((routine) => takesWholeBody(routine, request));
  const [found] = candidates;
  if (found === undefined) throw notFound(request, name, keys, context);
  if (candidates.length > 1) {
    const visible = candidates.filter(knownTo(context.cache, context.role).routine);
    if (visible.length === 0) throw notFound(request, name, keys, context);
    throw dbrError('AmbiguousFunction', { candidates: visible.map(signature).join(', ') });
  }
  return found;
}

/** Whether the whole body is the function's single argument. */
export function takesWholeBody(routine: Routine, request: ApiRequest): boolean {
  const [parameter] = routine.parameters;
  if (!isPost(request) || routine.parameters.length !== 1 || parameter === undefined) return false;
  return parameter.name === '' && (WHOLE_BODY_TYPES[request.contentType.name] ?? []).includes(parameter.type);
}

/** Whether one JSON object of all arguments is the function's single argument (`params=single-object`). */
export function takesSingleObject(routine: Routine, request: ApiRequest): boolean {
  const [parameter] = routine.parameters;
  if (request.preferences.params !== 'single-object' || routine.parameters.length !== 1) return false;
  return parameter !== undefined && isJson(parameter.type);
}

/** Returns the distinct names of the given arguments, sorted. */
function argumentNames(request: ApiRequest): readonly string[] {
  const { payload } = request;
  const names =
    payload === null
      ? request.query.arguments.map((argument) => argument.name)
      : payload.kind === 'whole'
        ? []
        : payload.keys;
  return [...new Set(names)].sort();
}

function takesArguments(routine: Routine, keys: readonly string[], request: ApiRequest): boolean {
  if (request.preferences.params === 'single-object') return takesSingleObject(routine, request);
  if (routine.parameters.length === 0 && request.payload?.kind === 'whole') return false;
  if (routine.parameters.some((parameter) => parameter.name === '')) return false;
  const known = new Set(routine.parameters.map((parameter) => parameter.name));
  return (
    keys.every((key) => known.has(key)) &&
    routine.parameters.every((parameter) => !parameter.required || keys.includes(parameter.name))
  );
}

/** @param type as `format_type` prints it */
export const isJson = (type: string): boolean => type === 'json' || type === 'jsonb';

const isPost = (request: ApiRequest): boolean => request.action.kind === 'call' && !request.action.reading;

function signature(routine: Routine): string {
  const parameters = routine.parameters.map(({ name, type }) => `${name} => ${type}`).join(', ');
  return `${routine.schema}.${routine.name}(${parameters})`;
}

function notFound(request: ApiRequest, name: string, keys: readonly string[], context: PlanContext) {
  const qualified = `${request.schema}.${name}`;
  const whole = wholeBodyText(request);
  if (whole !== null)
    return dbrError('FunctionNotFound', {
      function: qualified,
      searched: `${qualified} with a single ${whole} parameter`,
      hint: null,
    });
  const list = keys.join(', ');
  const given =
    keys.length === 0
      ? 'without parameters'
      : `with ${keys.length === 1 ? 'parameter' : 'parameters'} ${list}`;
  const fallback = isPost(request) && request.contentType.name === 'application/json';
  return dbrError('FunctionNotFound', {
    function: keys.length === 0 ? `${qualified} without parameters` : `${qualified}(${list})`,
    searched: `${qualified} ${given}${fallback ? ' or with a single unnamed json/jsonb parameter' : ''}`,
    hint:
      keys.length > MOST_ARGUMENTS
        ? null
        : functionHint(context.cache, context.role, { schema: request.schema, name }, keys),
  });
}

/** Most arguments of a function of PostgreSQL. */
const MOST_ARGUMENTS = 100;

/** Returns the description of the parameter for the whole body in errors; null if the body has named arguments. */
function wholeBodyText(request: ApiRequest): string | null {
  if (request.preferences.params === 'single-object') return 'json/jsonb';
  if (request.payload?.kind !== 'whole') return null;
  const [type] = WHOLE_BODY_TYPES[request.contentType.name] ?? [];
  return type === undefined ? null : `unnamed ${type}`;
}
