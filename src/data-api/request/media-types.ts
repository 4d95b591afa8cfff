/** Accept and Content-Type (data API §1.13). */
import { dbrError } from '../../errors/dbr-error.js';
import { foreignCharset } from '../../base/bytes.js';

/** A media type: lower-case `type/subtype`, without parameters except `dialect`. */
export type MediaType = string;

/** `csv`: records as PostgreSQL writes rows. `rfc4180`: CSV whose rows come back as they were. */
export type CsvDialect = 'csv' | 'rfc4180';

/**
 * How a response has rows. `json`: an array. `object`: the one row. `array`: objects without members that are null.
 * `csv`, `rfc4180`: dialects of CSV. `lines`: a JSON text a line. `geojson`: a feature collection. `plan`: how they would be
 * found. `description`: the description of the schema, which has no rows. `batch`: the responses of a batch. `explained`: a
 * response with its explanation.
 */
export type ReplyForm =
  | 'json'
  | 'object'
  | 'array'
  | CsvDialect
  | 'lines'
  | 'geojson'
  | 'plan'
  | 'description'
  | 'batch'
  | 'explained';

/**
 * How a body is read. `json`, `csv`, `rfc4180` and `form`: rows, or the arguments of a function. `lines`: rows that are
 * written while they arrive. `whole`: the single unnamed parameter of a function. `batch`: several requests.
 */
export type BodyForm = 'json' | CsvDialect | 'form' | 'lines' | 'whole' | 'batch';

interface MediaTypeEntry {
  /** Null if no response has this type. */
  readonly reply: ReplyForm | null;
  /** Null if no body has this type. */
  readonly body: BodyForm | null;
  /** Types of the single unnamed parameter that takes a body of this type as a whole. */
  readonly parameter: readonly string[];
  /** `named`: UTF-8, which `Content-Type` of a response says. `implied`: UTF-8 by definition. Null for bytes. */
  readonly charset: 'named' | 'implied' | null;
  /** The parameters with which a description in OpenAPI 2.0 lists the type; none if it does not. */
  readonly swagger: readonly string[];
  /** Description in the manual. */
  readonly meaning: string;
}

/** A type of text in neither direction, from which entries differ. */
const TEXT = { reply: null, body: null, parameter: [], charset: 'named', swagger: [] } as const;

/**
 * The media types that are built in (data API §1.13): one entry gives a type its bodies, its responses, its charset, its
 * place in the descriptions of a schema and its line in the manual. Parameters are ignored and not repeated.
 */
export const MEDIA_TYPES = {
  'application/json': {
    ...TEXT,
    reply: 'json',
    body: 'json',
    parameter: ['json', 'jsonb'],
    swagger: [''],
    meaning: 'an array of objects; a body has an object or an array of objects',
  },
  'application/vnd.pgrst.object+json': {
    ...TEXT,
    reply: 'object',
    swagger: [';nulls=stripped', ''],
    meaning:
      'one object, 406 for any other number of rows; with `;nulls=stripped` without members that are null',
  },
  'application/vnd.pgrst.array+json': {
    ...TEXT,
    reply: 'array',
    meaning: 'with `;nulls=stripped`, an array of objects without members that are null',
  },
  'text/csv': {
    ...TEXT,
    reply: 'csv',
    body: 'csv',
    swagger: [''],
    meaning: 'CSV with a header line, with the records of PostgreSQL',
  },
  'text/csv; dialect=rfc4180': {
    ...TEXT,
    reply: 'rfc4180',
    body: 'rfc4180',
    meaning: 'CSV whose rows can be written again',
  },
  'application/x-ndjson': {
    ...TEXT,
    reply: 'lines',
    body: 'lines',
    charset: 'implied',
    meaning: 'a JSON text a line: a stream of any length',
  },
  'application/geo+json': { ...TEXT, reply: 'geojson', meaning: 'a feature collection, with PostGIS' },
  'application/vnd.pgrst.plan+text': {
    ...TEXT,
    reply: 'plan',
    meaning: 'the plan of PostgreSQL as text, with `db-plan-enabled`',
  },
  'application/vnd.pgrst.plan+json': {
    ...TEXT,
    reply: 'plan',
    meaning: 'the plan of PostgreSQL as JSON, with `db-plan-enabled`',
  },
  'application/openapi+json': {
    ...TEXT,
    reply: 'description',
    meaning: 'the description of the schema, at the root',
  },
  'application/x-www-form-urlencoded': {
    ...TEXT,
    body: 'form',
    meaning: 'one row, or the arguments of a function',
  },
  'text/plain': {
    ...TEXT,
    body: 'whole',
    parameter: ['text'],
    meaning: 'the single unnamed parameter of a function, of type `text`',
  },
  'text/xml': {
    ...TEXT,
    body: 'whole',
    parameter: ['xml'],
    meaning: 'the single unnamed parameter of a function, of type `xml`',
  },
  'application/octet-stream': {
    ...TEXT,
    body: 'whole',
    parameter: ['bytea'],
    charset: null,
    meaning: 'the single unnamed parameter of a function, of type `bytea`',
  },
  'application/vnd.dbr.batch+json': {
    ...TEXT,
    reply: 'batch',
    body: 'batch',
    charset: 'implied',
    meaning: 'several requests in one transaction, at the root',
  },
  'application/vnd.dbr.explained+json': {
    ...TEXT,
    reply: 'explained',
    meaning: 'a response and its explanation, with `Prefer: explain`',
  },
} as const satisfies Readonly<Record<MediaType, MediaTypeEntry>>;

