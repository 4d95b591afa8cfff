/** Name of the common table expression that holds the rows of a mutation or a call. */
export const ROWS = 'rows';
