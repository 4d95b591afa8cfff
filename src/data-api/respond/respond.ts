import { giveBackBlock } from '../../blocks.js';
import { acceptedCoding, codedTag, CODINGS } from '../../content-coding.js';
import { matchesEntityTag } from '../../operations/entity-tag.js';
import { descriptionBody, type Description } from '../document/describe.js';
import { isStreamed, type MainBody, type MainResult } from '../execute/main-result.js';
import type {
  CallPlan,
  DocumentPlan,
  InspectPlan,
  MutationPlan,
  ReadPlan,
  RunnablePlan,
} from '../plan/plan.js';
import { graphOfChange } from '../plan/mutation.js';
import type { ApiRequest } from '../request/api-request.js';
import { appliedPreferences, type Preferences, type PreferenceScope } from '../request/preferences.js';
import { ACCEPT_QUERY } from '../request/query-in-body.js';
import { offsetOf, type ShapedRequest } from '../request/shaped-request.js';
import { bytesOfHex, type Header, toWire } from './header-text.js';
import { contentLocation, rowLocation } from './locations.js';
import { lastModifiedHeaders } from './last-modified.js';
import { pageLinks } from './page-links.js';
import type { Reply } from './reply.js';
import { overridden, readResponseHeaders, readResponseStatus } from './response-settings.js';
import { rangeHeaders, rangeStatus, type Rows } from './rows.js';

/** Returns the reply for the result of a plan. @throws DBR103, DBR111 and DBR112 */
export function respond(plan: RunnablePlan, result: MainResult, shaped: ShapedRequest): Reply {
  try {
    return resultReply(plan, result, shaped);
  } catch (error) {
    // No reply has the body, so it must not keep its connection waiting for a reader.
    if (isStreamed(result.body)) result.body.stream.destroy();
    throw error;
  }
}

function resultReply(plan: RunnablePlan, result: MainResult, shaped: ShapedRequest): Reply {
  const own = plan.output.explain === null ? replyTo(plan, result, shaped) : explainedReply(plan, result);
  const { body } = own;
  const status = readResponseStatus(result.responseStatus) ?? own.status;
  const headers = overridden(own.headers, readResponseHeaders(result.responseHeaders));
  const release = giveBackBlock;
  if (!isStreamed(body)) return { status, headers, body, release };
  if (status === 204 || status === 205 || status === 304) {
    body.stream.destroy();
    return { status, headers, body: null };
  }
  return {
    status,
    headers: [...headers, ['Content-Length', String(body.length)]],
    body: body.stream,
    release,
  };
}

/** A reply before the headers and the status of functions are applied. A long body may still arrive. */
type OwnReply = Omit<Reply, 'body'> & { readonly body: MainBody };

function replyTo(plan: RunnablePlan, result: MainResult, shaped: ShapedRequest): OwnReply {
  switch (plan.kind) {
    case 'read':
      return readReply(plan, result, shaped);
    case 'mutation':
      return mutationReply(plan, result, shaped);
    case 'call':
      return callReply(plan, result, shaped);
  }
}

function explainedReply(plan: RunnablePlan, result: MainResult): OwnReply {
  return { status: 200, headers: contentHeaders(plan.output.contentType, null), body: result.body };
}

function readReply(plan: ReadPlan, result: MainResult, shaped: ShapedRequest): OwnReply {
  const rows: Rows = { offset: offsetOf(shaped), count: result.pageTotal, total: result.total };
  const headers = [
    ...rangeHeaders(rows),
    ...preferenceHeaders(shaped.request, 'read'),
    ...(shaped.pairs === null ? [] : [contentLocation(plan.path, shaped.pairs)]),
    ACCEPTS_QUERY,
    ...(plan.root.seek === undefined ? [] : pageLinks(plan, result, shaped)),
    ...(plan.dated === null ? [] : lastModifiedHeaders(result.modified)),
  ];
  return {
    status: rangeStatus(rows, headers),
    headers: [...contentHeaders(plan.output.contentType, shaped.request), ...headers],
    body: bodyOf(plan, result),
  };
}

function callReply(plan: CallPlan, result: MainResult, shaped: ShapedRequest): OwnReply {
  const rows: Rows = { offset: offsetOf(shaped), count: result.pageTotal, total: result.total };
  const range = [...rangeHeaders(rows), ...preferenceHeaders(shaped.request, 'call')];
  const { action } = shaped.request;
  if (action.kind === 'call' && action.reading) range.push(ACCEPTS_QUERY);
  if (plan.call.gives === 'nothing') return { status: 204, headers: range, body: null };
  return {
    status: rangeStatus(rows, range),
    headers: [...contentHeaders(plan.output.contentType, shaped.request), ...range],
    body: bodyOf(plan, result),
  };
}

