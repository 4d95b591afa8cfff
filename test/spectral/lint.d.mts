/** One finding of Spectral. */
export interface Finding {
  readonly code: string | number;
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Checks an OpenAPI document, as JSON text, against the recommended rules of Spectral. */
export function lint(text: string): Promise<readonly Finding[]>;
