/** References of an item of a batch to the answer of an earlier one (docs/data-api/batches.md). */

export interface Reference {
  /** The id of the earlier item. */
  readonly $from: string;
  /** A JSON pointer (RFC 6901) into the body of its answer. */
  readonly path: string;
}

const REFERENCES = new WeakSet<object>();

/** Random, so that no data that a user writes names an item. */
const NONCE = crypto.randomUUID().slice(0, 8);

/** The id of an item of a batch by its name. */
export const itemId = (name: string): string => `${name}.${NONCE}`;

/** Makes a reference to a value of an earlier answer. Data of the same form is not a reference. @param item the name of the item, of letters, digits, `-` and `_` @param path a JSON pointer */
export function reference(item: string, path: string): Reference {
  const made = { $from: itemId(item), path };
  REFERENCES.add(made);
  return made;
}

export const isReference = (value: unknown): value is Reference =>
  typeof value === 'object' && value !== null && REFERENCES.has(value);

/** Returns the ids of the items to which a value refers, at any depth. */
export function referencedItems(value: unknown): readonly string[] {
  if (isReference(value)) return [value.$from];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(referencedItems);
}
