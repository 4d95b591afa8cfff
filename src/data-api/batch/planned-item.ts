/** An item with its plan. */
import { dbrError } from '../../errors/dbr-error.js';
import type { Request } from '../../contract/request.js';
import type { PlannedRequest } from '../plan-cache.js';
import { planShaped, shapeUnpacked, unpackRequest, type UnpackedDataRequest } from '../planned-request.js';
import type { PreparedPlan } from '../prepare/prepared-plan.js';
import type { ShapedRequest } from '../request/shaped-request.js';
import type { Snapshot } from '../snapshot.js';
import { type Answer, jsonOfSlot, textOfMark } from './answers.js';
import { type BatchItem, headersOfItem, ItemFailure, type Reference } from './batch-item.js';
import { filled } from './body-references.js';
import { requireMarksInValues, withoutMarks } from './query-references.js';

export interface PlannedItem {
  readonly item: BatchItem;
  readonly request: UnpackedDataRequest;
  readonly planned: PlannedRequest;
  readonly prepared: PreparedPlan;
}

/** Plans an item. @param body with all references resolved @throws ItemFailure */
export async function planItem(
  item: BatchItem,
  body: Buffer,
  batch: Request,
  snapshot: Snapshot,
): Promise<PlannedItem> {
  try {
    const request = await unpackRequest(requestOf(item, body, batch), snapshot);
    const shaped = await shapeUnpacked(request, snapshot);
    requireMarksInValues(shaped.values, item.marks);
    return plannedItem(item, request, shaped, snapshot);
  } catch (error) {
    throw error instanceof ItemFailure ? error : new ItemFailure(item, error);
  }
}

/** @throws DbrError */
export function plannedItem(
  item: BatchItem,
  request: UnpackedDataRequest,
  shaped: ShapedRequest,
  snapshot: Snapshot,
): PlannedItem {
  const planned = planShaped(shaped, request, snapshot);
  const { plan } = planned.ready;
  if (plan.kind !== 'statements') throw dbrError('UnsupportedMethod', { method: request.method });
  if (plan.stream !== null) throw dbrError('NotStreamable', { details: 'batch' });
  return { item, request, planned, prepared: plan };
}

function requestOf(item: BatchItem, body: Buffer, batch: Request): Request {
  const { identity, trace, caller } = batch;
  const { headers, rawHeaders } = headersOfItem(batch, item.headers);
  const { method, path, query } = item;
  return { method, path, query, headers, rawHeaders, identity, timings: null, trace, caller, body };
}

/** Most bytes that references add to the bodies and queries of a batch. */
const MOST_ADDED = 16_777_216;

/** @throws DbrError InvalidBatchReference if the references of the batch add too much */
function spend(budget: { added: number }, length: number, { spelled }: Reference): void {
  budget.added += length;
  if (budget.added > MOST_ADDED)
    throw dbrError('InvalidBatchReference', { reference: spelled, details: 'long' });
}

/** Puts the values of earlier answers into the body of an item. @param budget bytes that may be added @throws DbrError */
export function resolveBody(item: BatchItem, answers: readonly Answer[], budget: { added: number }): Buffer {
  const { body } = item;
  if (body.kind === 'complete') return body.bytes;
  return filled(body.json, body.slots, (slot) => {
    const value = jsonOfSlot(answers, slot);
    spend(budget, value.length, slot.reference);
    return value;
  });
}

/**
 * Puts the values of earlier answers into the query of an item. @param budget bytes that may be added @throws DbrError
 * InvalidBatchReference
 */
export function resolveQuery(
  planned: PlannedItem,
  answers: readonly Answer[],
  budget: { added: number },
): PlannedItem {
  const { item } = planned;
  if (item.marks.length === 0) return planned;
  const { shaped } = planned.planned;
  const resolved = withoutMarks(shaped, item.marks, (mark) => {
    const text = textOfMark(answers, mark);
    spend(budget, text.length, mark.reference);
    return text;
  });
  return { ...planned, planned: { ...planned.planned, shaped: { ...shaped, ...resolved } } };
}
