/** The reply to a read whose rows are sent one by one. Its head is sent before the last row is known. */
import { giveBackBlock } from '../../base/blocks.js';
import type { RowStream } from '../execute/row-stream-state.js';
import { isCsv } from '../plan/output.js';
import type { RunnablePlan } from '../plan/plan.js';
import { appliedPreferences } from '../request/preferences.js';
import type { ShapedRequest } from '../request/shaped-request.js';
import { toWire } from './header-text.js';
import { contentLocation, ACCEPTS_QUERY, contentHeaders } from './respond.js';
import type { Header, Reply } from '../../contract/reply.js';

import { overridden, readResponseHeaders, readResponseStatus } from './response-settings.js';

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
