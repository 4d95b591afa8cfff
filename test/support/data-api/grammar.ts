/** The functions of the grammar, each in one piece. */
import * as grammar from '../../../src/data-api/grammar/parse.js';
import { runAtOnce, type Work } from '../../../src/base/turns.js';

export * from '../../../src/data-api/grammar/parse.js';

const atOnce =
  <A extends readonly unknown[], T>(parse: (...args: A) => Work<T>) =>
  (...args: A): T =>
    runAtOnce(parse(...args));

export const parseSelect = atOnce(grammar.parseSelect);
export const parseOrder = atOnce(grammar.parseOrder);
export const parseColumns = atOnce(grammar.parseColumns);
export const parseHaving = atOnce(grammar.parseHaving);
export const parseDistinct = atOnce(grammar.parseDistinct);
export const parseLogicTree = atOnce(grammar.parseLogicTree);

/** The explanation of a failure. */
export const failureOf = (
  parsed: Extract<grammar.Parsed<unknown>, { readonly ok: false }>,
): grammar.ParseFailure => runAtOnce(parsed.explain());
