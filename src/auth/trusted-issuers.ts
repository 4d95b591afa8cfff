/** The issuers whose tokens all areas accept, with their keys and rules, as the settings name them. */
import type { IssuerSettings } from './issuer-settings.js';
import { isKeyAddress } from './key-address.js';
import type { KeySets, RemoteKeySet } from './remote-key-set.js';
import { ASYMMETRIC_ALGORITHMS, KeyError, readKeys, type VerificationKey } from './keys.js';
import { memberNames, parseClaimPath, type ClaimPath } from './claim-path.js';
import type { PlacedText } from '../base/hash.js';
import {
  audiencesOf,
  checkAudience,
  requireAudience,
  type Claims,
  checkTimes,
  INVALID_SIGNATURE,
  unverifiedClaims,
  verifyWithKeys,
  type ParsedToken,
  type VerifiedToken,
} from './verify-token.js';
import { TokenError } from '../errors/token-error.js';
import { dbrError } from '../errors/dbr-error.js';

export interface TrustSettings {
  readonly 'jwt-secret': string | null;
  readonly 'jwt-secret-is-base64': boolean;
  readonly 'jwks-uri': string | null;
  readonly 'jwt-issuers': readonly IssuerSettings[];
  readonly 'jwt-aud': string | null;
  readonly 'jwt-role-claim-key': string;
  readonly 'notifications-claim-tenant': string;
  readonly 'notifications-claim-user': string;
  readonly 'notifications-claim-scopes': string;
  readonly 'compatibility-level': '12' | '16';
}

/** The keys of one issuer, and the rules for its tokens. */
export interface TrustedIssuer {
  /** Keys of the settings. */
  readonly fixedKeys: readonly VerificationKey[];
  /** Whether a token with a key ID that no key of the settings has may use any of them. */
  readonly usesOtherKeyIds: boolean;
  /** Keys that the issuer publishes; null for an issuer that publishes none. */
  readonly keySet: RemoteKeySet | null;
  /** Algorithms that published keys may verify. */
  readonly algorithms: readonly string[];
  readonly rolePath: ClaimPath;
  /** The only roles that its tokens may name; null for any. */
  readonly roles: readonly string[] | null;
  /** How its tokens name a user of areas A and B; null if they open neither. */
  readonly principal: PrincipalRules | null;
  /** @throws TokenError when the token is for another audience */
  requireAudience(claims: Claims): void;
}

/** A path to the tenant in the claims. */
interface TenantPath {
  readonly read: ClaimPath;
  /** The names of the members that lead there; null if the path has other steps. */
  readonly names: readonly string[] | null;
}

/** How tokens name a user of areas A and B. */
export interface PrincipalRules {
  /** The first path that leads to a claim counts. */
  readonly tenant: readonly TenantPath[];
  readonly user: ClaimPath;
  readonly scopes: ClaimPath;
  /** The tenant of all tokens; null for that of the claim. */
  readonly fixedTenant: string | null;
  /** The only tenants that tokens may name, and that their scopes reach; null for any. */
  readonly tenants: ReadonlySet<string> | null;
  /** The only scopes that tokens may carry; null for any. */
  readonly allowedScopes: ReadonlySet<string> | null;
  /** The path of the setting for all tokens, where policies find the tenant. */
  readonly commonTenant: TenantPath;
  /** Whether tenant and user may be lists. Tokens of the shared secret have texts (contract, Authentication). */
  readonly takesLists: boolean;
}

export interface TrustedIssuers {
  /** By `iss`. */
  readonly byName: ReadonlyMap<string, TrustedIssuer>;
  /** For tokens of any other issuer, and tokens without an issuer; null refuses both. */
  readonly others: TrustedIssuer | null;
  /** How tokens of the shared secret of areas A and B name a user. */
  readonly shared: PrincipalRules;
  /** @throws TokenError when a token of no named issuer is for another audience than `jwt-aud` */
  requireAudience(claims: Claims): void;
}

/** @throws KeyError for a secret or a key set of the settings that cannot be used; the message begins with the setting */
export function trustedIssuers(settings: TrustSettings, keySets: KeySets): TrustedIssuers {
  const commonTenant = tenantPath(settings['notifications-claim-tenant']);
  const shared: PrincipalRules = {
    tenant: [commonTenant],
    user: pathOf(settings['notifications-claim-user']),
    scopes: pathOf(settings['notifications-claim-scopes']),
    fixedTenant: null,
    tenants: null,
    allowedScopes: null,
    commonTenant,
    takesLists: false,
  };
  const requireAudience = (claims: Claims): void =>
    checkAudience(audiencesOf(AUDIENCE(claims)), settings['jwt-aud']);
  const common = { settings, rolePath: pathOf(settings['jwt-role-claim-key']), shared, requireAudience };
  const named = settings['jwt-issuers'];
  const others = otherIssuers(common, keySets);
  const isOnly = named.length + (others !== null && publishesKeys(others) ? 1 : 0) === 1;
  return {
    byName: new Map(named.map((issuer) => [issuer.issuer, trustedIssuer(issuer, isOnly, common, keySets)])),
    others: others === null || isOnly ? others : { ...others, principal: null },
    shared,
    requireAudience,
  };
}

