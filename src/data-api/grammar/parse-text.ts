/** Parses a text and explains failures. */
import {
  type Complaint,
  describeComplaint,
  type Parsed,
  type ParseFailure,
  positionOf,
} from './complaint.js';
import { excessOf, MOST_ELEMENTS, type QueryCount, TOO_MANY_ELEMENTS } from './limits.js';
import type { Parser, Source } from './parser.js';

/** Options of a parse. */
export interface ParseOptions {
  /** Name in the message of a failure: `failed to parse order (id.up)`. */
  readonly context: string;
  /** Counts of the preceding parameters, to which the parse adds. */
  readonly count: QueryCount;
  /** The index of the first value. */
  readonly firstIndex?: number;
  /** Whether `is.not_null` is known. */
  readonly takesNotNull?: boolean;
  /** Preceding text, which is counted in columns only. */
  readonly prefix?: string;
}

/**
 * Parses the whole text. If this fails, a second parse finds the complaint. The complaint about the furthest place is
 * reported, so the second parse ignores places before the last item that was tried; if the complaint refers to one of
 * those places, a third parse finds it. Both run when the failure is read: most failures are not reported.
 */
export function parseText<T>(whole: Parser<T>, text: string, options: ParseOptions): Parsed<T> {
  const { count, firstIndex = 0, takesNotNull = false } = options;
  const before = { ...count };
  const source: Source = {
    text,
    count,
    takesNotNull,
    depth: 0,
    nextIndex: firstIndex,
    elements: 0,
    itemAt: 0,
    explainsFrom: null,
  };
  const reply = whole(source, 0);
  const excess = excessOf(count);
  if (excess !== null) return { ok: false, failure: excess };
  if (reply.ok) return { ok: true, value: reply.value };
  // The place is of no use to the client, and a second parse of so long a text is expensive.
  if (source.elements >= MOST_ELEMENTS) return { ok: false, failure: TOO_MANY_ELEMENTS };
  const { itemAt } = source;
  const complaintFrom = (explainsFrom: number): Complaint | null =>
    whole({ ...source, count: { ...before }, depth: 0, elements: 0, explainsFrom }, 0).complaint;
  return {
    ok: false,
    get failure() {
      return describeFailure(complaintFrom(itemAt) ?? complaintFrom(0), text, options);
    },
  };
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
