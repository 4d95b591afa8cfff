/** Accept and Content-Type (data API §1.13). */
import { dbrError } from '../../errors/dbr-error.js';
import { foreignCharset } from '../../base/bytes.js';

/** A media type: lower-case `type/subtype`, without parameters except `dialect`. */
export type MediaType = string;

/** `csv`: records as PostgreSQL writes rows. `rfc4180`: CSV whose rows come back as they were. */
export type CsvDialect = 'csv' | 'rfc4180';

/** CSV whose rows come back as they were: null is an empty field, an empty text two quotes, and only quotes are doubled. */
export const RFC4180_CSV = 'text/csv; dialect=rfc4180';

/** How a built-in media type is used. Its parameters are ignored and not repeated. */
interface BuiltIn {
  /** Whether it is text, whose charset is UTF-8. */
  readonly isText: boolean;
  /** What a body of this type may contain. */
  readonly carries: 'rows' | 'arguments' | 'nothing';
}

const MEDIA_TYPES: ReadonlyMap<MediaType, BuiltIn> = new Map([
  ['application/geo+json', { isText: true, carries: 'nothing' }],
  ['application/json', { isText: true, carries: 'rows' }],
  ['application/octet-stream', { isText: false, carries: 'arguments' }],
  ['application/openapi+json', { isText: true, carries: 'nothing' }],
  ['application/x-ndjson', { isText: false, carries: 'nothing' }],
  ['application/x-www-form-urlencoded', { isText: true, carries: 'rows' }],
  ['text/csv', { isText: true, carries: 'rows' }],
  [RFC4180_CSV, { isText: true, carries: 'rows' }],
  ['text/plain', { isText: true, carries: 'arguments' }],
  ['text/xml', { isText: true, carries: 'arguments' }],
]);

/** Whether a body of this media type may contain rows, or the arguments of a function. */
export function isAccepted({ name }: ContentType, as: 'rows' | 'arguments'): boolean {
  const carries = MEDIA_TYPES.get(name)?.carries ?? 'nothing';
  return carries === 'rows' || carries === as;
}

/** Adds the charset to a media type of text. Binary types, and types that the database defines, have none. */
export function withCharset(mediaType: string): string {
  const isText = MEDIA_TYPES.get(mediaType)?.isText ?? mediaType.startsWith('application/vnd.pgrst.');
  return isText ? `${mediaType}; charset=utf-8` : mediaType;
}

/** An option of the plan media type. */
export type PlanOption = 'analyze' | 'verbose' | 'settings' | 'buffers' | 'wal';

/** One acceptable media type of an Accept header. `text` is its spelling in errors and in Content-Type. */
export type MediaRange =
  /** Produced by a media handler of that name, or built in. */
  | { readonly kind: 'type'; readonly text: string; readonly name: MediaType }
  /** Any media type. */
  | { readonly kind: 'any'; readonly text: string }
  /** One object instead of an array. */
  | { readonly kind: 'object'; readonly text: string; readonly stripNulls: boolean }
  /** An array of objects without members that are null. */
  | { readonly kind: 'array'; readonly text: string }
  | {
      readonly kind: 'plan';
      readonly text: string;
      readonly format: 'text' | 'json';
      /** The media type whose plan is requested. */
      readonly of: MediaRange;
      readonly options: readonly PlanOption[];
    };

const PLAN_OPTIONS: readonly PlanOption[] = ['analyze', 'verbose', 'settings', 'buffers', 'wal'];

/**
 * The media types of an Accept header, best first: by q, then the more specific one, then in order. Without the
 * header, any type is acceptable. A part that cannot be parsed becomes a type that no handler provides.
 * @throws DBR107 (406) for more media types than a header may have
 */
export function readAccept(header: string | undefined): readonly MediaRange[] {
  if (header === undefined) return [{ kind: 'any', text: '*/*' }];
  const parts = header.split(',', MOST_RANGES + 1);
  if (parts.length > MOST_RANGES)
    throw dbrError('UnacceptableMediaType', { message: 'accept', mediaTypes: `${header.slice(0, SHOWN)}…` });
  return parts
    .map((part) => weigh(part.replaceAll(' ', '')))
    .sort((left, right) => right.quality - left.quality || right.specificity - left.specificity)
    .map(({ text }) => readMediaRange(text));
}

