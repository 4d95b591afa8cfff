/** The secret that signs tokens of notifications and signing, and those of the data API that has no key of its own. */
import { DEVELOPMENT_JWT_SECRET, KeyError, serviceKeys, type ServiceKeys } from '../auth/keys.js';
import type { Settings } from '../settings/settings.js';

/** Whether issuers with public keys are set. */
export const hasIssuers = (settings: Pick<Settings, 'jwks-uri' | 'jwt-issuers'>): boolean =>
  settings['jwks-uri'] !== null || settings['jwt-issuers'].length > 0;

/** Whether anything verifies tokens of the data API. */
export const hasKeys = (settings: Settings): boolean =>
  settings['jwt-secret'] !== null || settings['service-jwt-secret'] !== null || hasIssuers(settings);

/** Whether the shared secret verifies the tokens of the area. */
export const isServiceArea = (area: Settings['areas'][number]): boolean => area !== 'data-api';

/**
 * The data API verifies with the shared secret too, unless it has a key of its own (contract, Authentication) or
 * replaces PostgREST, which has no such secret.
 */
export const sharedSecretDefault = (settings: Settings): Partial<Settings> =>
  settings['service-jwt-secret'] === null || settings.compatibility === 'postgrest'
    ? {}
    : { 'jwt-secret': settings['service-jwt-secret'] };

/**
 * Whether anyone can sign tokens: they are verified with the development secret, which stands in the sources. Issuers are keys
 * of the settings, beside which it verifies nothing unless it is set by hand. Production refuses it.
 */
export function usesDevelopmentSecret(settings: Settings): boolean {
  if (process.env['NODE_ENV'] === 'production') return false;
  const { areas, 'service-jwt-secret': shared, 'jwt-secret': own } = settings;
  if (
    areas.some(isServiceArea) &&
    (shared ?? (hasIssuers(settings) ? null : DEVELOPMENT_JWT_SECRET)) === DEVELOPMENT_JWT_SECRET
  )
    return true;
  return own === DEVELOPMENT_JWT_SECRET && areas.includes('data-api') && !hasIssuers(settings);
}

/**
 * @returns null if no area that verifies tokens with the secret is served, or issuers alone sign them
 * @throws StartError for a missing secret in production, and for a secret that cannot be used
 */
export function requireServiceKeys(settings: Settings): ServiceKeys | null {
  if (!settings.areas.some(isServiceArea)) return null;
  if (settings['service-jwt-secret'] === null && hasIssuers(settings)) return null;
  const keys = readServiceKeys(settings['service-jwt-secret']);
  if (keys === null && hasIssuers(settings)) return null;
  if (keys === null)
    throw new Error(
      'JWT_SECRET must be set if NODE_ENV is production: anyone can sign tokens with the development secret',
    );
  return keys;
}

function readServiceKeys(secret: string | null): ServiceKeys | null {
  try {
    return serviceKeys(secret, process.env['NODE_ENV'] === 'production');
  } catch (error) {
    if (error instanceof KeyError)
      throw new Error(`service-jwt-secret (JWT_SECRET): ${error.message}`, { cause: error });
    throw error;
  }
}
