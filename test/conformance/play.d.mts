/** One request that does not get the recorded answer. */
export interface Failure {
  readonly step: number;
  readonly request: { readonly method: string; readonly path: string };
  readonly diffs: readonly { readonly what: string; readonly expected: unknown; readonly got: unknown }[];
}

export interface TestCase {
  readonly id: string;
  readonly about: string;
  readonly config: string;
}

export function playCase(testCase: TestCase, base: string): Promise<readonly Failure[]>;
export function loadCases(directory: string): ReadonlyMap<string, readonly TestCase[]>;
