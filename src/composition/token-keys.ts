/** The authenticator of the data API: refused keys end the start, and change nothing later. */
import { createAuthenticator, type Authenticator } from '../auth/identity.js';
import { KeyError } from '../auth/keys.js';
import { DEVELOPMENT_JWT_SECRET } from '../auth/service-keys.js';
import type { Observe } from '../observability/observation.js';
import type { Settings } from '../settings/settings.js';

/** Settings, and the authenticator that holds their keys. */
export interface Authentication {
  readonly settings: Settings;
  readonly authenticator: Authenticator;
}

/** @throws for a key that cannot be used, with the name of its setting */
export function openAuthentication(
  settings: Settings,
  production: boolean,
  observe: Observe,
): Authentication {
  const isPublic = settings['jwt-secret'] === DEVELOPMENT_JWT_SECRET;
  if (isPublic && production)
    throw new Error(
      'jwt-secret: anyone can sign tokens with the development secret, which production refuses',
    );
  if (isPublic && settings.areas.every((area) => area === 'data-api'))
    observe({ kind: 'development-secret' });
  try {
    const authenticator = createAuthenticator(settings);
    const { tooShortFor } = authenticator;
    if (tooShortFor.length > 0) observe({ kind: 'secret-too-short', algorithms: tooShortFor });
    return { settings, authenticator };
  } catch (error) {
    if (error instanceof KeyError) throw new Error(`jwt-secret: ${error.message}`, { cause: error });
    throw error;
  }
}

/** What is in force under new settings: a key that cannot be used is logged, and the one before stays. */
export function renewAuthentication(
  fresh: Settings,
  before: Authentication,
  observe: Observe,
): Authentication {
  try {
    return { settings: fresh, authenticator: createAuthenticator(fresh) };
  } catch (error) {
    if (!(error instanceof KeyError)) throw error;
    observe({ kind: 'key-refused', error: `jwt-secret: ${error.message}` });
    const { 'jwt-secret': secret, 'jwt-secret-is-base64': isBase64 } = before.settings;
    const settings = { ...fresh, 'jwt-secret': secret, 'jwt-secret-is-base64': isBase64 };
    return { settings, authenticator: createAuthenticator(settings) };
  }
}
