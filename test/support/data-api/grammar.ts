/** The functions of the grammar. Their trees have the values in them, as `query-syntax.ts` writes them. */
import type { Operation, QueryValue } from '../../../src/data-api/grammar/ast.js';
import * as grammar from '../../../src/data-api/grammar/parse.js';

export {
  type Parsed,
  parseTreePath,
  parseLogicPath,
  type LogicPath,
} from '../../../src/data-api/grammar/parse.js';

interface ValueOptions {
  /** The index of the first value. */
  readonly firstIndex?: number;
  readonly takesNotNull?: boolean;
}

/** Returns a tree with the values at their indexes. */
export function withValues<T>(tree: T, values: readonly QueryValue[]): T {
  const filled = JSON.stringify(tree, (name, member: unknown) => {
    if (name !== 'value' || typeof member !== 'object' || member === null || !('index' in member))
      return member;
    const value = values[Number(member.index)];
    return typeof value === 'string'
      ? { index: member.index, text: value }
      : { index: member.index, elements: value };
  });
  return JSON.parse(filled) as T;
}

const valuesBefore = (index: number): QueryValue[] => Array<QueryValue>(index).fill('');

function filled<T>(
  { firstIndex = 0, ...options }: ValueOptions,
  parse: (options: grammar.ValueOptions) => grammar.Parsed<T>,
): grammar.Parsed<T> {
  const values = valuesBefore(firstIndex);
  const parsed = parse({ ...options, values });
  return parsed.ok ? { ok: true, value: withValues(parsed.value, values) } : parsed;
}

type Counted<T> = (
  text: string,
  count: Parameters<typeof grammar.parseSelect>[1],
  options?: grammar.ValueOptions,
) => grammar.Parsed<T>;

const filling =
  <T>(parse: Counted<T>) =>
  (text: string, count: Parameters<Counted<T>>[1], options: ValueOptions = {}): grammar.Parsed<T> =>
    filled(options, (values) => parse(text, count, values));

export const parseSelect = filling(grammar.parseSelect);
export const parseOrder = filling(grammar.parseOrder);
export const parseHaving = filling(grammar.parseHaving);
export const parseDistinct = filling(grammar.parseDistinct);

export const parseColumns = filling(grammar.parseColumns);
export const parseConflict = filling(grammar.parseConflict);

export const parseLogicTree = (
  path: grammar.LogicPath,
  text: string,
  { count, mayBeCut, ...options }: Omit<grammar.LogicOptions, 'values'> & ValueOptions,
) => filled(options, (values) => grammar.parseLogicTree(path, text, { ...values, count, mayBeCut }));

export const parseOperationOrText = (text: string, firstIndex: number) =>
  filled({ firstIndex }, (values) => grammar.parseOperationOrText(text, values));

export function parseOperation(text: string, firstIndex: number): grammar.Parsed<Operation> {
  const parsed = filled({ firstIndex }, (values) => grammar.parseOperation(text, values));
  if (!parsed.ok) return parsed;
  if (parsed.value.kind === 'text') throw new Error('an argument');
  return { ok: true, value: parsed.value.operation };
}

/** The explanation of a failure. */
export const failureOf = (
  parsed: Extract<grammar.Parsed<unknown>, { readonly ok: false }>,
): grammar.ParseFailure => parsed.explain();
