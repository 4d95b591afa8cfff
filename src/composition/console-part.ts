/** The console of the admin port: what it needs of the other parts. */
import { mintToken, type TokenRequest } from '../console/mint-token.js';
import { DEVELOPMENT_JWT_SECRET } from '../auth/keys.js';
import { version } from '../base/package.js';
import type { AdminParts } from '../admin/admin.js';
import { followMetrics } from '../console/metric-history.js';
import { TOKEN_SECONDS, type ConsoleParts } from '../console/server.js';
import type { Observe } from '../observability/observation.js';
import type { Settings } from '../settings/settings.js';
import type { Closers } from './closers.js';

export interface ConsoleOptions {
  readonly settings: Settings;
  readonly admin: Pick<AdminParts, 'inspect' | 'metrics'>;
  /** Address of the public port. */
  readonly target: string;
  readonly observe: Observe;
  readonly closers: Closers;
}

export function openConsole({ settings, admin, target, observe, closers }: ConsoleOptions): ConsoleParts {
  const history = followMetrics(() => admin.metrics(), observe);
  closers.add(() => history.close());
  return {
    version: version(),
    areas: settings.areas,
    pathPrefix: settings['server-path-prefix'],
    api: { kind: 'forwarded', target },
    requiredRole: null,
    inspect: (inspection) => admin.inspect(inspection),
    samples: history.samples,
    mint: mintsTokens(settings) ? (request) => mintToken(settings, request) : null,
  };
}

const LOOPBACK = /^(?:127(?:\.\d+){3}|::1|localhost)$/i;

/**
 * Whether the console may make tokens of any user and role: in development, on loopback, with the development secret, which is
 * public, so that such tokens give nobody more than they have.
 */
export const mintsTokens = (settings: Settings): boolean =>
  process.env['NODE_ENV'] !== 'production' &&
  (settings['service-jwt-secret'] === null || settings['service-jwt-secret'] === DEVELOPMENT_JWT_SECRET) &&
  LOOPBACK.test(settings['admin-server-host']);

/** The user of the token with which the console opens over the sample data. */
const DEVELOPER: TokenRequest = {
  tenant: 'acme',
  user: 'ada',
  role: 'web_user',
  scope: 'notifications:write accounts:read accounts:write parties:admin signing-config:write audit:read',
  expiresIn: TOKEN_SECONDS,
};

/**
 * The address of the console with a token of a user of the sample data, for a terminal. The token is in the fragment, which
 * browsers send to no server. Null unless the console may make tokens.
 */
export async function consoleAddress(settings: Settings, adminUrl: string): Promise<string | null> {
  if (!mintsTokens(settings)) return null;
  const request = settings['sample-database'] ? DEVELOPER : { ...DEVELOPER, role: undefined };
  return `${adminUrl}/console/#token=${await mintToken(settings, request)}`;
}
