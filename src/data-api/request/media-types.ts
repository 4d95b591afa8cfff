/** Accept and Content-Type (data API §1.13). */

/** A media type: lower-case `type/subtype`, without parameters. */
export type MediaType = string;

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
 */
export function readAccept(header: string | undefined): readonly MediaRange[] {
  if (header === undefined) return [{ kind: 'any', text: '*/*' }];
  return header
    .split(',')
    .map((part) => weigh(part.replaceAll(' ', '')))
    .sort((left, right) => right.quality - left.quality || right.specificity - left.specificity)
    .map(({ text }) => readMediaRange(text));
}

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
  if (BUILT_IN.has(name)) return { kind: 'type', text: name, name };
  return { kind: 'type', text: [written, ...rest.map((part) => part.trim())].join('; '), name };
}

/** Media types whose parameters are ignored and not repeated. */
const BUILT_IN: ReadonlySet<MediaType> = new Set([
  'application/geo+json',
  'application/json',
  'application/octet-stream',
  'application/openapi+json',
  'application/x-ndjson',
  'application/x-www-form-urlencoded',
  'text/csv',
  'text/plain',
  'text/xml',
]);

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

/** The media type of the body; JSON if the header is missing. */
export function readContentType(header: string | undefined): ContentType {
  if (header === undefined) return { name: 'application/json', text: 'application/json' };
  const name = mediaTypeOf(header);
  return { name, text: readMediaRange(header.trim()).text };
}
