import type { Parameter } from '../../postgres/batch.js';
import type { Operand } from '../plan/expression.js';
import type { Payload, QueryValue } from '../request/api-request.js';

/** The values of one request to which the parameters of a statement are bound. */
export interface Bindings {
  /** Values of the query string, by index. */
  readonly values: readonly QueryValue[];
  readonly payload: Payload | null;
  /** Digests of the entity tags of If-Match. */
  readonly digests: readonly string[];
  /** The first moment after the second of If-Unmodified-Since. */
  readonly unmodifiedBefore?: string;
}

/** Returns the values of a statement's parameters, in order. */
export function bindParameters(parameters: readonly Operand[], bindings: Bindings): readonly Parameter[] {
  return parameters.map((operand) => bindOperand(operand, bindings));
}

function bindOperand(operand: Operand, bindings: Bindings): Parameter {
  const { values, payload, digests } = bindings;
  switch (operand.kind) {
    case 'value': {
      const value = values[operand.index] ?? '';
      if (typeof value !== 'string') return arrayLiteral(value);
      return beforeNul(operand.encoding === 'pattern' ? patternOf(value) : value);
    }
    case 'values':
      return arrayLiteral(operand.indexes.map((index) => textOf(values[index])));
    case 'field':
      return bindField(operand, payload);
    case 'payload':
      return bindBody(operand.encoding, payload);
    case 'object':
      return objectText(operand.members.map(({ name, index }) => [name, textOf(values[index])]));
    case 'form object':
      return objectText(payload?.kind === 'form' ? payload.pairs : []);
    case 'digests':
      return arrayLiteral(digests);
    case 'unmodified before':
      return bindings.unmodifiedBefore ?? null;
    case 'constant':
      return operand.text;
  }
}

/** Returns a JSON object of texts. The last value of a repeated name is used. */
function objectText(pairs: readonly (readonly [name: string, value: string])[]): string {
  const members = [...new Map(pairs)].map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(beforeNul(value))}`,
  );
  return `{${members.join(',')}}`;
}

const textOf = (value: QueryValue | undefined): string => (typeof value === 'string' ? value : '');

function bindField({ name, many }: Extract<Operand, { kind: 'field' }>, payload: Payload | null): Parameter {
  const pairs = payload?.kind === 'form' ? payload.pairs : [];
  const given = pairs.filter(([key]) => key === name).map(([, value]) => value);
  return many ? arrayLiteral(given) : (given.at(-1) ?? null);
}

function bindBody(encoding: 'verbatim' | 'bytes', payload: Payload | null): Parameter {
  if (payload === null || payload.kind === 'form') return null;
  return encoding === 'bytes' ? `\\x${payload.body.toString('hex')}` : payload.body;
}

/**
 * Returns the text of a one-dimensional array (PostgreSQL manual, 8.15.2). Every element is quoted, so that none is
 * NULL.
 */
export function arrayLiteral(elements: readonly string[]): string {
  // One test of the joined text is much faster than one of each element, of which there may be 100,000.
  if (elements.length > 0 && !ESCAPED.test(elements.join(','))) return `{"${elements.join('","')}"}`;
  // So is work on the joined text. No element contains the NUL that joins them.
  const joined = withBackslashes(elements.map(beforeNul).join('\0'));
  return elements.length === 0 ? '{}' : `{"${joined.replaceAll('\0', '","')}"}`;
}

/** Loops replace what a long text may contain millions of times: `replaceAll` takes 100 nanoseconds for each. */
function patternOf(text: string): string {
  if (text.length <= SHORT) return text.replaceAll('*', '%');
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    units[at] = code === ASTERISK ? PERCENT : code;
  }
  return Buffer.from(units.buffer).toString('utf16le');
}

function withBackslashes(text: string): string {
  if (text.length <= SHORT) return text.replaceAll(/["\\]/g, '\\$&');
  const units = new Uint16Array(2 * text.length);
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE || code === BACKSLASH) units[length++] = BACKSLASH;
    units[length++] = code;
  }
  return Buffer.from(units.buffer, 0, 2 * length).toString('utf16le');
}

const SHORT = 65_536;
const QUOTE = 34;
const PERCENT = 37;
const ASTERISK = 42;
const BACKSLASH = 92;

/** Characters that an element cannot contain unchanged. */
const ESCAPED = /["\\\0]/;

/** Cuts a text at a NUL, which text of PostgreSQL cannot contain. */
function beforeNul(text: string): string {
  const nul = text.indexOf('\0');
  return nul < 0 ? text : text.slice(0, nul);
}
