/** The authenticator of the data API: refused keys end the start, and change nothing later. */
import { createAuthenticator, type Authenticator } from '../auth/identity.js';
import { KeyError } from '../auth/keys.js';
import { DEVELOPMENT_JWT_SECRET } from '../auth/service-keys.js';
import type { Logger } from '../observability/log.js';
import type { Settings } from '../settings/settings.js';

/** Settings, and the authenticator that holds their keys. */
export interface Authentication {
  readonly settings: Settings;
  readonly authenticator: Authenticator;
}

/** @throws for a key that cannot be used, with the name of its setting */
export function openAuthentication(settings: Settings, production: boolean, log: Logger): Authentication {
  const isPublic = settings['jwt-secret'] === DEVELOPMENT_JWT_SECRET;
  if (isPublic && production)
    throw new Error(
      'jwt-secret: anyone can sign tokens with the development secret, which production refuses',
    );
  if (isPublic && settings.areas.every((area) => area === 'data-api'))
    log.warn('jwt-secret is not set: tokens are verified with the development secret, which is public');
  try {
    const authenticator = createAuthenticator(settings);
    const { tooShortFor } = authenticator;
    if (tooShortFor.length > 0)
      log.warn(
        `jwt-secret is too short for ${tooShortFor.join(' and ')}: the data API refuses such tokens (RFC 7518 §3.2)`,
      );
    return { settings, authenticator };
  } catch (error) {
    if (error instanceof KeyError) throw new Error(`jwt-secret: ${error.message}`, { cause: error });
    throw error;
  }
}

/** What is in force under new settings: a key that cannot be used is logged, and the one before stays. */
export function renewAuthentication(fresh: Settings, before: Authentication, log: Logger): Authentication {
  try {
    return { settings: fresh, authenticator: createAuthenticator(fresh) };
  } catch (error) {
    if (!(error instanceof KeyError)) throw error;
    log.error(
      { error: `jwt-secret: ${error.message}` },
      'a new key is refused: the one before stays in force',
    );
    const { 'jwt-secret': secret, 'jwt-secret-is-base64': isBase64 } = before.settings;
    const settings = { ...fresh, 'jwt-secret': secret, 'jwt-secret-is-base64': isBase64 };
    return { settings, authenticator: createAuthenticator(settings) };
  }
}
