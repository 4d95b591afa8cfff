/** The reply to a read whose rows are sent one by one. Its head is sent before the last row is known. */
import { giveBackBlock } from '../../base/blocks.js';
import type { RowStream } from '../execute/row-stream.js';
import { isCsv, type RunnablePlan } from '../plan/plan.js';
import { appliedPreferences } from '../request/preferences.js';
import type { ShapedRequest } from '../request/shaped-request.js';
import { toWire, overridden, readResponseHeaders, readResponseStatus, replyHeader } from './reply-headers.js';
import { contentLocation, ACCEPTS_QUERY, contentHeaders } from './respond.js';
import type { Header, Reply } from '../../contract/reply.js';
import type { StepTime } from '../../contract/timings.js';
import type { Explanation } from '../execute/explanation.js';
import { type BuiltInType, withCharset } from '../request/media-types.js';

/** @throws DBR111 and DBR112 */
export function streamReply(plan: RunnablePlan, stream: RowStream, shaped: ShapedRequest): Reply {
  try {
    return replyTo(plan, stream, shaped);
  } catch (error) {
    stream.body.destroy();
    throw error;
  }
}

function replyTo(plan: RunnablePlan, stream: RowStream, { request, pairs }: ShapedRequest): Reply {
  const { body, total } = stream;
  const own = [
    ...contentHeaders(plan.output.contentType, request),
    ...(total === null ? [] : totalHeaders(total)),
    ...appliedHeaders(plan, request),
    ...(plan.kind === 'read' && pairs !== null ? [contentLocation(plan.path, pairs)] : []),
    ACCEPTS_QUERY,
  ];
  const status = readResponseStatus(stream.responseStatus) ?? 200;
  const headers = overridden(own, readResponseHeaders(stream.responseHeaders));
  if (status !== 204 && status !== 205 && status !== 304)
    return { status, headers, body, release: giveBackBlock };
  body.destroy();
  return { status, headers, body: null };
}

const APPLIED = 'Preference-Applied';

/** Adds `stream` to the applied preferences of a write. */
export function withStreamApplied(reply: Reply): Reply {
  const others = reply.headers.filter(([name]) => name !== APPLIED);
  const applied = reply.headers.filter(([name]) => name === APPLIED).map(([, value]) => value);
  return { ...reply, headers: [...others, [APPLIED, [...applied, 'stream'].join(', ')]] };
}

/** The range of a stream is not known when it begins. */
const totalHeaders = (total: bigint): readonly Header[] => [
  ['Content-Range', `*/${String(total)}`],
  ['Range-Unit', 'items'],
];

function appliedHeaders(
  { kind, output: { form } }: RunnablePlan,
  { preferences }: ShapedRequest['request'],
): readonly Header[] {
  const scope = kind === 'call' ? 'call' : 'read';
  const stream = form.kind === 'stream' && isCsv(form.line) && preferences.stream ? ['stream'] : [];
  const applied = [appliedPreferences(preferences, scope) ?? [], stream].flat().join(', ');
  return applied === '' ? [] : [[APPLIED, toWire(applied)]];
}

const EXPLAINED: BuiltInType = 'application/vnd.dbr.explained+json';

/**
 * Puts the body of a reply and its explanation into one JSON object. Status and headers stay, except those of the
 * content.
 */
export function explainedReply(
  reply: Reply,
  body: readonly Buffer[],
  explanation: Explanation | { readonly error: string },
  steps: readonly StepTime[],
): Reply {
  const type = replyHeader(reply.headers, 'content-type') ?? 'application/octet-stream';
  const bytes = Buffer.concat(body);
  for (const piece of body) reply.release?.(piece);
  const own = reply.headers.filter(([name]) => !REPLACED.has(name.toLowerCase()));
  const applied = replyHeader(reply.headers, 'preference-applied');
  const { release: _release, ...rest } = reply;
  return {
    ...rest,
    headers: [
      ...own,
      ['Content-Type', withCharset(EXPLAINED)],
      ['Preference-Applied', applied === undefined ? 'explain' : `${applied}, explain`],
    ],
    body: [
      Buffer.from(`{"contentType":${JSON.stringify(type)},"body":${bodyJson(type, bytes)},"explain":`),
      Buffer.from(explanationJson(explanation, steps)),
      Buffer.from('}'),
    ],
  };
}

const REPLACED: ReadonlySet<string> = new Set([
  'content-type',
  'preference-applied',
  'content-length',
  'etag',
]);

/** JSON stays as it is, text becomes a string, other bytes an object with their base64. */
function bodyJson(type: string, bytes: Buffer): string {
  if (/^[^;]*[/+]json\b/i.test(type)) return bytes.length === 0 ? 'null' : bytes.toString('utf8');
  if (/^text\/|[/+]xml\b/i.test(type)) return JSON.stringify(bytes.toString('utf8'));
  return JSON.stringify({ base64: bytes.toString('base64') });
}

function explanationJson(
  explanation: Explanation | { readonly error: string },
  steps: readonly StepTime[],
): string {
  const times = JSON.stringify(
    steps.map(({ step, from, to }) => ({ step, milliseconds: Math.round((to - from) * 1000) / 1000 })),
  );
  if ('error' in explanation) return `{"error":${JSON.stringify(explanation.error)},"steps":${times}}`;
  const { sql, parameterTypes, plan, tables } = explanation;
  return `{"sql":${JSON.stringify(sql)},"parameterTypes":${parameterTypes || '[]'},"steps":${times},"tables":${tables},"plan":${plan}}`;
}
