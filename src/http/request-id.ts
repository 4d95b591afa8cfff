/** Request ids: the client's own if it is well formed, otherwise a new one. */
import { randomBytes } from 'node:crypto';

const SANE = /^[A-Za-z0-9._-]{1,128}$/;
const PROCESS = randomBytes(6).toString('hex');
let count = 0;

/** Unique within the process and, by its random prefix, among processes. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && SANE.test(header) ? header : `${PROCESS}-${(count++).toString(36)}`;
}
