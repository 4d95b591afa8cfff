/** The division of a batch into trips: an item that refers to an answer waits until that answer is there. */
import { type BatchItem, referencesOf } from './batch-item.js';

/** Returns the items of each trip, in their order. An item without references travels with those before it. */
export function tripsOf(items: readonly BatchItem[]): readonly (readonly BatchItem[])[] {
  const trips: BatchItem[][] = [];
  let firstOfTrip = 0;
  for (const item of items) {
    const waits = referencesOf(item).some((reference) => reference.item >= firstOfTrip);
    const current = trips.at(-1);
    if (current === undefined || waits) {
      trips.push([item]);
      firstOfTrip = item.index;
    } else current.push(item);
  }
  return trips;
}
