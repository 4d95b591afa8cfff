/** The console of the admin port, and the answers to what they ask about the database. */
import {
  type AdminParts,
  type AdminServices,
  type Closers,
  developer,
  DEVELOPMENT_JWT_SECRET,
  hasIssuers,
  type InspectedDatabase,
  type Inspection,
  type InspectionReply,
  mintToken,
  type Observe,
  type Settings,
  version,
} from '../../../src/face.js';
import { followMetrics } from './metric-history.js';
import { serveConsole, type ConsoleParts } from './server.js';

interface ConsoleOptions {
  readonly settings: Settings;
  readonly isDevelopment: boolean;
  readonly admin: Pick<AdminParts, 'inspect' | 'metrics'>;
  /** Address of the public port. */
  readonly target: string;
  readonly observe: Observe;
  readonly closers: Closers;
}

/** Opens the console of the admin port. */
export function openConsole({
  settings,
  isDevelopment,
  admin,
  target,
  observe,
  closers,
}: ConsoleOptions): AdminServices['console'] {
  const history = followMetrics(() => admin.metrics(), observe);
  closers.add(() => history.close());
  const parts: ConsoleParts = {
    version: version(),
    areas: settings.areas,
    pathPrefix: settings['server-path-prefix'],
    // PostgREST, whose place the service takes then, has no such page.
    hasLive: settings['db-live'],
    hasProposals: settings['mcp-enabled'] && !settings['mcp-apply'],
    hasReference: settings.compatibility !== 'postgrest',
    target,
    inspect: (inspection) => admin.inspect(inspection),
    samples: history.samples,
    mint: mintsTokens(settings, isDevelopment) ? (request) => mintToken(settings, request) : null,
  };
  return (request, response, path) => serveConsole(parts, request, response, path);
}

const LOOPBACK = /^(?:127(?:\.\d+){3}|::1|localhost)$/i;

/**
 * Whether the console may make tokens of any user and role: in development, on loopback, by `dbr dev`, or with the development
 * secret, which is public, so that such tokens give no caller a right that it lacks.
 */
const mintsTokens = (settings: Settings, isDevelopment: boolean): boolean =>
  process.env['NODE_ENV'] !== 'production' &&
  (settings['service-jwt-secret'] === null
    ? !hasIssuers(settings)
    : isDevelopment || settings['service-jwt-secret'] === DEVELOPMENT_JWT_SECRET) &&
  LOOPBACK.test(settings['admin-server-host']);

/**
 * The address of the console with a token of the user of development, for a terminal. The token is in the fragment, which
 * browsers send to no server. Null unless the console may make tokens.
 * @param isDevelopment whether `dbr dev` serves
 * @param role of the user; null for the rights of the anonymous role
 */
export async function consoleAddress(
  settings: Settings,
  isDevelopment: boolean,
  adminUrl: string,
  role: string | null,
): Promise<string | null> {
  if (!mintsTokens(settings, isDevelopment)) return null;
  return `${adminUrl}/console/#token=${await mintToken(settings, developer(role))}`;
}

/** Answers a question about the database. What it needs is loaded with the first one. */
export const inspect = async (
  database: () => InspectedDatabase,
  inspection: Inspection,
): Promise<InspectionReply> => (await import('./inspect.js')).inspect(database, inspection);
