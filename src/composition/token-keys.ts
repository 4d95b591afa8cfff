/** The authenticators of all areas and their key sets, from the start to the stop. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { rootCertificates } from 'node:tls';
import { createAuthenticator, type Authenticator } from '../auth/identity.js';
import { isPlainHttp } from '../auth/key-address.js';
import { KeyError, DEVELOPMENT_JWT_SECRET, type VerificationKey } from '../auth/keys.js';
import { createPrincipalAuthenticator, type PrincipalAuthenticator } from '../auth/principal.js';
import { openKeySets, type KeySets, type KeySetPolicy, type RemoteKeySet } from '../auth/remote-key-set.js';
import { trustedIssuers, type TrustedIssuers } from '../auth/trusted-issuers.js';
import type { Observe } from '../observability/observation.js';
import type { ReloadableSettings, Settings } from '../settings/settings.js';
import { hasIssuers, isServiceArea } from './shared-secret.js';

/** Settings, and the authenticators under these settings. */
export interface Authentication {
  readonly settings: Settings;
  /** Of the data API. */
  readonly authenticator: Authenticator;
  /** Of areas A and B. */
  readonly principals: PrincipalAuthenticator;
  readonly keySets: ReadonlySet<RemoteKeySet>;
  /** The role with which the service connects to the database; null while it is unknown. */
  readonly loginRole: string | null;
}

export interface TokenKeys {
  /** The authentication in force. `use` puts another one in its place. */
  readonly current: Authentication;
  /**
   * Returns the authentication under new settings, which is not yet in force. Keys that cannot be used are observed,
   * and the previous ones stay. If no setting of tokens has changed, the authenticator stays with its cache of
   * verified tokens.
   */
  renewed(fresh: Settings, loginRole: string | null): Authentication;
  /** Puts an authentication into force and closes the key sets that it does not use. */
  use(authentication: Authentication): void;
  close(): void;
}

/**
 * @param sharedKeys the shared secret of areas A and B; empty without one
 * @throws for keys that cannot be used, with the name of their setting
 */
export function openTokenKeys(
  settings: Settings,
  sharedKeys: readonly VerificationKey[],
  observe: Observe,
): TokenKeys {
  const production = process.env['NODE_ENV'] === 'production';
  if (production) refuseDevelopmentSecret(settings);
  const authorityFile = settings['jwks-tls-ca'];
  if (authorityFile !== null) withSettingName('jwks-tls-ca', () => readFileSync(authorityFile));
  /** Settings of the last `renewed`. Its key sets are loaded before it comes into force. */
  let newest: ReloadableSettings = settings;
  const keySets = openKeySets({
    policy: () => policyOf(newest),
    authorities: () => readAuthorities(newest['jwks-tls-ca']),
    observe,
    onKeysRemoved() {
      tokenKeys.current.authenticator.forgetTokens();
      tokenKeys.current.principals.forgetTokens();
    },
  });
  const context: Context = { keySets, sharedKeys, production, observe };
  const current = withSettingName(null, () => authenticationOf(settings, null, context));
  const { tooShortFor } = current.authenticator;
  if (tooShortFor.length > 0) observe({ kind: 'secret-too-short', algorithms: tooShortFor });
  const tokenKeys = {
    current,
    renewed(fresh: Settings, loginRole: string | null) {
      newest = fresh;
      return renew(fresh, loginRole, tokenKeys.current, context);
    },
    use(next: Authentication) {
      tokenKeys.current = next;
      keySets.retain(next.keySets);
    },
    close: () => keySets.close(),
  };
  return tokenKeys;
}

interface Context {
  readonly keySets: KeySets;
  readonly sharedKeys: readonly VerificationKey[];
  readonly production: boolean;
  readonly observe: Observe;
}

function refuseDevelopmentSecret(settings: Settings): void {
  if (settings['jwt-secret'] === DEVELOPMENT_JWT_SECRET && !hasIssuers(settings))
    throw new Error(
      'jwt-secret: anyone can sign tokens with the development secret, which production refuses',
    );
}

/** @throws KeyError */
function authenticationOf(
  settings: Settings,
  loginRole: string | null,
  { keySets, sharedKeys, production, observe }: Context,
): Authentication {
  if (production) refusePlainHttp(settings);
  const issuers = trustedIssuers(withoutSharedSecret(settings), keySets);
  return {
    settings,
    authenticator: createAuthenticator(settings, { issuers, loginRole, observe }),
    principals: createPrincipalAuthenticator({
      keys: sharedKeys,
      issuers,
      requireExpiry: settings['require-jwt-exp'],
      observe,
    }),
    keySets: keySetsOf(issuers),
    loginRole,
  };
}

function keySetsOf({ byName, others }: TrustedIssuers): ReadonlySet<RemoteKeySet> {
  const issuers = others === null ? [...byName.values()] : [...byName.values(), others];
  return new Set(issuers.flatMap(({ keySet }) => keySet ?? []));
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

/**
 * The secret of notifications and signing is the default of `jwt-secret`. Beside issuers it opens the data API only where
 * these areas are served, and the development secret never does.
 */
function withoutSharedSecret(settings: Settings): Settings {
  const isServed = settings.areas.some(isServiceArea);
  const shared = [DEVELOPMENT_JWT_SECRET, ...(isServed ? [] : [settings['service-jwt-secret']])];
  return hasIssuers(settings) && shared.includes(settings['jwt-secret'])
    ? { ...settings, 'jwt-secret': null }
    : settings;
}

/** The settings that the authenticators depend on, and that may change. */
const IDENTITY_SETTINGS = [
  'jwt-secret',
  'jwt-secret-is-base64',
  'jwks-uri',
  'jwt-issuers',
  'jwt-aud',
  'jwt-role-claim-key',
  'notifications-claim-tenant',
  'notifications-claim-user',
  'notifications-claim-scopes',
  'jwt-cache-max-lifetime',
  'db-anon-role',
  'compatibility-level',
] as const;

function renew(
  fresh: Settings,
  loginRole: string | null,
  before: Authentication,
  context: Context,
): Authentication {
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
