/** Parses a text and explains failures. */
import {
  type Complaint,
  describeComplaint,
  type Parsed,
  type ParseFailure,
  positionOf,
  type Work,
} from './complaint.js';
import type { QueryValue } from './ast.js';
import { excessOf, LONGEST_VALUE, MOST_ELEMENTS, type QueryCount, TOO_MANY_ELEMENTS } from './limits.js';
import { type Parser, progressOf, type Parsed as ParserResult, setProgress, type Source } from './parser.js';

/** Options of a parse. */
export interface ParseOptions {
  /** Name in the message of a failure: `failed to parse order (id.up)`. */
  readonly context: string;
  /** Counts of the preceding parameters, to which the parse adds. */
  readonly count: QueryCount;
  /** The values of the preceding parameters, to which those of the text are added, unless it fails. */
  readonly values?: QueryValue[];
  /** Whether `is.not_null` is known. */
  readonly takesNotNull?: boolean;
  /** Preceding text, which is counted in columns only. */
  readonly prefix?: string;
}

/** As `parseWork`, without a pause. */
export function parseText<T>(whole: Parser<T>, text: string, options: ParseOptions): Parsed<T> {
  const work = parseWork(whole, text, options);
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/**
 * Parses the whole text; may pause behind some items of a long one. If this fails, a second parse finds the complaint. The
 * complaint about the furthest place is reported, so the second parse ignores places before the last item that was tried; if
 * the complaint refers to one of those places, a third parse finds it. Both run when the failure is explained: most failures
 * are not reported.
 */
export function* parseWork<T>(whole: Parser<T>, text: string, options: ParseOptions): Work<Parsed<T>> {
  const { count, values = [], takesNotNull = false } = options;
  const firstIndex = values.length;
  const before = { ...count };
  const source = {
    ...{ text, count, takesNotNull, values, depth: 0, nextIndex: firstIndex, elements: 0, itemAt: 0 },
    ...{ explainsFrom: null, steps: null },
  };
  const reply = yield* replyOf(whole, source);
  const excess = excessOf(count);
  if (excess === null && reply.ok) return { ok: true, value: reply.value };
  values.length = firstIndex;
  if (excess !== null) return failed(excess);
  // The place is of no use to the client, and a second parse of so long a text is expensive.
  if (source.elements >= MOST_ELEMENTS) return failed(TOO_MANY_ELEMENTS);
  if (text.length > LONGEST_VALUE) return failed({ message: `"${options.context}"`, details: UNLOCATED });
  const { itemAt } = source;
  function* complaintFrom(explainsFrom: number): Work<Complaint | null> {
    const again = {
      ...source,
      ...{ values: [], nextIndex: 0, count: { ...before }, depth: 0, elements: 0 },
      explainsFrom,
    };
    return (yield* replyOf(whole, again)).complaint;
  }
  return {
    ok: false,
    *explain() {
      const complaint = (yield* complaintFrom(itemAt)) ?? (yield* complaintFrom(0));
      yield;
      return describeFailure(complaint, text, options);
    },
  };
}

const UNLOCATED = `The text is too long to locate its fault. A value has at most ${String(LONGEST_VALUE)} characters`;

const failed = (failure: ParseFailure): Parsed<never> => ({
  ok: false,
  *explain() {
    yield;
    return failure;
  },
});

/** Longest text that is parsed in one step, in characters, and the items of a step. */
const SHORT_TEXT = 1024;
const ITEMS_OF_STEP = 128;

function* replyOf<T>(whole: Parser<T>, source: Source): Work<ParserResult<T>> {
  if (source.text.length <= SHORT_TEXT) return whole(source, 0);
  const begin = progressOf(source);
  const steps = { left: ITEMS_OF_STEP };
  source.steps = steps;
  for (;;) {
    const reply = whole(source, 0);
    yield;
    if (steps.left >= 0) return reply;
    steps.left = ITEMS_OF_STEP;
    setProgress(source, begin);
  }
}

const SILENT: Complaint = { at: 0, found: null, refused: [], expected: [] };

function describeFailure(complaint: Complaint | null, text: string, options: ParseOptions): ParseFailure {
  const { at } = complaint ?? SILENT;
  const { context, prefix = '' } = options;
  const { line, column } = positionOf(prefix + text, prefix.length + at);
  return {
    message: `"${context}" (line ${line}, column ${column})`,
    details: describeComplaint(complaint ?? SILENT, text)
      .replaceAll('\n', ' ')
      .trim(),
  };
}
