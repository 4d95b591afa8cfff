/** The authenticator of the data API and its key sets, from the start to the stop. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { rootCertificates } from 'node:tls';
import { createAuthenticator, type Authenticator } from '../auth/identity.js';
import { isPlainHttp } from '../auth/key-address.js';
import { openKeySets, type KeySets, type KeySetPolicy } from '../auth/remote-key-set.js';
import { KeyError, DEVELOPMENT_JWT_SECRET } from '../auth/keys.js';
import type { Observe } from '../observability/observation.js';
import type { ReloadableSettings, Settings } from '../settings/settings.js';

/** Settings, and the authenticator under these settings. */
export interface Authentication {
  readonly settings: Settings;
  readonly authenticator: Authenticator;
  /** The role with which the service connects to the database; null while it is unknown. */
  readonly loginRole: string | null;
}

export interface TokenKeys {
  /** The authentication in force. */
  current(): Authentication;
  /**
   * Returns the authentication under new settings, which is not yet in force. Keys that cannot be used are observed,
   * and the previous ones stay. If no setting of tokens has changed, the authenticator stays with its cache of
   * verified tokens.
   */
  renewed(fresh: Settings, loginRole: string): Authentication;
  /** Puts an authentication into force and closes the key sets that it does not use. */
  use(authentication: Authentication): void;
  close(): void;
}

/** @throws for keys that cannot be used, with the name of their setting */
export function openTokenKeys(settings: Settings, production: boolean, observe: Observe): TokenKeys {
  refuseDevelopmentSecret(settings, production, observe);
  const authorityFile = settings['jwks-tls-ca'];
  if (authorityFile !== null) withSettingName('jwks-tls-ca', () => readFileSync(authorityFile));
  /** Settings of the last `renewed`. Its key sets are loaded before it comes into force. */
  let newest: ReloadableSettings = settings;
  const keySets = openKeySets({
    policy: () => policyOf(newest),
    authorities: () => readAuthorities(newest['jwks-tls-ca']),
    observe,
    onKeysRemoved: () => authentication.authenticator.forgetTokens(),
  });
  const context: Context = { keySets, production, observe };
  let authentication = withSettingName(null, () => authenticationOf(settings, null, context));
  const { tooShortFor } = authentication.authenticator;
  if (tooShortFor.length > 0) observe({ kind: 'secret-too-short', algorithms: tooShortFor });
  return {
    current: () => authentication,
    renewed(fresh, loginRole) {
      newest = fresh;
      return renew(fresh, loginRole, authentication, context);
    },
    use(next) {
      authentication = next;
      keySets.retain(next.authenticator.keySets);
    },
    close: () => keySets.close(),
  };
}

interface Context {
  readonly keySets: KeySets;
  readonly production: boolean;
  readonly observe: Observe;
}

function refuseDevelopmentSecret(settings: Settings, production: boolean, observe: Observe): void {
  if (settings['jwt-secret'] !== DEVELOPMENT_JWT_SECRET || hasIssuers(settings)) return;
  if (production)
    throw new Error(
      'jwt-secret: anyone can sign tokens with the development secret, which production refuses',
    );
  if (settings.areas.every((area) => area === 'data-api')) observe({ kind: 'development-secret' });
}

const hasIssuers = (settings: Settings): boolean =>
  settings['jwks-uri'] !== null || settings['jwt-issuers'].length > 0;

/** @throws KeyError */
function authenticationOf(
  settings: Settings,
  loginRole: string | null,
  { keySets, production, observe }: Context,
): Authentication {
  if (production) refusePlainHttp(settings);
  const authenticator = createAuthenticator(withoutSharedSecret(settings), { keySets, loginRole, observe });
  return { settings, authenticator, loginRole };
}

/**
 * Refuses http in production: it is accepted for this machine only, where another program could take the issuer's
 * port. @throws KeyError
 */
function refusePlainHttp(settings: Settings): void {
  const isPlain = (uri: string | null): boolean => uri !== null && URL.canParse(uri) && isPlainHttp(uri);
  const refuse = (name: string): never => {
    throw new KeyError(`${name}: keys are fetched by https if NODE_ENV is production: use an https address`);
  };
  if (isPlain(settings['jwks-uri'])) refuse('jwks-uri');
  if (isPlain(settings['jwt-secret'])) refuse('jwt-secret');
  if (settings['jwt-issuers'].some(({ issuer, jwksUri }) => isPlain(jwksUri ?? issuer)))
    refuse('jwt-issuers');
}

/** The secret of notifications and signing is the default of `jwt-secret`; with issuers it signs no tokens of the data API. */
function withoutSharedSecret(settings: Settings): Settings {
  const shared = [DEVELOPMENT_JWT_SECRET, settings['service-jwt-secret']];
  return hasIssuers(settings) && shared.includes(settings['jwt-secret'])
    ? { ...settings, 'jwt-secret': null }
    : settings;
}

/** The settings that an authenticator depends on. */
const IDENTITY_SETTINGS = [
  'jwt-secret',
  'jwt-secret-is-base64',
  'jwks-uri',
  'jwt-issuers',
  'jwt-aud',
  'jwt-role-claim-key',
  'jwt-cache-max-lifetime',
  'db-anon-role',
  'compatibility-level',
] as const;

function renew(fresh: Settings, loginRole: string, before: Authentication, context: Context): Authentication {
  const isSame = IDENTITY_SETTINGS.every(
    (name) => JSON.stringify(fresh[name]) === JSON.stringify(before.settings[name]),
  );
  if (isSame && loginRole === before.loginRole) return { ...before, settings: fresh };
  try {
    return authenticationOf(fresh, loginRole, context);
  } catch (error) {
    if (!(error instanceof KeyError)) throw error;
    context.observe({ kind: 'key-refused', error: error.message });
    return authenticationOf(withKeysOf(before.settings, fresh), loginRole, context);
  }
}

const withKeysOf = (before: Settings, fresh: Settings): Settings => ({
  ...fresh,
  'jwt-secret': before['jwt-secret'],
  'jwt-secret-is-base64': before['jwt-secret-is-base64'],
  'jwks-uri': before['jwks-uri'],
  'jwt-issuers': before['jwt-issuers'],
});

/** Runs work of the start and names the setting in its errors. @param name null if the message contains it */
function withSettingName<T>(name: string | null, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(name === null ? message : `${name}: ${message}`, { cause: error });
  }
}

function policyOf(settings: ReloadableSettings): KeySetPolicy {
  const maxStale = settings['jwks-max-stale'];
  return {
    refreshMs: settings['jwks-refresh-interval'] * 1000,
    refetchMs: settings['jwks-refetch-interval'] * 1000,
    maxStaleMs: maxStale === 0 ? null : maxStale * 1000,
    timeoutMs: settings['jwks-fetch-timeout'] * 1000,
  };
}

/**
 * Returns the authorities of Node.js and those of the file, in PEM; undefined for those of Node.js with
 * `NODE_EXTRA_CA_CERTS`.
 */
export async function readAuthorities(path: string | null): Promise<readonly string[] | undefined> {
  return path === null ? undefined : [...rootCertificates, await readFile(path, 'utf8')];
}
