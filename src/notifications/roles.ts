/** The first statement of every batch: which role the transaction acts as, and for whom. Row security takes it from there. */
import type { BatchQuery } from '../postgres/batch.js';
import { prepare } from '../postgres/statement.js';
import type { Reader } from './types.js';

/** Readers differ little from each other, so one plan serves all; planning anew would take longer than answering. */
const AS_READER = prepare(`
  select pg_catalog.num_nulls(
    pg_catalog.set_config('role', 'dbr_notifications_user', true),
    pg_catalog.set_config('app.tenant_id', $1, true),
    pg_catalog.set_config('app.user_id', $2, true),
    pg_catalog.set_config('transaction_read_only', 'on', true),
    pg_catalog.set_config('plan_cache_mode', 'force_generic_plan', true)
  )`);

const AS_MARKER = prepare(`
  select pg_catalog.num_nulls(
    pg_catalog.set_config('role', 'dbr_notifications_user', true),
    pg_catalog.set_config('app.tenant_id', $1, true),
    pg_catalog.set_config('app.user_id', $2, true)
  )`);

const AS_PRODUCER = prepare(`
  select pg_catalog.set_config('role', 'dbr_notifications_producer', true)`);

const AS_SYSTEM = prepare(`
  select pg_catalog.set_config('role', 'dbr_notifications_system', true)`);

/** A user who reads; the transaction cannot write. */
export const asReader = ({ tenantId, userId }: Reader): BatchQuery => ({
  statement: AS_READER,
  parameters: [tenantId, userId],
  returnsRows: false,
});

/** A user who marks what is visible to them. */
export const asMarker = ({ tenantId, userId }: Reader): BatchQuery => ({
  statement: AS_MARKER,
  parameters: [tenantId, userId],
  returnsRows: false,
});

/** May call `dbr_notifications.notify`, and nothing else. */
export const asProducer: BatchQuery = { statement: AS_PRODUCER, parameters: [], returnsRows: false };

/** Sees which rows there are in every tenant, but not what they say. */
export const asSystem: BatchQuery = { statement: AS_SYSTEM, parameters: [], returnsRows: false };