function mutationReply(plan: MutationPlan, result: MainResult, shaped: ShapedRequest): OwnReply {
  const { path, keyColumns } = plan;
  const full = plan.represent === 'full';
  const location = result.location === null ? [] : [rowLocation(path, keyColumns, result.location)];
  return {
    status: mutationStatus(plan, result, shaped.request.preferences),
    headers: [
      ...location,
      ...(full ? contentHeaders(plan.output.contentType, shaped.request) : []),
      ...mutationRange(plan, result),
      ...preferenceHeaders(shaped.request, mutationScope(plan), !appliesResolution(plan)),
    ],
    body: full ? bodyOf(plan, result) : null,
  };
}

function mutationStatus(plan: MutationPlan, result: MainResult, { resolution }: Preferences): number {
  const full = plan.represent === 'full';
  const { change } = plan;
  if (change.kind !== 'insert') return full ? 200 : 204;
  const created = result.inserted === null || result.inserted > 0;
  if (isPut(plan)) return full ? (created ? 201 : 200) : 204;
  // An upsert of no rows inserts none, like an upsert that only updates.
  const upserting = resolution === 'merge-duplicates';
  return upserting && (!created || result.pageTotal === 0) ? 200 : 201;
}

const isPut = (plan: MutationPlan): boolean => plan.checks.some((check) => check.kind === 'put');

function mutationRange(plan: MutationPlan, { pageTotal, total }: MainResult): readonly Header[] {
  // Content-Range numbers the rows of an update only.
  const updates = plan.change.kind !== 'insert' && plan.change.kind !== 'delete';
  return rangeHeaders({ offset: 0n, count: updates ? pageTotal : 0, total });
}

function mutationScope(plan: MutationPlan): PreferenceScope {
  if (isPut(plan)) return graphOfChange(plan.change) === null ? 'upsert' : 'graph-put';
  return plan.change.kind === 'keyed-update' ? 'update' : plan.change.kind;
}

/** Whether `resolution` applies: without a key, there is no conflict. */
const appliesResolution = ({ change }: MutationPlan): boolean =>
  change.kind === 'graph-update' || (change.kind === 'insert' && change.conflict !== null);

const RESOLUTION: ReadonlySet<'resolution'> = new Set(['resolution'] as const);

function preferenceHeaders(
  request: ApiRequest,
  scope: PreferenceScope,
  withoutResolution = false,
): readonly Header[] {
  const applied = appliedPreferences(request.preferences, scope, withoutResolution ? RESOLUTION : undefined);
  return applied === null ? [] : [['Preference-Applied', toWire(applied)]];
}

export function contentHeaders(contentType: string | null, request: ApiRequest | null): readonly Header[] {
  if (contentType === null) return [];
  const headers: Header[] = [['Content-Type', contentType]];
  if (request?.profiled === true) headers.push(['Content-Profile', toWire(request.schema)]);
  return headers;
}

function bodyOf(plan: RunnablePlan, { body }: MainResult): MainBody {
  const { form } = plan.output;
  if (form.kind === 'none') return null;
  const binary = (form.kind === 'aggregate' || form.kind === 'raw') && form.binary;
  if (binary && body !== null && !isStreamed(body)) return bytesOfHex(body);
  return body ?? [];
}

/** Names the media types of QUERY, which reads what GET reads (RFC 10008). */
export const ACCEPTS_QUERY: Header = ['Accept-Query', ACCEPT_QUERY];

/** The reply to OPTIONS (data API §1.14). */
export function inspectReply(plan: InspectPlan): Reply {
  const headers: readonly Header[] = [
    ['Allow', plan.allow.join(',')],
    ['Access-Control-Allow-Origin', '*'],
    ...(plan.acceptsQuery ? [ACCEPTS_QUERY] : []),
  ];
  return { status: 200, headers, body: null };
}

/** Headers of a request for a description. */
export interface DescriptionReader {
  readonly method: string;
  readonly acceptEncoding: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

/** The description of the root path, compressed if the client accepts that; 304 if the client has it. */
export function documentReply(
  plan: DocumentPlan,
  description: Description,
  { method, acceptEncoding, ifNoneMatch }: DescriptionReader,
  request: ApiRequest,
): Reply {
  const coding = acceptedCoding(acceptEncoding, CODINGS);
  const etag = codedTag(description.etag, coding);
  const known: readonly Header[] = [['ETag', etag], DESCRIPTION_VARY];
  if (matchesEntityTag(ifNoneMatch, etag)) return { status: 304, headers: known, body: null };
  const headers = [...contentHeaders(plan.contentType, request), ...known];
  if (coding !== null) headers.push(['Content-Encoding', coding]);
  if (method !== 'HEAD') return { status: 200, headers, body: descriptionBody(description, coding) };
  // A long text is decompressed while it is sent, so its length is not known.
  const bytes = coding === null ? description.text : description.compressed[coding];
  if (bytes !== null) headers.push(['Content-Length', String(bytes.length)]);
  return { status: 200, headers, body: null };
}

/** Vary of other responses of the data API, with Accept-Encoding. */
const DESCRIPTION_VARY: Header = [
  'Vary',
  'Accept, Accept-Encoding, Accept-Profile, Authorization, Origin, Prefer, Range',
];