/** The name of a built-in media type. */
export type BuiltInType = keyof typeof MEDIA_TYPES;

const ENTRIES: ReadonlyMap<MediaType, MediaTypeEntry> = new Map(Object.entries(MEDIA_TYPES));

/** The names and entries of all built-in media types. */
export const builtInTypes = (): Iterable<readonly [MediaType, MediaTypeEntry]> => ENTRIES;

/** Returns how a response of a media type has rows; null for a type that is not built in. */
export const replyFormOf = (name: MediaType): ReplyForm | null => ENTRIES.get(name)?.reply ?? null;

/** Returns how a body of a media type is read; null for one that is not accepted. */
export const bodyFormOf = (name: MediaType): BodyForm | null => ENTRIES.get(name)?.body ?? null;

/** Returns the types of the single unnamed parameter that takes a body of a media type. */
export const parameterTypesOf = (name: MediaType): readonly string[] => ENTRIES.get(name)?.parameter ?? [];

/** Whether a body of this media type may contain rows, or the arguments of a function. */
export function isAccepted({ name }: ContentType, as: 'rows' | 'arguments'): boolean {
  switch (bodyFormOf(name)) {
    case 'json':
    case 'csv':
    case 'rfc4180':
    case 'form':
      return true;
    case 'whole':
      return as === 'arguments';
    case 'lines':
    case 'batch':
    case null:
      return false;
  }
}

/** Adds the charset to a media type of text. Binary types, and types that the database defines, have none. */
export function withCharset(mediaType: string): string {
  const isNamed =
    ENTRIES.get(mediaType)?.charset === 'named' || mediaType.startsWith('application/vnd.pgrst.');
  return isNamed ? `${mediaType}; charset=utf-8` : mediaType;
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

/** Names without a suffix, as clients of PostgREST send them. */
const SHORT_NAMES: ReadonlyMap<string, MediaType> = new Map([
  ['application/vnd.pgrst.object', 'application/vnd.pgrst.object+json'],
  ['application/vnd.pgrst.array', 'application/vnd.pgrst.array+json'],
  ['application/vnd.pgrst.plan', 'application/vnd.pgrst.plan+text'],
]);

/** Deepest nesting of plan media types that is read. */
const MAX_PLAN_DEPTH = 1;

function readMediaRange(text: string, depth = 0): MediaRange {
  const [written = '', ...rest] = text.split(';');
  const name = written.toLowerCase();
  const parameters = readParameters(rest);
  const stripNulls = parameters.get('nulls') === 'stripped';
  if (name === '*/*') return { kind: 'any', text: name };
  const known = SHORT_NAMES.get(name) ?? name;
  switch (replyFormOf(known)) {
    case 'object':
      return { kind: 'object', text: `${known}${stripNulls ? ';nulls=stripped' : ''}`, stripNulls };
    case 'array':
      if (!stripNulls) return { kind: 'type', text: 'application/json', name: 'application/json' };
      return { kind: 'array', text: `${known};nulls=stripped` };
    case 'plan':
      if (depth < MAX_PLAN_DEPTH)
        return readPlan(known.endsWith('+json') ? 'json' : 'text', parameters, depth);
      break;
    case 'json':
    case 'csv':
    case 'rfc4180':
    case 'lines':
    case 'geojson':
    case 'description':
    case 'batch':
    case 'explained':
    case null:
  }
  const dialect = parameters.get('dialect')?.toLowerCase();
  if (name === 'text/csv' && dialect !== undefined) {
    const spelled = `${name}; dialect=${dialect}`;
    return { kind: 'type', text: spelled, name: spelled };
  }
  if (ENTRIES.has(name)) return { kind: 'type', text: name, name };
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

/** Clients send the type of an array, which they ask for, also with their own arrays. */
const JSON_ARRAY = 'application/json';

/** The media type of the body; JSON if the header is missing. Text in another charset than UTF-8 is of no known type. */
export function readContentType(header: string | undefined): ContentType {
  if (header === undefined) return { name: 'application/json', text: 'application/json' };
  const range = readMediaRange(header.trim());
  const type = mediaTypeOf(header);
  const name =
    type === 'text/csv'
      ? range.text
      : replyFormOf(SHORT_NAMES.get(type) ?? type) === 'array'
        ? JSON_ARRAY
        : type;
  const isText = (ENTRIES.get(name)?.charset ?? null) !== null;
  const charset = isText ? foreignCharset(header) : null;
  if (charset === null) return { name, text: range.text };
  const text = `${range.text}; charset=${charset}`;
  return { name: text, text };
}
