/** The secret that signs tokens of notifications and signing, and those of the data API that has no key of its own. */
import { KeyError, serviceKeys, type ServiceKeys } from '../auth/keys.js';
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
 * @returns null if no area that verifies tokens with the secret is served, or issuers alone sign them
 * @throws StartError for a missing secret in production, and for a secret that cannot be used
 */
export function requireServiceKeys(settings: Settings, announce: (line: string) => void): ServiceKeys | null {
  if (!settings.areas.some(isServiceArea)) return null;
  const keys = readServiceKeys(settings['service-jwt-secret']);
  if (keys === null && hasIssuers(settings)) return null;
  if (keys === null)
    throw new Error(
      'JWT_SECRET must be set if NODE_ENV is production: anyone can sign tokens with the development secret',
    );
  if (keys.isDevelopmentDefault)
    announce('JWT_SECRET is not set: tokens are verified with the development secret, which is public');
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