interface Common {
  readonly settings: TrustSettings;
  readonly rolePath: ClaimPath;
  readonly shared: PrincipalRules;
  readonly requireAudience: (claims: Claims) => void;
}

/** @param text checked when the settings were read */
function pathOf(text: string): ClaimPath {
  const path = parseClaimPath(text);
  if (path === null) throw new KeyError(`${JSON.stringify(text)} is no path to a claim`);
  return path;
}

const tenantPath = (text: string): TenantPath => ({ read: pathOf(text), names: memberNames(text) });

/** Shared secrets of the data API open areas A and B in no case. */
const publishesKeys = ({ keySet, fixedKeys: keys }: TrustedIssuer): boolean =>
  keySet !== null || keys.some(({ key }) => key.type === 'public');

/**
 * The only issuer may name every tenant. Of several, each may name the tenants of its settings alone: otherwise one
 * could sign tokens for the users of another, and equal identifiers of users would be one user.
 */
function principalRulesOf(
  issuer: IssuerSettings,
  isOnly: boolean,
  shared: PrincipalRules,
): PrincipalRules | null {
  const { tenantClaim, userClaim, scopesClaim, tenant, tenants, scopes } = issuer;
  if (tenant === null && tenants === null && !isOnly) return null;
  return {
    tenant: tenantClaim === null ? shared.tenant : tenantClaim.map(tenantPath),
    user: userClaim === null ? shared.user : pathOf(userClaim),
    scopes: scopesClaim === null ? shared.scopes : pathOf(scopesClaim),
    fixedTenant: tenant,
    tenants: boundOf(tenant, tenants),
    allowedScopes: scopes === null ? null : new Set(scopes),
    commonTenant: shared.commonTenant,
    takesLists: true,
  };
}

function boundOf(tenant: string | null, tenants: readonly string[] | null): ReadonlySet<string> | null {
  if (tenant !== null) return new Set([tenant]);
  return tenants === null || tenants.includes('*') ? null : new Set(tenants);
}

function trustedIssuer(
  given: IssuerSettings,
  isOnly: boolean,
  { settings, rolePath, shared }: Common,
  keySets: KeySets,
): TrustedIssuer {
  const { issuer, jwksUri, audience, audienceClaim, roleClaimKey, algorithms, roles } = given;
  const audiencePath = audienceClaim === null ? AUDIENCE : pathOf(audienceClaim);
  const address =
    jwksUri === null ? ({ kind: 'issuer', issuer } as const) : ({ kind: 'key-set', uri: jwksUri } as const);
  return {
    fixedKeys: [],
    usesOtherKeyIds: false,
    keySet: keySets.at(address),
    algorithms: algorithms ?? ASYMMETRIC_ALGORITHMS,
    rolePath: roleClaimKey === null ? rolePath : pathOf(roleClaimKey),
    roles,
    principal: principalRulesOf(given, isOnly, shared),
    requireAudience(claims) {
      const named = audiencesOf(audiencePath(claims));
      if (audience === null) checkAudience(named, settings['jwt-aud']);
      else requireAudience(named, audience);
    },
  };
}

const AUDIENCE: ClaimPath = ({ aud }) => aud;

function otherIssuers(
  { settings, rolePath, shared, requireAudience }: Common,
  keySets: KeySets,
): TrustedIssuer | null {
  const secret = settings['jwt-secret'];
  const uris = [settings['jwks-uri'], addressIn(secret)].filter((uri) => uri !== null);
  if (uris.length > 1)
    throw new KeyError(
      'jwt-secret: the secret is the address of a key set, but jwks-uri is also set: set one of the two',
    );
  const [uri] = uris;
  if (secret === null && uri === undefined) return null;
  const keys = fixedKeys(settings);
  return {
    fixedKeys: keys,
    usesOtherKeyIds: settings['compatibility-level'] === '12',
    keySet: uri === undefined ? null : keySets.at({ kind: 'key-set', uri }),
    algorithms: ASYMMETRIC_ALGORITHMS,
    rolePath,
    roles: null,
    principal: { ...shared, takesLists: true },
    requireAudience,
  };
}

/** A `jwt-secret` that is the address of a key set: addresses are public, so it is never a shared secret. */
const addressIn = (secret: string | null): string | null =>
  secret !== null && /^https?:\/\//i.test(secret) ? secret.trim() : null;

function fixedKeys(settings: TrustSettings): readonly VerificationKey[] {
  const secret = settings['jwt-secret'];
  if (secret === null) return [];
  const address = addressIn(secret);
  if (address !== null) {
    if (isKeyAddress(address)) return [];
    throw new KeyError('jwt-secret: the address of a key set must be an https address');
  }
  try {
    return readKeys(secret, settings['jwt-secret-is-base64']);
  } catch (error) {
    if (error instanceof KeyError) throw new KeyError(`jwt-secret: ${error.message}`, { cause: error });
    throw error;
  }
}

