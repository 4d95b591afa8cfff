/**
 * Puts the signed heads of audit chains to a place that the operators of the database cannot write. One process at a time sends
 * the head of a tenant: its claim moves on the time at which the next process may send it.
 */
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { KeyObject } from 'node:crypto';
import { type Gone, linkGone } from '../../base/gone.js';
import { sha256 } from '../../base/hash.js';
import { workFailed, type Observe } from '../../observability/observation.js';
import { repeat, type Repeated } from '../../observability/repeat.js';
import type { Pool } from '../../postgres/pool.js';
import { asSweeper } from '../transaction.js';
import { signedHead } from './audit-head.js';
import { claimHeads, headLag, storeSentHead, type ClaimedHead } from './head-store.js';

const INTERVAL_MS = 10_000;
/** Heads of one claim, which are sent beside each other. */
const HEADS = 20;
/** Shorter than the shortest claim, so that no two processes send a head at once. */
const TIMEOUT_MS = 10_000;

export interface HeadPlace {
  /** `{tenant}` in it stands for the tenant. */
  readonly url: string;
  readonly key: KeyObject;
}

export interface HeadSending extends Repeated {
  /** Age of the oldest sealed entry that no delivered head covers, in seconds. */
  readonly lagSeconds: number;
}

/**
 * Sends the heads that have changed now, and again ten seconds after each run: each head once a minute at most.
 * @param timeoutMs for one attempt
 */
export function startHeads(
  pool: Pool,
  place: HeadPlace,
  observe: Observe,
  timeoutMs = TIMEOUT_MS,
): HeadSending {
  const placeHash = sha256(place.url);
  let lagSeconds = 0;
  const send = async (claimed: ClaimedHead, stop: Gone): Promise<void> => {
    const { attempts, ...head } = claimed;
    const body = signedHead(head, place.key);
    const { tenantId, sequence } = head;
    const reason = await put(addressOf(place.url, tenantId), body, timeoutMs, stop);
    if (reason === null) {
      await asSweeper(pool, (transaction) => storeSentHead(transaction, tenantId, sequence, placeHash));
      observe({ kind: 'audit-head-sent' });
    } else if (!stop.aborted) observe({ kind: 'audit-head-failed', tenantId, attempts, reason });
  };
  const repeated = repeat(
    async (stop) => {
      let claimed: readonly ClaimedHead[];
      do {
        claimed = await asSweeper(pool, (transaction) => claimHeads(transaction, placeHash, HEADS));
        await Promise.all(claimed.map((head) => send(head, stop)));
      } while (claimed.length === HEADS && !stop.aborted);
      ({ lagSeconds } = await asSweeper(pool, (transaction) => headLag(transaction, placeHash)));
    },
    { intervalMs: INTERVAL_MS, observe, failure: workFailed('delivery of audit heads') },
  );
  return {
    ...repeated,
    get lagSeconds() {
      return lagSeconds;
    },
  };
}

/** A tenant that is named `.` or `..` is encoded twice: it would lead to another folder. */
function addressOf(url: string, tenantId: string): string {
  const dots = /^\.\.?$/.test(tenantId) ? tenantId.replaceAll('.', '%2E') : tenantId;
  return url.replaceAll('{tenant}', () => encodeURIComponent(dots));
}

/**
 * Puts once, over a connection of its own, and follows no redirect: only 2xx accepts. The body of the response is not read.
 * @returns null if it was accepted, otherwise the reason, which names neither address nor header
 */
async function put(address: string, body: string, timeoutMs: number, stop: Gone): Promise<string | null> {
  const { signal, release } = linkGone([stop], timeoutMs);
  try {
    const status = await statusOf(new URL(address), body, signal);
    return status >= 200 && status < 300 ? null : `status ${String(status)}`;
  } catch (error) {
    if (signal.aborted) return 'no response in time';
    return error instanceof Error && 'code' in error ? String(error.code) : 'connection failed';
  } finally {
    release();
  }
}

function statusOf(url: URL, body: string, signal: AbortSignal): Promise<number> {
  const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const request = send(url, { method: 'PUT', headers, agent: false, signal, maxHeaderSize: 16_384 });
    request
      .on('response', (response) => {
        resolve(response.statusCode ?? 0);
        response.destroy();
      })
      .on('error', reject)
      // Status 101 closes the connection without a response and without an error.
      .on('close', () => reject(new Error('no response')))
      .end(body);
  });
}
