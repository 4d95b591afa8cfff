/** The tools `read`, `call` and `plan`. Their arguments are the grammar of the data API. */
import { isObject, type JsonObject, listOf } from '../base/json.js';
import { OPERATORS } from '../data-api/grammar/operators.js';
import { find } from '../data-api/schema-cache/lookups.js';
import type { Routine } from '../data-api/schema-cache/types.js';
import {
  answerOf,
  ask,
  type Answer,
  budgetOf,
  type Call,
  invalid,
  jsonOf,
  optionalNumber,
  optionalText,
  profileOf,
  type Question,
  queryOf,
  requestOf,
  segment,
} from './ask.js';
import { dataAnswer, jsonAnswer, type Tool, type ToolAnswer } from './tool.js';

const JSON_TYPE = 'application/json';
const PLAN_TYPE = 'application/vnd.pgrst.plan+json';

const OPERATOR = `(?:not\\.)?(?:${Object.keys(OPERATORS).join('|')})(?:\\((?:any|all|[a-z_]+)\\))?\\.`;
const VALUE = { type: 'string', maxLength: 4096 };

/** What rows to return, and which of their columns. */
const SELECTION = {
  select: {
    ...VALUE,
    description:
      'Columns, and rows of related relations in parentheses: `id,title,author:authors(name)`. `column->key` reads JSON. Absent: all columns.',
  },
  filters: {
    type: 'object',
    description:
      'By column: `operator.value`, or a list of such that must all hold: {"price":["gte.5","lt.9"],"name":"ilike.*tea*","id":"in.(1,2)","deleted_at":"is.null"}. Logic: {"or":"(a.eq.1,b.gt.2)"}. Of related rows: {"authors.name":"eq.Ann"}.',
    properties: {
      or: { ...VALUE, pattern: '^\\(.*\\)$' },
      and: { ...VALUE, pattern: '^\\(.*\\)$' },
    },
    additionalProperties: {
      anyOf: [
        { ...VALUE, pattern: `^(?:${OPERATOR}|\\()` },
        { type: 'array', maxItems: 20, items: { ...VALUE, pattern: `^${OPERATOR}` } },
      ],
    },
    maxProperties: 50,
  },
  order: { ...VALUE, description: 'Columns: `price.desc.nullslast,id`' },
  limit: { type: 'integer', minimum: 0, maximum: 1_000_000 },
  offset: { type: 'integer', minimum: 0, maximum: 1_000_000_000 },
};

const SCHEMA = {
  type: 'string',
  maxLength: 200,
  description: 'An exposed schema; absent: the first one',
};
/** An empty one would be the root. */
const RELATION = { type: 'string', minLength: 1, maxLength: 200 };
const MAX_COST = {
  type: 'integer',
  minimum: 1,
  maximum: 1_000_000_000_000,
  description: 'Greatest cost that PostgreSQL may estimate; a costlier statement does not run',
};

/** Parameters that arguments of their own have. */
const NOT_FILTERS: ReadonlySet<string> = new Set([
  'select',
  'order',
  'limit',
  'offset',
  'columns',
  'on_conflict',
  'after',
]);

type Pair = readonly [name: string, value: string];

/** @param limit that applies */
function pairsOf(args: JsonObject, limit: number | null): readonly Pair[] {
  const filters = isObject(args['filters']) ? args['filters'] : {};
  const pairs: Pair[] = [];
  for (const [name, value] of Object.entries(filters)) {
    if (NOT_FILTERS.has(name))
      return invalid('filters', `has no column ${name}: it is an argument of its own`);
    for (const text of Array.isArray(value) ? listOf(value) : [value]) pairs.push([name, String(text)]);
  }
  for (const name of ['select', 'order'] as const) {
    const text = optionalText(args, name);
    if (text !== null) pairs.push([name, text]);
  }
  if (limit !== null) pairs.push(['limit', String(limit)]);
  const offset = optionalNumber(args, 'offset');
  if (offset !== null) pairs.push(['offset', String(offset)]);
  return pairs;
}

