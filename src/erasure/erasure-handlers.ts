/** The operation that erases a person; the mount has checked its scope `users:erase`. */
import type { UsersHandlers } from '../../generated/operations.js';
import { userIdOf } from '../base/identifiers.js';
import { NO_STORE } from '../operations/responses.js';
import type { RequestContext } from '../contract/principal.js';
import { requireStorableParameter } from '../operations/storable-text.js';
import type { Pool } from '../postgres/pool.js';
import { actorOf, type Actor } from '../signing/access.js';
import { eraseUser } from './erase-user.js';

interface ErasureParts {
  /** Connects as the service role. */
  readonly pool: Pool;
  /** Called after the commit: ends the live streams of the user. */
  readonly erased: (user: Pick<Actor, 'tenantId' | 'userId'>) => void;
}

export const createErasureHandlers = ({ pool, erased }: ErasureParts): UsersHandlers<RequestContext> => ({
  async eraseUser({ path }, { principal, remoteAddress }) {
    requireStorableParameter('id', path.id);
    const actor = actorOf({ principal, remoteAddress });
    const userId = userIdOf(path.id);
    const body = await eraseUser(pool, actor, userId);
    erased({ tenantId: actor.tenantId, userId });
    return { status: 200, type: 'application/json', headers: NO_STORE, body };
  },
});
