import { dbrError } from '../../errors/dbr-error.js';
import type { ApiRequest, Payload, QueryArgument } from '../request/api-request.js';
import { RFC4180_CSV } from '../request/media-types.js';
import type { Parameter, QualifiedName, Routine, SchemaCache } from '../schema-cache/types.js';
import { VALUE_COLUMN } from './aliases.js';
import type { Call, CallArgument, CallArguments, GivenArgument } from './call.js';
import { draftTree } from './draft.js';
import type { Operand } from './expression.js';
import { findFunction, takesSingleObject, takesWholeBody } from './find-function.js';
import { columnNames, findTable } from './find-table.js';
import { negotiate, type Offer, withNames } from './media.js';
import type { BodyForm, Output } from './output.js';
import { createTreeContext, type PlanContext } from './plan-context.js';
import { selectsWholeRows, withoutBody } from './plan-read.js';
import type { CallPlan, OutcomeCheck } from './plan.js';
import { maxAffectedCheck, planCount, requireKnownPreferences, requireStreamable } from './preferences.js';
import type { ReadNode } from './read-node.js';
import { planTree, type RootNames } from './read-tree.js';

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
    root,
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
  return {
    function: { schema: routine.schema, name: routine.name },
    arguments: argumentsOf(request, routine),
    gives: GIVES[returns.kind],
    many: returns.many,
  };
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
        isText: request.contentType.name === RFC4180_CSV,
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
