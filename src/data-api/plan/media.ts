import { dbrError } from '../../errors/dbr-error.js';
import {
  type CsvDialect,
  type MediaRange,
  replyFormOf,
  type ReplyForm,
  withCharset,
} from '../request/media-types.js';
import type { Media, MediaHandler, QualifiedName, SchemaCache, Table } from '../schema-cache/types.js';
import { columnNames } from './plan-context.js';
import { type BodyForm, type Count, isCsv, type OutcomeCheck, type Output } from './plan.js';
import type { ReadNode } from './expression.js';
import type { ApiRequest } from '../request/api-request.js';
import type { Preferences } from '../request/preferences.js';

/** The parts of a request that determine the available media types of the response. */
export interface Offer {
  /** The relation whose row type the rows have; null for functions that return values. */
  readonly relation: QualifiedName | null;
  /** True if whole rows are selected without embeds. Handlers of the relation apply only then. */
  readonly wholeRows: boolean;
  /** The media type that the function itself renders. */
  readonly own: Media | null;
  /** The JSON form of the result. */
  readonly json: BodyForm;
  /** The same with one object or value instead of an array. */
  readonly object: (stripNulls: boolean) => BodyForm;
  readonly planEnabled: boolean;
  /** The forms of rows in lines. */
  readonly lines: LineForms;
}

export interface LineForms {
  /** Whether rows may be sent before the last one is known. */
  readonly streamed: boolean;
  /** Whether CSV is sent in this way: the request has `Prefer: stream`. */
  readonly streamsCsv: boolean;
  /** Whether the rows are values of a function. */
  readonly values: boolean;
}

/** The body for one media type. */
interface Rendering {
  readonly form: BodyForm;
  readonly contentType: string;
}

/**
 * Returns the form of the body: the first acceptable media type that is available (data API §1.13). Throws DBR107 if
 * there is none.
 */
export function negotiate(accept: readonly MediaRange[], offer: Offer, cache: SchemaCache): Output {
  for (const range of accept) {
    const output = outputFor(range, offer, cache);
    if (output !== null) return output;
  }
  const mediaTypes = accept.map((range) => range.text).join(', ');
  throw dbrError('UnacceptableMediaType', { message: 'accept', mediaTypes });
}

function outputFor(range: MediaRange, offer: Offer, cache: SchemaCache): Output | null {
  if (range.kind !== 'plan') {
    const rendering = renderingOf(range, offer, cache);
    return rendering === null
      ? null
      : {
          form: rendering.form,
          contentType: withCharset(rendering.contentType),
          singular: range.kind === 'object',
          explain: null,
        };
  }
  if (!offer.planEnabled) return null;
  // An execution plan is one value.
  const whole = { ...offer, lines: { ...offer.lines, streamed: false } };
  const rendering = range.of.kind === 'plan' ? null : renderingOf(range.of, whole, cache);
  if (rendering === null) return null;
  return {
    form: rendering.form,
    contentType: withCharset(range.text),
    singular: false,
    explain: { format: range.format, options: range.options },
  };
}

function renderingOf(
  range: Exclude<MediaRange, { kind: 'plan' }>,
  offer: Offer,
  cache: SchemaCache,
): Rendering | null {
  switch (range.kind) {
    case 'object':
      return { form: offer.object(range.stripNulls), contentType: range.text };
    case 'array':
      return { form: stripped(offer.json), contentType: range.text };
    case 'any':
    case 'type':
      return handled(range.kind === 'any' ? '*/*' : range.name, offer, cache) ?? builtIn(range, offer);
  }
}

/**
 * Precedence: a handler of the relation or function for every media type, a handler for this type, a handler for all
 * rows.
 */
function handled(mediaType: string, offer: Offer, cache: SchemaCache): Rendering | null {
  const { own } = offer;
  if (own !== null && offer.wholeRows && (own.mediaType === '*/*' || own.mediaType === mediaType))
    return { form: { kind: 'raw', binary: own.binary }, contentType: own.contentType };
  const { relation } = offer;
  const handlers =
    relation === null || !offer.wholeRows
      ? undefined
      : cache.mediaHandlers.relation.get(relation.schema)?.get(relation.name);
  const handler = handlers?.get('*/*') ?? handlers?.get(mediaType) ?? cache.mediaHandlers.any.get(mediaType);
  return handler === undefined ? null : renderedBy(handler);
}

const renderedBy = (handler: MediaHandler): Rendering => ({
  form: { kind: 'aggregate', function: handler.aggregate, binary: handler.binary },
  contentType: handler.contentType,
});

