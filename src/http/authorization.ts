/** The Authorization header of a request, which may occur once (RFC 9110 §5.3, §11.6.2). */
import type { IncomingMessage } from 'node:http';
import { dbrError } from '../errors/dbr-error.js';

const NAME = 'authorization';

/**
 * Refuses a second Authorization header: a proxy could check the first header while this service uses the last.
 * @throws DbrError InvalidParameter (400)
 */
export function refuseSecondAuthorization({ headers, rawHeaders }: IncomingMessage): void {
  if (headers.authorization === undefined) return;
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === NAME.length && name.toLowerCase() === NAME) count += 1;
  }
  if (count > 1)
    throw dbrError('InvalidParameter', { parameter: 'Authorization', problem: 'must be given once' });
}
