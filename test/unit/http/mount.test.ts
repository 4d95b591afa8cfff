import { Router } from '@koa/router';
import { expect } from 'chai';
import Koa from 'koa';
import { readerOf } from '../../support/identifiers.js';
import { ROUTES, type BoundHandlers, type HandlerResponse } from '../../../generated/operations.js';
import type { ExchangeState } from '../../../src/http/operations.js';
import { beginExchange } from '../../../src/http/exchange.js';
import { clientAddresses } from '../../../src/http/client-address.js';
import { createBodyMemory } from '../../../src/http/body-memory.js';
import type { RequestContext } from '../../../src/contract/principal.js';
import { listen } from '../../../src/http/listen.js';
import { mountRoutes } from '../../../src/http/mount.js';
import { createUploadRate } from '../../../src/http/upload-rate.js';

const PATH = '/api/v1/notifications/me/unread-count';

/** Returns the principal that an operation with this security requirement receives; null if a token is required. */
async function callerSeen(
  security: 'bearer' | 'optional' | 'none',
  headers: Record<string, string> = {},
): Promise<string | null> {
  let seen: string | null = null;
  const handlers: BoundHandlers<RequestContext> = {
    getUnreadCount: (_request, { principal }): Promise<HandlerResponse> => {
      seen = `${principal.tenantId}/${principal.userId}`;
      return Promise.resolve({ status: 200 });
    },
  };
  const router = new Router<ExchangeState>();
  mountRoutes(
    router,
    {
      handlers,
      authentication: {
        current: {
          principals: {
            authenticate(authorization) {
              if (authorization === undefined) throw new Error('a token is needed');
              const reader = readerOf('t', 'u');
              return { ...reader, scopes: null, tenants: null, expiresAt: null, authenticatedAt: null };
            },
          },
        },
      },
      bodies: { memory: createBodyMemory({ own: 1024, lent: 0 }, null), rate: createUploadRate(0, () => 0) },
      ticketHolder: () => Promise.resolve(null),
    },
    ROUTES.flatMap((route) => (route.id === 'getUnreadCount' ? [{ ...route, security }] : [])),
  );
  const app = new Koa<ExchangeState>();
  app.silent = true;
  app.use(async (ctx, next) => {
    ctx.state.exchange = beginExchange(
      ctx.req,
      ctx.res,
      () => undefined,
      null,
      clientAddresses({ trusted: [], header: 'none' }),
      '',
    );
    await next();
    ctx.status = 200;
  });
  app.use(router.routes());
  const handle = app.callback();
  const listening = await listen((request, response) => void handle(request, response), {
    host: '127.0.0.1',
    port: 0,
  });
  await (await fetch(`${listening.url}${PATH}`, { headers })).arrayBuffer();
  await listening.stop(0);
  return seen;
}

describe('the security requirement of an operation', () => {
  it('is a token, unless the document says otherwise', async () => {
    const token = { Authorization: 'Bearer x' };
    expect(await callerSeen('bearer')).to.equal(null);
    expect(await callerSeen('bearer', token)).to.equal('t/u');
    expect(await callerSeen('optional')).to.equal('/');
    expect(await callerSeen('optional', token)).to.equal('t/u');
    expect(await callerSeen('none')).to.equal('/');
    expect(await callerSeen('none', { Authorization: 'Bearer expired' }), 'not even looked at').to.equal('/');
  });
});
