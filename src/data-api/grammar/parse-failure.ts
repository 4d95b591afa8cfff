/** Why a text is not in the grammar. */
export interface ParseFailure {
  /** What was parsed, and where it went wrong: `"failed to parse order (id.up)" (line 1, column 4)`. */
  readonly message: string;
  /** What is there, and what may be there: `unexpected "u" expecting "asc", "desc", "nullsfirst" or "nullslast"`. */
  readonly details: string;
}

export type Parsed<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: ParseFailure };