/** Most media types of a header. */
const MOST_RANGES = 200;
/** Characters of a longer header that its error repeats. */
const SHOWN = 200;

interface Weighed {
  readonly text: string;
  readonly quality: number;
  readonly specificity: number;
}

function weigh(part: string): Weighed {
  const at = part.indexOf(';q=');
  const text = at < 0 ? part : part.slice(0, at);
  const quality = at < 0 ? Number.NaN : Number.parseFloat(part.slice(at + 3));
  const specificity = text.split(';').length - text.split('*').length;
  return { text, quality: Number.isNaN(quality) ? 1 : quality, specificity };
}

/** Deepest nesting of plan media types that is read. */
const MAX_PLAN_DEPTH = 1;

function readMediaRange(text: string, depth = 0): MediaRange {
  const [written = '', ...rest] = text.split(';');
  const name = written.toLowerCase();
  const parameters = readParameters(rest);
  const stripNulls = parameters.get('nulls') === 'stripped';
  switch (name) {
    case '*/*':
      return { kind: 'any', text: name };
    case 'application/vnd.pgrst.object':
    case 'application/vnd.pgrst.object+json': {
      const spelled = `application/vnd.pgrst.object+json${stripNulls ? ';nulls=stripped' : ''}`;
      return { kind: 'object', text: spelled, stripNulls };
    }
    case 'application/vnd.pgrst.array':
    case 'application/vnd.pgrst.array+json':
      if (!stripNulls) return { kind: 'type', text: 'application/json', name: 'application/json' };
      return { kind: 'array', text: 'application/vnd.pgrst.array+json;nulls=stripped' };
    case 'application/vnd.pgrst.plan':
    case 'application/vnd.pgrst.plan+text':
    case 'application/vnd.pgrst.plan+json':
      if (depth < MAX_PLAN_DEPTH)
        return readPlan(name.endsWith('+json') ? 'json' : 'text', parameters, depth);
  }
  const dialect = parameters.get('dialect')?.toLowerCase();
  if (name === 'text/csv' && dialect !== undefined) {
    const spelled = `${name}; dialect=${dialect}`;
    return { kind: 'type', text: spelled, name: spelled };
  }
  if (MEDIA_TYPES.has(name)) return { kind: 'type', text: name, name };
  return { kind: 'type', text: [written, ...rest.map((part) => part.trim())].join('; '), name };
}

function readPlan(
  format: 'text' | 'json',
  parameters: ReadonlyMap<string, string>,
  depth: number,
): MediaRange {
  const of = readMediaRange(parameters.get('for') ?? 'application/json', depth + 1);
  const asked = (parameters.get('options') ?? '').split('|');
  const options = PLAN_OPTIONS.filter((option) => asked.includes(option));
  const listed = options.length === 0 ? '' : `; options=${options.join('|')}`;
  const text = `application/vnd.pgrst.plan+${format}; for="${of.text}"${listed}`;
  return { kind: 'plan', text, format, of, options };
}

/** Names in lower case; values without their quotes. */
function readParameters(parts: readonly string[]): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const part of parts) {
    const equals = part.indexOf('=');
    if (equals < 0) continue;
    const value = part.slice(equals + 1).trim();
    const name = part.slice(0, equals).trim().toLowerCase();
    parameters.set(name, /^".*"$/.test(value) ? value.slice(1, -1) : value);
  }
  return parameters;
}

/** The media type of a body. */
export interface ContentType {
  readonly name: MediaType;
  /** Spelling in errors. */
  readonly text: string;
}

/** The media type of a header, without parameters. */
export const mediaTypeOf = (header: string): MediaType => (header.split(';')[0] ?? '').trim().toLowerCase();

/** The media type of the body; JSON if the header is missing. Text in another charset than UTF-8 is of no known type. */
export function readContentType(header: string | undefined): ContentType {
  if (header === undefined) return { name: 'application/json', text: 'application/json' };
  const range = readMediaRange(header.trim());
  const type = mediaTypeOf(header);
  const name = type === 'text/csv' ? range.text : type;
  const charset = BINARY.has(name) || !MEDIA_TYPES.has(name) ? null : foreignCharset(header);
  if (charset === null) return { name, text: range.text };
  const text = `${range.text}; charset=${charset}`;
  return { name: text, text };
}

const BINARY: ReadonlySet<MediaType> = new Set(['application/octet-stream']);
