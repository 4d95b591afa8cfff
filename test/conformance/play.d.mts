/** One request that does not get the recorded answer. */
export interface Failure {
  readonly step: number;
  readonly request: { readonly method: string; readonly path: string };
  readonly diffs: readonly { readonly what: string; readonly expected: unknown; readonly got: unknown }[];
}

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | null;
}

export interface TestCase {
  readonly id: string;
  readonly about: string;
  readonly config: string;
  readonly steps: readonly {
    readonly request: RecordedRequest;
    readonly response: object;
  }[];
}

export interface Answer {
  readonly status: number;
  readonly reason: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Buffer;
}

export function send(base: string, request: object): Promise<Answer>;
export function compare(expected: object, answer: Answer): Failure['diffs'];

export function playCase(testCase: TestCase, base: string): Promise<readonly Failure[]>;
export function loadCases(directory: string): ReadonlyMap<string, readonly TestCase[]>;
/** Sends a request over the one connection that is kept to the host and port of `base`. */
export function send(
  base: string,
  request: { readonly method: string; readonly path: string },
): Promise<{ readonly status: number; readonly body: Buffer }>;
