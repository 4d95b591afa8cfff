/** Spans as values, and as JSON of OTLP. */
import type { RequestTrace } from '../contract/timings.js';

type AttributeValue = string | number;

/** Names and values; an undefined value is left out. They hold no token, no secret and no value of a query. */
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>;

/** Numbers of `SpanKind` in OTLP. */
const KINDS = { internal: 1, server: 2, client: 3 } as const;

export interface Span {
  readonly name: string;
  readonly kind: keyof typeof KINDS;
  readonly spanId: string;
  readonly parentId: string | null;
  /** Milliseconds since 1970, with fractions. */
  readonly from: number;
  readonly to: number;
  readonly attributes: Attributes;
  /** Whether the work failed by a fault of the service or of its database. */
  readonly hasFailed: boolean;
}

/** `STATUS_CODE_ERROR` of OTLP. */
const STATUS_ERROR = 2;
/** Bits of `flags`: sampled; whether the parent is remote is known; it is remote. */
const FLAGS = { local: 0x101, remote: 0x301 } as const;

/** JSON of a `Span` message (opentelemetry-proto, trace.proto): ids are hexadecimal, 64-bit numbers are strings. */
export function spanJson({ traceId, traceState }: RequestTrace, span: Span): string {
  const { name, kind, spanId, parentId, from, to, attributes, hasFailed } = span;
  return JSON.stringify({
    traceId,
    spanId,
    ...(parentId === null ? {} : { parentSpanId: parentId }),
    ...(traceState === null ? {} : { traceState }),
    flags: kind === 'server' && parentId !== null ? FLAGS.remote : FLAGS.local,
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanoseconds(from),
    endTimeUnixNano: nanoseconds(Math.max(from, to)),
    attributes: attributesJson(attributes),
    status: hasFailed ? { code: STATUS_ERROR } : {},
  });
}

/** A list of `KeyValue` messages. */
export const attributesJson = (attributes: Attributes) =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined
      ? []
      : [{ key, value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value } }],
  );

const NANOSECONDS = 1_000_000;
const NANOSECOND_DIGITS = 6;

function nanoseconds(milliseconds: number): string {
  const whole = Math.floor(milliseconds);
  const rest = Math.floor((milliseconds - whole) * NANOSECONDS);
  return `${String(whole)}${String(rest).padStart(NANOSECOND_DIGITS, '0')}`;
}