/** Returns the issuer that the token names, and null for any other. Only keys of this issuer may verify it. */
export function namedIssuer(token: ParsedToken, { byName }: TrustedIssuers): TrustedIssuer | null {
  if (byName.size === 0) return null;
  const { iss } = unverifiedClaims(token);
  return typeof iss === 'string' ? (byName.get(iss) ?? null) : null;
}

// The tenant of a token, for all areas.

/** Returns the tenant of a token. @throws TokenError if it names none, or one that its issuer may not name */
export function tenantOf(claims: Claims, rules: PrincipalRules): string {
  const found = rules.tenant.map(({ read }) => read(claims)).find((value) => value !== undefined);
  const tenant = rules.fixedTenant ?? oneText(found, rules);
  if (tenant === null) throw new TokenError('tenantId is missing');
  if (rules.tenants?.has(tenant) === false) throw new TokenError('tenant not allowed');
  return tenant;
}

/** Returns a claim that is a text; null for any other. Of a list with several members, the token does not say which is meant. */
export function oneText(claim: unknown, { takesLists }: Pick<PrincipalRules, 'takesLists'>): string | null {
  const value: unknown = takesLists && Array.isArray(claim) && claim.length === 1 ? claim[0] : claim;
  return typeof value === 'string' && value !== '' ? value : null;
}

/**
 * What policies must see in place of the claims of an issuer that is bound to tenants: its tenant, wherever the claims name
 * another one, and at the path of all tokens.
 * @returns nothing for an issuer that may name every tenant, and for one that opens the data API alone
 * @throws TokenError as `tenantOf`, and if another tenant stands at a path that cannot be written
 */
export function tenantClaims(claims: Claims, { principal: rules }: TrustedIssuer): readonly PlacedText[] {
  if (rules?.tenants == null) return [];
  const tenant = tenantOf(claims, rules);
  return [rules.commonTenant, ...rules.tenant].flatMap((path) => {
    const claim = path.read(claims);
    if (oneText(claim, rules) === tenant) return [];
    if (path.names !== null && (claim !== undefined || path === rules.commonTenant))
      return [{ names: path.names, text: tenant }];
    if (claim !== undefined) throw new TokenError('tenant not allowed');
    return [];
  });
}

// Verifies a token with the keys of its issuer, which may have to be loaded first.

/**
 * Tries the keys of the settings, then those that the issuer publishes.
 * @throws TokenError when no key verifies the signature; DbrError 310 while the published keys are not known
 */
export async function verifyToken(
  token: ParsedToken,
  { fixedKeys, usesOtherKeyIds, keySet, algorithms }: TrustedIssuer,
): Promise<VerifiedToken> {
  const verified =
    (await verifyWithKeys(token, chooseKeys(token, fixedKeys, usesOtherKeyIds))) ??
    (keySet !== null && algorithms.includes(token.algorithm) ? await verifyPublished(token, keySet) : null);
  if (verified === null) throw new TokenError(INVALID_SIGNATURE);
  return verified;
}

/**
 * Returns the keys with the key ID of the token; if none has it, those without an ID. A token without an ID may use any key.
 * @param usesOtherIds returns all keys if none has the ID, as release 12 of PostgREST does
 */
function chooseKeys(
  { kid }: ParsedToken,
  keys: readonly VerificationKey[],
  usesOtherIds = false,
): readonly VerificationKey[] {
  if (kid === null) return keys;
  const named = keys.filter((key) => key.kid === kid);
  if (named.length > 0) return named;
  return usesOtherIds ? keys : keys.filter((key) => key.kid === null);
}

/**
 * A token whose key is not in the set waits for the end of a load that began after the token arrived: the issuer may
 * have published the key since. All tokens share the loads, and the key set bounds their rate and the number of waiting tokens.
 */
async function verifyPublished(token: ParsedToken, keySet: RemoteKeySet): Promise<VerifiedToken | null> {
  const arrivedMs = performance.now();
  for (;;) {
    const keys = keySet.keys();
    const verified = keys === null ? null : await verifyWithKeys(token, chooseKeys(token, keys));
    if (verified !== null) return verified;
    if (keySet.loadedSince(arrivedMs) || !mayHaveNewKey(token, keys) || !(await keySet.nextLoad())) {
      if (keys !== null) return null;
      const headers = { 'Retry-After': String(keySet.retryAfterSeconds()) };
      throw dbrError('IssuerKeysNotLoaded', {}, { headers });
    }
  }
}

/**
 * Whether a load could bring the key of the token. It cannot if the set has the key ID, or if the token is invalid
 * for another reason.
 */
function mayHaveNewKey(token: ParsedToken, keys: readonly VerificationKey[] | null): boolean {
  if (keys?.some(({ kid }) => kid !== null && kid === token.kid) === true) return false;
  try {
    checkTimes(unverifiedClaims(token), Date.now() / 1000);
    return true;
  } catch (error) {
    if (error instanceof TokenError) return false;
    throw error;
  }
}