const RANGE = /^(?:(\d+)-(\d+)|\*)\/(\d+|\*)$/;

/** An answer with its rows, how many they are, whether they are cut, the ceiling of the caller, and the time that it took. */
function rowsAnswer(answer: Answer, args: JsonObject, call: Call, { most, startedAt }: Limit): ToolAnswer {
  const [, first, last, total] = RANGE.exec(answer.header('content-range') ?? '') ?? [];
  const rows = first === undefined || last === undefined ? 0 : Number(last) - Number(first) + 1;
  const isCut = most !== null && rows >= most;
  const offset = (optionalNumber(args, 'offset') ?? 0) + rows;
  const about = {
    rows,
    total: total === undefined || total === '*' ? undefined : Number(total),
    cut: isCut,
    next: isCut
      ? `There may be more rows: the answer ends at ${String(most)}. Ask with offset ${String(offset)}.`
      : undefined,
    cutRelated: answer.header('dbr-truncated'),
    maxCost: budgetOf(call).maxCost,
    milliseconds: Math.round(performance.now() - startedAt),
  };
  return dataAnswer(about, answer.text);
}

interface Limit {
  readonly asked: number;
  /** Null if the caller asked for fewer rows. */
  readonly most: number | null;
  readonly startedAt: number;
}

function limitOf(args: JsonObject, call: Call): Limit {
  const { maxRows } = budgetOf(call);
  const wanted = optionalNumber(args, 'limit');
  const isFewer = wanted !== null && wanted <= maxRows;
  return { asked: isFewer ? wanted : maxRows, most: isFewer ? null : maxRows, startedAt: performance.now() };
}

function preferOf(args: JsonObject): Readonly<Record<string, string>> {
  const cost = optionalNumber(args, 'max_cost');
  const tokens = [
    ...(cost === null ? [] : [`max-cost=${String(cost)}`]),
    ...(args['count'] === true ? ['count=exact'] : []),
  ];
  return tokens.length === 0 ? {} : { prefer: tokens.join(', ') };
}

function readQuestion(args: JsonObject, limit: number): Question {
  return {
    method: 'GET',
    path: segment(optionalText(args, 'relation') ?? ''),
    query: queryOf(pairsOf(args, limit)),
    headers: { accept: JSON_TYPE, ...profileOf(args), ...preferOf(args) },
  };
}

const read: Tool = {
  name: 'read',
  title: 'Read rows',
  description:
    'Rows of a relation that the caller may see, in a read-only transaction. `cut` says that the answer ends at the limit of the service.',
  inputSchema: {
    type: 'object',
    properties: {
      relation: RELATION,
      schema: SCHEMA,
      ...SELECTION,
      count: { type: 'boolean', description: 'Count all rows that the filters leave, too' },
      max_cost: MAX_COST,
    },
    required: ['relation'],
  },
  kind: 'reads',
  async run(args, call) {
    const limit = limitOf(args, call);
    return rowsAnswer(await ask(call, readQuestion(args, limit.asked)), args, call, limit);
  },
};

/** An array as PostgreSQL writes it, unless the parameter takes JSON. */
function argumentText(value: unknown, type: string | undefined): string {
  if (typeof value === 'string') return value;
  const isJson = type === undefined || type === 'json' || type === 'jsonb';
  return Array.isArray(value) && !isJson ? arrayText(value) : JSON.stringify(value);
}

const arrayText = (items: readonly unknown[]): string =>
  `{${items
    .map((item) => {
      if (Array.isArray(item)) return arrayText(item);
      if (item === null) return 'NULL';
      return JSON.stringify(typeof item === 'string' ? item : JSON.stringify(item));
    })
    .join(',')}}`;