function builtIn(range: Extract<MediaRange, { kind: 'type' | 'any' }>, offer: Offer): Rendering | null {
  if (range.kind === 'any') return { form: offer.json, contentType: 'application/json' };
  const form = formOfRows(replyFormOf(range.name), offer);
  return form === null ? null : { form, contentType: range.name };
}

/** Returns the form of rows in a media type without parameters; null for a type that is not a form of its own. */
function formOfRows(reply: ReplyForm | null, { json, lines }: Offer): BodyForm | null {
  switch (reply) {
    case 'json':
      return json;
    case 'csv':
    case 'rfc4180':
      return csvForm(reply, lines);
    case 'lines':
      return ndjsonForm(lines);
    case 'geojson':
      return { kind: 'geojson' };
    case 'object':
    case 'array':
    case 'plan':
    case 'description':
    case 'batch':
    case 'explained':
    case null:
      return null;
  }
}

const csvForm = (dialect: CsvDialect, { streamed, streamsCsv }: LineForms): BodyForm =>
  streamed && streamsCsv ? { kind: 'stream', line: dialect } : { kind: 'csv', dialect, header: null };

/** Adds the names that the dialect `rfc4180` has without rows. */
export const withTableNames = (output: Output, root: ReadNode, table: Table | null): Output =>
  output.form.kind === 'csv' && output.form.dialect === 'rfc4180'
    ? withNames(output, root, columnNames(table))
    : output;

/** Adds the names of the first line to CSV without rows. @param columns those of the root; empty if they are unknown */
export function withNames(output: Output, root: ReadNode, columns: readonly string[]): Output {
  const { form } = output;
  return form.kind === 'csv' ? { ...output, form: { ...form, header: namesOf(root, columns) } } : output;
}

/** Returns the keys of the rows; null if one of them is unknown. */
function namesOf({ select, alias }: ReadNode, columns: readonly string[]): readonly string[] | null {
  const names: string[] = [];
  for (const item of select) {
    if (item.kind !== 'all') names.push(item.name);
    else if (item.relation === alias && columns.length > 0) names.push(...columns);
    else return null;
  }
  return names;
}

/** Returns the read tree of the rows of a body: text contains embedded objects as jsonb. */
export const treeFor = (root: ReadNode, { form }: Output): ReadNode =>
  form.kind === 'csv' || form.kind === 'aggregate' || (form.kind === 'stream' && isCsv(form.line))
    ? withJsonbEmbeds(root)
    : root;

const withJsonbEmbeds = (node: ReadNode): ReadNode => ({
  ...node,
  jsonbEmbeds: true,
  embeds: node.embeds.map((embed) => ({ ...embed, node: withJsonbEmbeds(embed.node) })),
});

const ndjsonForm = ({ streamed, values }: LineForms): BodyForm =>
  streamed ? { kind: 'stream', line: values ? 'value' : 'object' } : { kind: 'lines', values };

function stripped(form: BodyForm): BodyForm {
  return form.kind === 'array' || form.kind === 'object' || form.kind === 'value'
    ? { ...form, stripNulls: true }
    : form;
}

/** Returns how the total is counted (data API §1.6). Without `db-max-rows`, an estimated count is exact. */
export function planCount(preferences: Preferences, maxRows: bigint | null): Count | null {
  switch (preferences.count) {
    case null:
      return null;
    case 'exact':
      return { mode: 'exact' };
    case 'planned':
      return { mode: 'planned' };
    case 'estimated':
      return maxRows === null ? { mode: 'exact' } : { mode: 'estimated', threshold: maxRows };
  }
}

/** Returns the check of `Prefer: max-affected`, which applies with `handling=strict` only (data API §1.11). */
export function maxAffectedCheck(request: ApiRequest): readonly OutcomeCheck[] {
  const { maxAffected } = request.preferences;
  return maxAffected === null ? [] : [{ kind: 'max-affected', maximum: maxAffected }];
}

/**
 * Refuses preferences whose headers depend on the last row, which a stream sends after its head.
 * @throws DBR180
 */
export function requireStreamable({ preferences }: ApiRequest, { form }: Output): void {
  if (form.kind !== 'stream') return;
  if (preferences.count === 'exact') throw dbrError('NotStreamable', { details: 'count' });
  if (preferences.pagination !== null) throw dbrError('NotStreamable', { details: 'pages' });
  if (preferences.maxAffected !== null) throw dbrError('NotStreamable', { details: 'maxAffected' });
}

/**
 * Refuses unknown preferences if the client requests strict handling (data API §1.11). Reads and calls check this
 * last; writes check it before the Accept header.
 * @throws DBR122
 */
export function requireKnownPreferences({ handling, invalid }: Preferences): void {
  if (handling === 'strict' && invalid.length > 0)
    throw dbrError('InvalidPreferences', { preferences: invalid.join(', ') });
}
