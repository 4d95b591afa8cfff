/** What documents of dbr cannot say with schemas. */

export interface ContractNotes {
  /** Whether values of other types are converted, so that they need not be refused. */
  readonly convertsValues: boolean;
  /**
   * Beginnings of codes of errors by rules that no schema states: constraints, functions that raise, limits of statements,
   * views that cannot be written, times, members that exclude each other, what a body refers to, and how many there are.
   */
  readonly refusals: readonly string[];
  /** Schemas that elements of arrays of scalars may have beside their own. */
  readonly elements: readonly object[];
  /** Values of the type `number` beside numbers. */
  readonly numbers: readonly string[];
}

export const NO_NOTES: ContractNotes = { convertsValues: false, refusals: [], elements: [], numbers: [] };

/** Of the description of a schema. The data API converts values as PostgreSQL does, and ignores a `limit` that is no number. */
export const DATA_API_NOTES: ContractNotes = {
  convertsValues: true,
  refusals: [
    ...['2201', '22003', '23502', '23514', '428C9', '54', '55000', 'P0'],
    ...['DBR102', 'DBR103', 'DBR105', 'DBR109', 'DBR110', 'DBR114', 'DBR171'],
  ],
  elements: [{ type: 'null' }, { type: 'array', items: {} }],
  numbers: ['Infinity', '-Infinity', 'NaN'],
};

/** Of the published document of notifications and signing. */
export const SERVICE_NOTES: ContractNotes = {
  ...NO_NOTES,
  refusals: [
    ...['exclusive', 'range', 'required', 'url', 'key', 'signature', 'size', 'unknown_party'],
    ...['party_not_active', 'timeZone', 'DBR426'],
  ],
};
