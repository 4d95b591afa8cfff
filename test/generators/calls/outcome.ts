/** What the calls of each client give, read through its types. */
export interface Outcome {
  /** Names of cheap products, the newest first. */
  readonly listed: readonly string[];
  /** Names of the second page of one product. */
  readonly paged: readonly string[];
  /** The inserted row. */
  readonly inserted: string;
  /** Names of the products that the function returns. */
  readonly called: readonly string[];
  /** Code of a refused filter. */
  readonly refused: string;
}

export const CHEAP = { price: 'lt.10', order: 'id.desc' } as const;
export const SECOND = { order: 'id', limit: 1, offset: 1 } as const;
export const WRONG = { price: 'lt.cheap' } as const;
export const NEW = { name: 'lamp', price: 30, size: 'large' } as const;
export const RETURN = 'return=representation';

interface Product {
  readonly name: string;
  readonly size: 'small' | 'large' | null;
}

export const namesOf = (products: readonly Product[]): readonly string[] =>
  products.map(({ name, size }) => `${name} ${size ?? 'of any size'}`);

export function only<T>(rows: readonly T[]): T {
  const [row] = rows;
  if (row === undefined || rows.length > 1) throw new Error(`${String(rows.length)} rows`);
  return row;
}
