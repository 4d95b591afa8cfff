import { dbrError } from '../../errors/dbr-error.js';
import type { ApiRequest, Payload, QueryArgument } from '../request/api-request.js';
import { bodyFormOf, parameterTypesOf } from '../request/media-types.js';
import type { Parameter, QualifiedName, Routine, SchemaCache } from '../schema-cache/types.js';
import { createTreeContext, type PlanContext, VALUE_COLUMN, columnNames, findTable } from './plan-context.js';
import type { BodyForm, CallPlan, OutcomeCheck, Output } from './plan.js';
import { draftTree } from './select.js';
import type { Call, CallArgument, CallArguments, GivenArgument, Operand, ReadNode } from './expression.js';
import {
  maxAffectedCheck,
  negotiate,
  type Offer,
  planCount,
  requireKnownPreferences,
  requireStreamable,
  treeFor,
  withNames,
} from './media.js';
import { selectsWholeRows, withoutBody } from './plan-read.js';
import { planTree, type RootNames } from './read-tree.js';
import { functionHint, knownTo } from '../schema-cache/lookups.js';

/** Plans a call of a function by GET, HEAD or POST (data API §1.12). */
export function planCall(
  request: ApiRequest,
  name: string,
  how: { readonly reading: boolean; readonly headersOnly: boolean },
  context: PlanContext,
): CallPlan {
  const routine = findFunction(request, name, context);
  const call = planArguments(request, routine);
  const relation = resultRelation(routine);
  const tree = createTreeContext(context, request.schema, request.preferences.handling ?? 'lenient');
  const count = planCount(request.preferences, context.maxRows);
  const keepRows = count !== null && routine.volatility === 'volatile';
  const root = planTree(
    draftTree(request, context.rules.embedNames),
    {
      source: keepRows ? { kind: 'rows' } : { kind: 'call', call },
      relation,
      alias: tree.aliases.claim(relation.name),
      limited: true,
      names: namesOf(routine, keepRows),
    },
    tree,
  );
  const access = how.reading || routine.volatility !== 'volatile' ? 'read' : 'write';
  const streamed = access === 'read' && call.many && !how.headersOnly;
  const offer = offerOf(routine, relation, call, request, streamed, context);
  const output = negotiate(request.accept, offer, context.cache);
  requireStreamable(request, output);
  requireKnownPreferences(request.preferences);
  return {
    kind: 'call',
    call,
    root: treeFor(root, output),
    assumed: tree.assumptions.all(),
    cuts: tree.cuts,
    keepRows,
    access,
    volatile: routine.volatility === 'volatile',
    settings: routine.settings,
    isolation: routine.isolation,
    count,
    checks: planChecks(request, call, output),
    output: bodyOf(withHeader(output, call, root, routine, context.cache), call, how.headersOnly),
  };
}

/** Returns the relation whose rows the function returns, or the name of the function for any other result. */
function resultRelation(routine: Routine): QualifiedName {
  const { returns } = routine;
  return returns.kind === 'composite' && returns.columns.length === 0
    ? returns.type
    : { schema: routine.schema, name: routine.name };
}

/** Returns the columns of the rows of a call that the schema cache knows. */
function namesOf({ returns }: Routine, keepRows: boolean): RootNames {
  if (returns.columns.length > 0) return returns.columns.map(({ name }) => name);
  if (returns.kind !== 'composite') return [VALUE_COLUMN];
  return keepRows ? 'columns' : 'relation';
}

function planArguments(request: ApiRequest, routine: Routine): Call {
  const { returns } = routine;
  const given = argumentsOf(request, routine);
  return {
    function: { schema: routine.schema, name: routine.name },
    arguments: given,
    omitted: omittedDefaults(routine, given),
    gives: GIVES[returns.kind],
    many: returns.many,
  };
}

/** PostgreSQL finds a variadic function by names only if the call has all arguments, the variadic one at its end. */
function omittedDefaults({ parameters }: Routine, given: CallArguments): Call['omitted'] {
  if (given.kind === 'whole') return [];
  const names = new Set(given.list.map(({ name }) => name));
  return parameters.flatMap(({ name, variadic, default: sql = null }) =>
    sql === null || names.has(name) ? [] : [{ name, variadic, sql }],
  );
}

const GIVES = { composite: 'rows', record: 'record', scalar: 'value', void: 'nothing' } as const;

function argumentsOf(request: ApiRequest, routine: Routine): CallArguments {
  const { payload } = request;
  const [first] = routine.parameters;
  if (first !== undefined && takesSingleObject(routine, request)) {
    if (payload?.kind === 'json') requireUniform(payload);
    return wholeArgument(first, objectOperand(request));
  }
  if (first !== undefined && first.name === '' && takesWholeBody(routine, request))
    return wholeArgument(first, bodyOperand(first.type));
  if (payload === null) return { kind: 'given', list: queryArguments(routine, request.query.arguments) };
  switch (payload.kind) {
    case 'whole':
      return { kind: 'given', list: [] };
    case 'form':
      return { kind: 'given', list: formArguments(routine, new Set(payload.keys)) };
    case 'json':
      requireUniform(payload);
      return {
        kind: 'json',
        list: argumentList(routine, new Set(payload.keys)),
        many: payload.many,
        isText: bodyFormOf(request.contentType.name) === 'rfc4180',
      };
  }
}

