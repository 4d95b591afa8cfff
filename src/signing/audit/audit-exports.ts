/** Exports of the audit log: lines of JSON that are read from the database at the pace of the client. */
import { Departure, type Gone } from '../../base/gone.js';
import { lineOfEntry } from './audit-chain.js';
import type { TenantId } from '../../base/identifiers.js';
import { enterStream, type UserStream } from '../context.js';
import type { Limits } from '../../operations/limits.js';
import type { Pool } from '../../postgres/pool.js';
import { queryInTenant } from '../transaction.js';
import { exportBounds, sealedEntries } from './audit-store.js';
import { SEAL_BATCH, sealBatch } from './seal-entries.js';

/** Exports that one user may have open. */
const EXPORTS_PER_USER = 2;
/** Entries of one read. */
const PAGE = 200;
/** Batches that are sealed before an export begins; a longer backlog is left to the sealing in the background. */
const BATCHES_BEFORE = 20;

export interface ExportRequest extends UserStream {
  /** The sequence of the last entry that the client has. */
  readonly after: number;
  /** Entries sealed at this time or later; null for all. */
  readonly from: string | null;
  /** Entries sealed before this time; null for all. */
  readonly to: string | null;
}

export interface AuditExports {
  /** Begins an export, which ends with the last entry of now. @throws DbrError TooManyStreams */
  open(request: ExportRequest): Promise<AsyncIterable<string>>;
  /** Ends every export. */
  close(): void;
}

export function createAuditExports(pool: Pool, limits: Limits): AuditExports {
  const openCount = limits.openCount('signing-audit-exports', EXPORTS_PER_USER);
  const closing = new Departure();
  return {
    async open(request) {
      const leave = await enterStream(openCount, EXPORTS_PER_USER, request);
      try {
        await sealPending(pool, request.tenantId);
        const range = await rangeOf(pool, request);
        return readLines(pool, request, { ...range, closing, leave });
      } catch (error) {
        leave();
        throw error;
      }
    },
    close() {
      closing.abort();
    },
  };
}

/** Seals what is committed, so that the export contains it. */
async function sealPending(pool: Pool, tenantId: TenantId): Promise<void> {
  for (let batch = 0; batch < BATCHES_BEFORE; batch += 1)
    if ((await sealBatch(pool, tenantId, { wait: true })) < SEAL_BATCH) return;
}

interface Range {
  /** The place before the first entry. */
  readonly after: number;
  readonly last: number;
}

async function rangeOf(pool: Pool, { tenantId, from, to, after }: ExportRequest): Promise<Range> {
  const bounds = await queryInTenant(pool, tenantId, (transaction) =>
    exportBounds(transaction, tenantId, from, to),
  );
  return bounds === null
    ? { after: 0, last: 0 }
    : { after: Math.max(after, bounds.first - 1), last: bounds.last };
}

interface OpenExport extends Range {
  readonly closing: Gone;
  readonly leave: () => void;
}

/** Each page is a transaction of its own, so that a slow client holds no connection. @throws if the export cannot be completed */
async function* readLines(
  pool: Pool,
  { tenantId, expiresAt, signal }: ExportRequest,
  { after: start, last, closing, leave }: OpenExport,
): AsyncGenerator<string> {
  let after = start;
  try {
    while (after < last && !signal.aborted) {
      // An export that merely ended would seem complete.
      if (closing.aborted) throw new Error('the service stops');
      if (expiresAt !== null && Date.now() >= expiresAt) throw new Error('the token has expired');
      const page = await queryInTenant(pool, tenantId, (transaction) =>
        sealedEntries(transaction, tenantId, { after, last, limit: PAGE }),
      );
      if (page.length === 0) return;
      yield page.map((stored) => `${lineOfEntry(stored)}\n`).join('');
      after = page.at(-1)?.entry.sequence ?? last;
    }
  } finally {
    signal.removeEventListener('abort', leave);
    leave();
  }
}
