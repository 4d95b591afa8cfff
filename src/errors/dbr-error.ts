/**
 * The service's own errors: one entry of the generated error table with its holes filled. Any room raises them;
 * `src/http` renders them.
 */
import { DBR_ERRORS } from '../../generated/errors.js';
import type {
  DbrErrorCode,
  DbrErrorEntry,
  DbrErrorHoles,
  DbrErrorName,
  JsonValue,
} from '../../generated/errors.js';

export type { DbrErrorCode, DbrErrorHoles, DbrErrorName, JsonValue } from '../../generated/errors.js';

/**
 * Limit of the message, the details and the hint, in UTF-16 code units. Errors of PostgreSQL are cut to as many
 * bytes.
 */
const LONGEST_FIELD = 8192;

/** One of several problems found at once in a request (notifications-and-signing error bodies: `errors`). */
export interface Problem {
  /** Where in the request: a JSON pointer into the body, or the name of a parameter. */
  readonly path: string;
  /** A stable word for programs, such as `unknown_party`. */
  readonly code: string;
  readonly message: string;
}

export interface DbrErrorOptions {
  /** Headers to send with the error, such as `WWW-Authenticate` or `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly problems?: readonly Problem[];
  /** The cause, for the log. It is never sent to a client. */
  readonly cause?: unknown;
}

/** An error of this service. Its message, details and hint are sent to the client. */
export class DbrError extends Error {
  override readonly name: DbrErrorName;
  readonly code: DbrErrorCode;
  /** HTTP status. */
  readonly status: number;
  readonly details: JsonValue;
  readonly hint: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly problems?: readonly Problem[];

  constructor(name: DbrErrorName, status: number, texts: FilledTexts, options: DbrErrorOptions) {
    super(texts.message, 'cause' in options ? { cause: options.cause } : undefined);
    this.name = name;
    this.code = DBR_ERRORS[name].code;
    this.status = status;
    this.details = texts.details;
    this.hint = texts.hint;
    this.headers = options.headers ?? {};
    if (options.problems !== undefined) this.problems = options.problems;
  }
}

/** The three texts of an error body after the holes are filled. */
interface FilledTexts {
  readonly message: string;
  readonly details: JsonValue;
  readonly hint: string | null;
}
type Values = Readonly<Record<string, JsonValue>>;

/** Errors without holes need no second argument, or an empty one before the options. */
type Arguments<N extends DbrErrorName> =
  Record<string, never> extends DbrErrorHoles[N]
    ? [holes?: DbrErrorHoles[N], options?: DbrErrorOptions]
    : [holes: DbrErrorHoles[N], options?: DbrErrorOptions];

/**
 * Creates the error `name` of `openapi/components/errors.yaml` with its holes filled. A field with variants takes the
 * variant named by the argument of the field's own name (`details: 'negativeLimit'`). A template that is one hole
 * alone passes the given value through unchanged.
 */
export function dbrError<N extends DbrErrorName>(name: N, ...[holes, options]: Arguments<N>): DbrError {
  const entry: DbrErrorEntry = DBR_ERRORS[name];
  const values: Values = holes ?? {};
  const texts = {
    message: cut(asText(fill(templateOf(entry.message, values['message']), values)) ?? ''),
    details: cut(fill(templateOf(entry.details, values['details']), values)),
    hint: cut(asText(fill(templateOf(entry.hint, values['hint']), values))),
  };
  return new DbrError(name, statusOf(entry, values['message']), texts, options ?? {});
}

/** The error of one problem in a body. @param path JSON pointer */
export const invalidBody = (path: string, code: string, message: string): DbrError =>
  dbrError('InvalidBody', { details: `'${path}' ${message}` }, { problems: [{ path, code, message }] });

/** An error with several statuses takes that of its message's variant. */
function statusOf({ status }: DbrErrorEntry, variant: JsonValue | undefined): number {
  if (typeof status === 'number') return status;
  return (typeof variant === 'string' ? status[variant] : undefined) ?? 500;
}

function templateOf(field: DbrErrorEntry['details'], variant: JsonValue | undefined): string | null {
  if (field === null || typeof field === 'string') return field;
  return typeof variant === 'string' ? (field[variant] ?? null) : null;
}

function fill(template: string | null, values: Values): JsonValue {
  if (template === null) return null;
  const whole = /^\{(\w+)\}$/.exec(template)?.[1];
  if (whole !== undefined) return values[whole] ?? null;
  return template.replace(/\{(\w+)\}/g, (_hole, name: string) => asText(values[name] ?? null) ?? '');
}

/** Cuts a text to `LONGEST_FIELD`, between characters: holes contain names from requests, which may have any length. */
function cut<V extends JsonValue>(field: V): V | string {
  if (typeof field !== 'string' || field.length <= LONGEST_FIELD) return field;
  return field.slice(0, LONGEST_FIELD).replace(/[\uD800-\uDBFF]$/, '');
}

function asText(value: JsonValue): string | null {
  if (value === null || typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : JSON.stringify(value);
}
