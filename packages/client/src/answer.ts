/** Answers of the data API as values. */

/** The body of an error (contract, area C). */
export interface DataApiError {
  readonly code: string;
  readonly message: string;
  readonly details: string | null;
  readonly hint: string | null;
}

interface Head {
  readonly status: number;
  readonly headers: Headers;
}
export interface Accepted<T> extends Head {
  readonly data: T;
  readonly error: null;
  /** The total of `Content-Range`; null if none was asked for. */
  readonly count: number | null;
}
export interface Failed extends Head {
  readonly data: null;
  readonly error: DataApiError;
  readonly count: null;
}
export type Answer<T> = Accepted<T> | Failed;

/** A refusal as an error that is thrown, with the members of its body. */
export type DataApiFailure = Error & DataApiError & { readonly status: number };

export const failure = ({ error, status }: Failed): DataApiFailure =>
  Object.assign(new Error(error.message), { ...error, status, name: 'DataApiFailure' });

/** Returns the total of `Content-Range` (`0-9/100`). */
export function totalOf(headers: Headers): number | null {
  const total = headers.get('content-range')?.split('/')[1];
  return total === undefined || total === '*' ? null : Number(total);
}

const textOr = (value: unknown, other: string): string => (typeof value === 'string' ? value : other);
const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Reads the body of an error. A proxy may answer with other bodies. */
export function readError(body: unknown, status: number, statusText: string): DataApiError {
  const members: {
    readonly code?: unknown;
    readonly message?: unknown;
    readonly details?: unknown;
    readonly hint?: unknown;
  } = typeof body === 'object' && body !== null ? body : {};
  return {
    code: textOr(members.code, String(status)),
    message: textOr(members.message, statusText === '' ? `Status ${String(status)}` : statusText),
    details: textOrNull(members.details),
    hint: textOrNull(members.hint),
  };
}

export const isRefusal = (status: number): boolean => status >= 300 && status !== 304;
