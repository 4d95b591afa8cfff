/** Writes of tests whose response shows the rows. */
import { exchange } from '../service/exchange.js';

export interface RepresentedWrite {
  readonly status: number;
  readonly body: unknown;
  /** Preference-Applied. */
  readonly applied: string | null;
  /** Content-Range. */
  readonly range: string | null;
}

/** @param prefer preferences beside `return=representation` */
export async function writeRepresented(
  url: string,
  method: 'PATCH' | 'PUT',
  body: unknown,
  prefer = '',
  headers: Readonly<Record<string, string>> = {},
): Promise<RepresentedWrite> {
  const preferences = ['return=representation', ...(prefer === '' ? [] : [prefer])].join(', ');
  const answer = await exchange(url, method, { headers: { ...headers, Prefer: preferences }, body });
  return {
    status: answer.status,
    body: answer.json,
    applied: answer.headers.get('preference-applied'),
    range: answer.headers.get('content-range'),
  };
}
