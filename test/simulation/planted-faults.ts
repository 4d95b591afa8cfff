/** Faults that are planted in the source of the service, one at a time, to see whether the simulation finds them. */
import type { SourceEdit } from './build.js';

export interface PlantedFault extends SourceEdit {
  readonly meaning: string;
}

const fault = (meaning: string, file: string, from: string, to: string): PlantedFault => ({
  meaning,
  file: `src/${file}`,
  from,
  to,
});

export const PLANTED_FAULTS: readonly PlantedFault[] = [
  fault(
    'claims of another: verified tokens are found by their beginning',
    'auth/verify-token.ts',
    "sha256Text(token, 'base64')",
    "sha256Text(token.slice(0, 60), 'base64')",
  ),
  fault(
    'a token is accepted ten minutes too long',
    'auth/verify-token.ts',
    'const LEEWAY_SECONDS = 30',
    'const LEEWAY_SECONDS = 600',
  ),
  fault(
    'no leeway: tokens end early',
    'auth/verify-token.ts',
    'const LEEWAY_SECONDS = 30',
    'const LEEWAY_SECONDS = 0',
  ),
  fault(
    'a cached token has no end',
    'auth/verify-token.ts',
    'Math.min(expiresAtMs ?? Infinity, Date.now() + lifetimeMs)',
    'Infinity',
  ),
  fault(
    'pipelined requests are taken in the wrong order',
    'http/connections.ts',
    'connection.waiting.push({ request, response, bytes });',
    'connection.waiting.unshift({ request, response, bytes });',
  ),
  fault(
    'a lost wake-up: the last pipelined request never begins',
    'http/connections.ts',
    'if (next !== undefined) {',
    'if (next !== undefined && connection.waiting.length > 0) {',
  ),
  fault(
    'a lost wake-up: the socket is not read after pipelined requests',
    'http/connections.ts',
    'if (connection.waiting.length === 0) connection.socket.resume();',
    '',
  ),
  fault(
    'a cut answer looks whole: a body that is lost ends as if complete',
    'http/reply.ts',
    '  response.destroy();\n}\n\n/** Resolves when',
    '  response.end();\n}\n\n/** Resolves when',
  ),
  fault(
    'a cut answer looks whole: the end of a lost body is not noticed',
    'http/reply.ts',
    '!response.writableEnded) cut(response);',
    '!response.writableEnded) response.end();',
  ),
  fault(
    'a lost wake-up: a response that has drained is not continued',
    'http/reply.ts',
    "response.on('drain', end);",
    '',
  ),
  fault(
    'answers of the pipeline go to the wrong batch',
    'postgres/pipelined-connection.ts',
    '  inFlight.shift();\n',
    '  inFlight.pop();\n',
  ),
  fault(
    'statements that an error skipped count as prepared',
    'postgres/pipelined-connection.ts',
    'current.parsing.slice(current.parsed)',
    '[]',
  ),
  fault(
    'a write that was sent is sent again after a loss',
    'postgres/pipelined-connection.ts',
    'sent: index < firstUnsent,',
    'sent: false,',
  ),
  fault(
    'batches in flight do not end when their connection is lost',
    'postgres/pipelined-connection.ts',
    '  const lost = state.inFlight;\n',
    '  const lost: InFlightBatch[] = [];\n',
  ),
  fault(
    'the end of a connection is not noticed',
    'postgres/pipelined-connection.ts',
    "socket.on('end', () => onLost('PostgreSQL closed the connection'));\n  socket.on('close', () => onLost('the connection was closed'));",
    '',
  ),
  fault(
    'the next batch follows before a cancel request has arrived',
    'postgres/send-batch.ts',
    '    if (lease.cancelling === null) closeTransaction(scheduler, lease, outcome);\n    else void lease.cancelling.then(() => closeTransaction(scheduler, lease, outcome));',
    '    closeTransaction(scheduler, lease, outcome);',
  ),
  fault(
    'lost release of a connection after an error',
    'postgres/send-batch.ts',
    'if (resetsSettings !== true) release(scheduler, lease);',
    "if (resetsSettings !== true) { if (outcome.kind !== 'refused') release(scheduler, lease); }",
  ),
  fault(
    'a batch that gave way is not run again',
    'postgres/send-batch.ts',
    'if (gaveWay && isCanceled(outcome)',
    'if (!gaveWay && isCanceled(outcome)',
  ),
  fault(
    'a batch that was revoked is lost',
    'postgres/pool-dispatch.ts',
    'for (const { request } of behind.toReversed()) requeue(scheduler, request);',
    '',
  ),
  fault(
    'no connection is opened after the database was away',
    'postgres/connection-opener.ts',
    'function retry(opener: ConnectionOpener): void {\n  opener.retryTimer = null;',
    'function retry(opener: ConnectionOpener): void {\n  if (opener.retryTimer !== null) return;',
  ),
  fault(
    'a lost wake-up: an opened connection serves no queue',
    'postgres/connection-opener.ts',
    '  options.onSettled();\n}\n\nfunction succeeded',
    '}\n\nfunction succeeded',
  ),
  fault(
    'a lost wake-up: the source of a slow reader is not resumed',
    'postgres/body-stream.ts',
    "target.on('drain', goOn);",
    '',
  ),
  fault(
    'the memory of a long body is not given back',
    'postgres/body-stream.ts',
    'if (buffered) buffer.release(length);',
    '',
  ),
  fault(
    'a message that is cut behind its header loses bytes',
    'postgres/message-decoder.ts',
    'decoder.waiting = [Buffer.from(chunk.subarray(offset))];',
    'decoder.waiting = [Buffer.from(chunk.subarray(offset + HEADER_BYTES))];',
  ),
  fault(
    'bytes that wait for their rest are not copied',
    'postgres/message-decoder.ts',
    'decoder.waiting = [Buffer.from(chunk.subarray(offset))];',
    'decoder.waiting = [chunk.subarray(offset)];',
  ),
  fault(
    'a socket that has used up its turn is not read on',
    'postgres/receive-socket.ts',
    'for (const socket of sockets) if (!socket.isPaused()) socket.resume();',
    'void sockets;',
  ),
  fault(
    'the slot of a stream is not given back',
    'postgres/stream-slots.ts',
    '    count(state, client, -1);\n',
    '',
  ),
  fault(
    'stale schema after a reload',
    'data-api/schema-cache/holder.ts',
    '  holder.cache = loaded;\n',
    '  holder.cache ??= loaded;\n',
  ),
  fault(
    'a reload that is asked for during a load is forgotten',
    'data-api/schema-cache/holder.ts',
    '  for (const waiter of takeWaiters(holder)) waiter.resolve(loaded);\n  startIfDue(holder);',
    '  for (const waiter of takeWaiters(holder)) waiter.resolve(loaded);\n  holder.wanted = false;',
  ),
  fault(
    'settings of the database are not put into force by a reload',
    'composition/data-api-part.ts',
    'live.replace(loading.settings);',
    'if (loaded.generation === 1) live.replace(loading.settings);',
  ),
  fault(
    'a load of the schema that fails is not repeated',
    'data-api/schema-cache/holder.ts',
    'holder.retry = setTimeout(reload, holder.backoff * 1000, holder);',
    '',
  ),
  fault(
    'a key of one tenant counts for another',
    'data-api/batch/idempotency.ts',
    'sha256(Buffer.concat([key, Buffer.from(role,',
    "sha256(Buffer.concat([Buffer.from('key'), Buffer.from(role,",
  ),
  fault(
    'a repetition with a key is executed again',
    'data-api/batch/idempotency.ts',
    'case when key is not null then ${REPEATED} end',
    'case when key is null then ${REPEATED} end',
  ),
  fault('the answer for a key is not kept', 'data-api/batch/idempotency.ts', 'query(KEEP, values), ', ''),
  fault(
    'a plan is found by the beginning of its key',
    'data-api/plan-cache.ts',
    'find: (key) => entries.get(key)?.request,',
    'find: () => [...entries.values()].at(0)?.request,',
  ),
  fault(
    'Content-Range counts one row too many',
    'data-api/respond/respond.ts',
    "['Content-Range', `${span}/${end}`]",
    "['Content-Range', `${span}/${end === '*' ? end : String(Number(end) + 1)}`]",
  ),
  fault(
    'batches of one turn are lost when a turn is used up',
    'base/turns.ts',
    'for (let work = waiting.shift(); work !== undefined; work = waiting.shift()) work();',
    'waiting.shift()?.();\n    waiting.length = 0;',
  ),
];
