/** Gives the entries of the audit log their places in the chain of their tenant, in batches. */
import { hashOfEntry } from './audit-chain.js';
import type { TenantId } from '../../base/identifiers.js';
import { workFailed, type Observe } from '../../observability/observation.js';
import type { Pool } from '../../postgres/pool.js';
import { repeat, type Repeated } from '../../observability/repeat.js';
import { asSweeper, inTenant } from '../transaction.js';
import {
  lockChain,
  storeSeals,
  tenantsToSeal,
  unsealedEntries,
  type ChainEnd,
  type Seal,
  type UnsealedEntry,
} from './audit-store.js';

const INTERVAL_MS = 1000;
/** Tenants of one run. */
const TENANTS = 100;
/** Entries that one transaction seals at most, so that every transaction is short. */
export const SEAL_BATCH = 500;

/** Seals the entries of one batch. Returns their number; 0 also while another process seals, if `wait` is false. */
export const sealBatch = (
  pool: Pool,
  tenantId: TenantId,
  options: { readonly wait: boolean },
): Promise<number> =>
  inTenant(pool, tenantId, async (transaction) => {
    const end = await lockChain(transaction, tenantId, options);
    if (end === null) return 0;
    const entries = await unsealedEntries(transaction, tenantId, SEAL_BATCH);
    if (entries.length === 0) return 0;
    const seals = sealsOf(entries, end);
    const { sequence, hash } = seals.at(-1) ?? end;
    await storeSeals(transaction, tenantId, seals, { sequence, hash, sealedAt: end.sealedAt });
    return seals.length;
  });

function sealsOf(entries: readonly UnsealedEntry[], end: ChainEnd): readonly Seal[] {
  let { sequence, hash: previousHash } = end;
  return entries.map(({ auditId, entry }) => {
    sequence += 1;
    const hash = hashOfEntry({ ...entry, sequence, previousHash, sealedAt: end.sealedAt });
    const seal: Seal = { auditId, sequence, previousHash, hash };
    previousHash = hash;
    return seal;
  });
}

/**
 * Seals once now, then one second after the end of each run. Tenants whose chain another process has locked are skipped. A
 * run continues after the last tenant of the one before, so that a tenant whose entries cannot be sealed delays no other.
 */
export function startSealing(pool: Pool, observe: Observe): Repeated {
  let last = '';
  return repeat(
    async (signal) => {
      const tenants = await asSweeper(pool, (transaction) => tenantsToSeal(transaction, last, TENANTS));
      for (const { tenantId } of tenants) {
        last = tenantId;
        while (!signal.aborted && (await sealBatch(pool, tenantId, { wait: false })) === SEAL_BATCH);
      }
      if (tenants.length < TENANTS) last = '';
    },
    { intervalMs: INTERVAL_MS, observe, failure: workFailed('sealing of the audit log') },
  );
}
