/** Tokens for development, signed with the key with which this configuration verifies them. */
import { SignJWT } from 'jose';
import { serviceKeys } from './keys.js';

export interface TokenRequest {
  readonly tenant: string;
  readonly user: string;
  readonly role: string | undefined;
  readonly scope: string | undefined;
  /** Seconds from now. */
  readonly expiresIn: number;
}

/** @throws Error when production has no shared secret */
export async function mintToken(
  settings: { readonly 'service-jwt-secret': string | null },
  { tenant, user, role, scope, expiresIn }: TokenRequest,
): Promise<string> {
  const keys = serviceKeys(settings['service-jwt-secret'], process.env['NODE_ENV'] === 'production');
  const [key] = keys?.keys ?? [];
  if (key === undefined) throw new Error('JWT_SECRET must be set if NODE_ENV is production');
  return new SignJWT({
    tenantId: tenant,
    ...(role === undefined ? {} : { role }),
    ...(scope === undefined ? {} : { scope }),
  })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(user)
    .setIssuedAt()
    .setExpirationTime(`${expiresIn} s`)
    .sign(key.key);
}