function requireUniform({ uniform }: Extract<Payload, { kind: 'json' }>): void {
  if (!uniform) throw dbrError('InvalidPayload', { message: 'differentKeys' });
}

const wholeArgument = ({ name, type }: Parameter, operand: Operand): CallArguments => ({
  kind: 'whole',
  name: name === '' ? null : name,
  type,
  operand,
});

const bodyOperand = (type: string): Operand => ({
  kind: 'payload',
  encoding: type === 'bytea' ? 'bytes' : 'verbatim',
});

/** Returns one JSON object of all arguments: of the query string, of a form, or the unchanged body. */
function objectOperand({ payload, query }: ApiRequest): Operand {
  if (payload === null)
    return {
      kind: 'object',
      members: query.arguments.map(({ name, value }) => ({ name, index: value.index })),
    };
  return payload.kind === 'form' ? { kind: 'form object' } : bodyOperand('json');
}

/** The last value of a repeated argument is used; a variadic argument takes all of them. */
function queryArguments(routine: Routine, given: readonly QueryArgument[]): readonly GivenArgument[] {
  const indexesOf = (name: string): readonly number[] =>
    given.filter((argument) => argument.name === name).map((argument) => argument.value.index);
  return argumentList(routine, new Set(given.map(({ name }) => name))).map((argument) => {
    const indexes = indexesOf(argument.name);
    const operand: Operand = argument.variadic
      ? { kind: 'values', indexes }
      : { kind: 'value', index: indexes.at(-1) ?? 0, encoding: 'verbatim' };
    return { ...argument, operand };
  });
}

function formArguments(routine: Routine, given: ReadonlySet<string>): readonly GivenArgument[] {
  return argumentList(routine, given).map((argument) => ({
    ...argument,
    operand: { kind: 'field', name: argument.name, many: argument.variadic },
  }));
}

function argumentList(routine: Routine, given: ReadonlySet<string>): readonly CallArgument[] {
  return routine.parameters
    .filter((parameter) => given.has(parameter.name))
    .map(({ name, wideType, variadic }) => ({ name, type: wideType, variadic }));
}

/** @param streamed whether the rows may be sent before the last one is known */
function offerOf(
  routine: Routine,
  relation: QualifiedName,
  call: Call,
  request: ApiRequest,
  streamed: boolean,
  context: PlanContext,
): Offer {
  const rows = call.gives === 'rows';
  const value = (stripNulls: boolean, many: boolean): BodyForm => ({ kind: 'value', many, stripNulls });
  const object = (stripNulls: boolean): BodyForm =>
    rows ? { kind: 'object', stripNulls } : value(stripNulls, false);
  return {
    relation: rows ? relation : null,
    wholeRows: selectsWholeRows(request.query.select),
    own: routine.returns.media,
    json: rows
      ? call.many
        ? { kind: 'array', stripNulls: false }
        : { kind: 'object', stripNulls: false }
      : value(false, call.many),
    object,
    planEnabled: context.planEnabled,
    lines: { streamed, streamsCsv: request.preferences.stream, values: !rows },
  };
}

/** Removes body and media type of functions that return nothing. */
function bodyOf(output: Output, call: Call, headersOnly: boolean): Output {
  if (output.explain !== null) return output;
  if (call.gives === 'nothing') return { ...withoutBody(output), contentType: null };
  return headersOnly ? withoutBody(output) : output;
}

/** A function that returns one value has one row, also if filters remove the value, which is then null. */
function planChecks(request: ApiRequest, call: Call, output: Output): readonly OutcomeCheck[] {
  const singular = output.singular && call.many ? [{ kind: 'singular' } as const] : [];
  return [...singular, ...maxAffectedCheck(request)];
}

/** CSV has the header line also without rows where each result is one row, or the dialect has it always. */
function withHeader(
  output: Output,
  call: Call,
  root: ReadNode,
  { returns }: Routine,
  cache: SchemaCache,
): Output {
  const { form } = output;
  if (form.kind !== 'csv') return output;
  if (form.dialect === 'csv' && (call.many || call.gives !== 'rows')) return output;
  const names = call.gives === 'value' ? [VALUE_COLUMN] : returns.columns.map(({ name }) => name);
  return withNames(output, root, names.length > 0 ? names : columnNames(findTable(cache, returns.type)));
}

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
function takesWholeBody(routine: Routine, request: ApiRequest): boolean {
  const [parameter] = routine.parameters;
  if (!isPost(request) || routine.parameters.length !== 1 || parameter === undefined) return false;
  return parameter.name === '' && parameterTypesOf(request.contentType.name).includes(parameter.type);
}

/** Whether one JSON object of all arguments is the function's single argument (`params=single-object`). */
function takesSingleObject(routine: Routine, request: ApiRequest): boolean {
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
  const [type] = parameterTypesOf(request.contentType.name);
  return type === undefined ? null : `unnamed ${type}`;
}