/** The overloads of a function. @throws DbrError InvalidParameter if one of them may write */
function readingRoutines(args: JsonObject, { api }: Call): readonly Routine[] {
  const { cache } = api.snapshot();
  const schema = optionalText(args, 'schema') ?? cache.schemas[0]?.name ?? '';
  const routines = find(cache.functions, schema, optionalText(args, 'function') ?? '') ?? [];
  if (routines.some(({ volatility }) => volatility === 'volatile'))
    return invalid('function', 'is volatile: it may write, and cannot be called');
  return routines;
}

function callQuestion(args: JsonObject, routines: readonly Routine[], limit: number): Question {
  const values = isObject(args['arguments']) ? args['arguments'] : {};
  const parameters = routines.flatMap((routine) => routine.parameters);
  const own = Object.entries(values).flatMap(([name, value]): readonly Pair[] => {
    if (NOT_FILTERS.has(name)) return invalid('arguments', `cannot have the name ${name} here`);
    const parameter = parameters.find((each) => each.name === name);
    if (parameter?.variadic === true && Array.isArray(value))
      return listOf(value).map((item): Pair => [name, argumentText(item, undefined)]);
    return value === null ? [] : [[name, argumentText(value, parameter?.type)]];
  });
  const many = routines.some(({ returns }) => returns.many);
  return {
    method: 'GET',
    path: `/rpc${segment(optionalText(args, 'function') ?? '')}`,
    query: queryOf([...own, ...pairsOf(args, many ? limit : null)]),
    headers: { accept: JSON_TYPE, ...profileOf(args), ...preferOf(args) },
  };
}

const FUNCTION = {
  function: { type: 'string', maxLength: 200, description: 'A function that only reads (`reads` of search)' },
  arguments: {
    type: 'object',
    maxProperties: 100,
    description: 'By name; leave out what has the value of its default. Null cannot be given.',
  },
};

const callFunction: Tool = {
  name: 'call',
  title: 'Call a function that reads',
  description:
    'Calls a stable or immutable function in a read-only transaction. Filters apply to rows that it returns.',
  inputSchema: {
    type: 'object',
    properties: { ...FUNCTION, schema: SCHEMA, ...SELECTION, max_cost: MAX_COST },
    required: ['function'],
  },
  kind: 'reads',
  async run(args, call) {
    const limit = limitOf(args, call);
    const answer = await ask(call, callQuestion(args, readingRoutines(args, call), limit.asked));
    return rowsAnswer(answer, args, call, limit);
  },
};

/** The numbers of a plan of PostgreSQL. */
function numbersOf(plan: unknown): JsonObject {
  const [first] = listOf(plan);
  const top = isObject(first) && isObject(first['Plan']) ? first['Plan'] : {};
  return { cost: top['Total Cost'] ?? null, estimatedRows: top['Plan Rows'] ?? null };
}

const plan: Tool = {
  name: 'plan',
  title: 'Estimate the cost of a read',
  description:
    'What PostgreSQL expects of `read` or `call` with the same arguments, which do not run: cost in its units, rows, and whether the ceiling of the caller allows it.',
  inputSchema: {
    type: 'object',
    properties: { relation: RELATION, ...FUNCTION, schema: SCHEMA, ...SELECTION },
  },
  kind: 'reads',
  async run(args, call) {
    const isCall = optionalText(args, 'function') !== null;
    if (isCall === (optionalText(args, 'relation') !== null))
      return invalid('relation', 'or function must be given, and not both');
    const { asked } = limitOf(args, call);
    const question = isCall
      ? callQuestion(args, readingRoutines(args, call), asked)
      : readQuestion(args, asked);
    const headers = { ...question.headers, accept: PLAN_TYPE };
    const reply = await call.api.trial(requestOf(call, { ...question, headers }));
    const numbers = numbersOf(jsonOf(await answerOf(call, reply)));
    const { maxCost } = budgetOf(call);
    const { cost } = numbers;
    const allowed = maxCost === null || typeof cost !== 'number' || cost <= maxCost;
    return jsonAnswer({ ...numbers, maxCost, allowed });
  },
};

export const READING: readonly Tool[] = [read, callFunction, plan];
