/** The setting `jwt-issuers`: the issuers that all areas trust, with the rules for their tokens. */
import { isObject } from '../base/json.js';
import { isKeyAddress, KEY_ADDRESS_FORM } from './key-address.js';
import { ASYMMETRIC_ALGORITHMS } from './keys.js';
import {
  CLAIM_PATH_FORM,
  isTrustedClaimPath,
  parseClaimPath,
  TRUSTED_CLAIM_PATH_FORM,
} from './claim-path.js';

/** One issuer. Null stands for the setting that applies to all tokens, or for no limit. */
export interface IssuerSettings {
  /** Compared with the `iss` of tokens, character by character. */
  readonly issuer: string;
  /** Address of the key set; null finds it in the metadata of the issuer. */
  readonly jwksUri: string | null;
  /** Tokens must name one of these audiences. */
  readonly audience: readonly string[] | null;
  /** Path to the audience in the claims. */
  readonly audienceClaim: string | null;
  /** Path to the role in the claims. */
  readonly roleClaimKey: string | null;
  /** Paths to the tenant in the claims: the first that leads to a claim counts. */
  readonly tenantClaim: readonly string[] | null;
  /** Path to the user in the claims. */
  readonly userClaim: string | null;
  /** Path to the scopes in the claims. */
  readonly scopesClaim: string | null;
  /** The tenant of all its tokens. */
  readonly tenant: string | null;
  /** The only tenants that its tokens may name; `*` for any. */
  readonly tenants: readonly string[] | null;
  /** JWS algorithms of its tokens. */
  readonly algorithms: readonly string[] | null;
  /** The only roles that its tokens may name. */
  readonly roles: readonly string[] | null;
  /** The only scopes that its tokens may carry. */
  readonly scopes: readonly string[] | null;
}

type ParsedIssuers =
  | { readonly ok: true; readonly value: readonly IssuerSettings[] }
  | { readonly ok: false; readonly expected: string };

const MAX_ISSUERS = 100;

/**
 * Reads a JSON array whose items are addresses of issuers or objects, or a list of addresses separated by commas. An
 * empty text and `[]` name no issuer.
 */
export function parseIssuers(text: string): ParsedIssuers {
  try {
    const issuers = itemsOf(text.trim()).map(readIssuer);
    if (issuers.length > MAX_ISSUERS) throw new Unexpected(`at most ${MAX_ISSUERS} issuers`);
    const names = new Set(issuers.map(({ issuer }) => issuer));
    if (names.size < issuers.length) throw new Unexpected('each issuer once');
    return { ok: true, value: issuers };
  } catch (error) {
    if (error instanceof Unexpected) return { ok: false, expected: error.message };
    throw error;
  }
}

/** The text that `parseIssuers` reads back to the same issuers. */
export function printIssuers(issuers: readonly IssuerSettings[]): string {
  if (issuers.length === 0) return '[]';
  return JSON.stringify(
    issuers.map((issuer) =>
      Object.fromEntries(
        Object.entries(MEMBERS).flatMap(([name, member]) =>
          issuer[member] === null ? [] : [[name, issuer[member]] as const],
        ),
      ),
    ),
  );
}

/** The message states what is expected instead. */
class Unexpected extends Error {}

const FORM = 'a JSON array of issuers, or addresses of issuers separated by commas';

function itemsOf(text: string): readonly unknown[] {
  if (text === '') return [];
  if (!text.startsWith('[')) return text.split(',').map((item) => item.trim());
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Unexpected(FORM);
  }
  if (!Array.isArray(value)) throw new Unexpected(FORM);
  return value;
}

type Members = ReadonlyMap<string, unknown>;

/** Members in the setting. */
const MEMBERS = {
  issuer: 'issuer',
  'jwks-uri': 'jwksUri',
  audience: 'audience',
  'audience-claim': 'audienceClaim',
  'role-claim-key': 'roleClaimKey',
  'tenant-claim': 'tenantClaim',
  'user-claim': 'userClaim',
  'scopes-claim': 'scopesClaim',
  tenant: 'tenant',
  tenants: 'tenants',
  algorithms: 'algorithms',
  roles: 'roles',
  scopes: 'scopes',
} as const satisfies Readonly<Record<string, keyof IssuerSettings>>;

const NAMES: readonly string[] = ['preset', ...Object.keys(MEMBERS)];

/**
 * Members for the tokens of known services (`preset`); those of the setting take precedence. Sources: the pages of the
 * services about the claims of their access tokens; docs/access/logins/ has a page for each.
 */
const PRESETS: ReadonlyMap<unknown, Readonly<Record<string, unknown>>> = new Map([
  ['auth0', { 'tenant-claim': '.org_id' }],
  ['keycloak', { 'role-claim-key': '.realm_access.roles', 'tenant-claim': '.organization' }],
  [
    'supabase',
    {
      audience: 'authenticated',
      'tenant-claim': '.app_metadata.tenant_id',
      'scopes-claim': '.app_metadata.scopes',
    },
  ],
  // Access tokens have no `aud`. ID tokens have no `client_id`, so that they are refused where an audience is set.
  [
    'cognito',
    {
      'audience-claim': '.client_id',
      'role-claim-key': '."cognito:groups"',
      'tenant-claim': '."custom:tenant_id"',
    },
  ],
  // `sub` differs from application to application.
  [
    'entra',
    { 'role-claim-key': '.roles', 'tenant-claim': '.tid', 'user-claim': '.oid', 'scopes-claim': '.scp' },
  ],
  // Session tokens have no `aud`, and the organization at another place in each of their two versions.
  ['clerk', { 'audience-claim': '.azp', 'tenant-claim': ['.org_id', '.o.id'] }],
]);

function readIssuer(item: unknown): IssuerSettings {
  if (typeof item === 'string') return readIssuer({ issuer: item });
  if (!isObject(item)) throw new Unexpected(FORM);
  const given = new Map<string, unknown>(Object.entries(item));
  const unknown = [...given.keys()].find((name) => !NAMES.includes(name));
  if (unknown !== undefined)
    throw new Unexpected(`members ${NAMES.join(', ')} of an issuer (${JSON.stringify(unknown)} is unknown)`);
  const members: Members = new Map([...Object.entries(presetOf(given)), ...given]);
  const issuer = textMember(members, 'issuer');
  if (issuer === null) throw new Unexpected('"issuer" in each issuer');
  const jwksUri = textMember(members, 'jwks-uri');
  const address = jwksUri ?? issuer;
  if (!isKeyAddress(address) || (jwksUri === null && address.includes('?')))
    throw new Unexpected(`${KEY_ADDRESS_FORM} as "jwks-uri", or as "issuer" where that is absent`);
  return {
    issuer,
    jwksUri,
    audience: textsMember(members, 'audience'),
    audienceClaim: pathMember(members, 'audience-claim'),
    roleClaimKey: pathMember(members, 'role-claim-key'),
    tenantClaim: trustedPaths('tenant-claim', textsMember(members, 'tenant-claim')),
    userClaim: trustedPaths('user-claim', textMember(members, 'user-claim')),
    scopesClaim: trustedPaths('scopes-claim', textMember(members, 'scopes-claim')),
    ...tenantsMembers(members),
    algorithms: algorithmsMember(members),
    roles: textsMember(members, 'roles'),
    scopes: textsMember(members, 'scopes'),
  };
}

function textMember(members: Members, name: string): string | null {
  const value = members.get(name);
  if (value === undefined) return null;
  if (typeof value !== 'string' || value === '') throw new Unexpected(`a text as "${name}"`);
  return value;
}

/** Reads one text, or an array of at least one text. */
function textsMember(members: Members, name: string): readonly string[] | null {
  const value = members.get(name);
  if (value === undefined) return null;
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (texts.length === 0) throw new Unexpected(`at least one text as "${name}"`);
  return texts.map((text) => {
    if (typeof text === 'string' && text !== '') return text;
    throw new Unexpected(`a text or an array of texts as "${name}"`);
  });
}

function pathMember(members: Members, name: string): string | null {
  const path = textMember(members, name);
  if (path !== null && parseClaimPath(path) === null) throw new Unexpected(`${CLAIM_PATH_FORM} as "${name}"`);
  return path;
}

function trustedPaths<T extends string | readonly string[] | null>(name: string, paths: T): T {
  for (const path of [paths ?? []].flat())
    if (!isTrustedClaimPath(path)) throw new Unexpected(`${TRUSTED_CLAIM_PATH_FORM} as "${name}"`);
  return paths;
}

function tenantsMembers(members: Members): Pick<IssuerSettings, 'tenant' | 'tenants'> {
  const tenant = textMember(members, 'tenant');
  const tenants = textsMember(members, 'tenants');
  if (tenant !== null && tenants !== null) throw new Unexpected('one of "tenant" and "tenants"');
  return { tenant, tenants };
}

function presetOf(given: Members): Readonly<Record<string, unknown>> {
  const name = given.get('preset');
  const preset = PRESETS.get(name);
  if (name !== undefined && preset === undefined)
    throw new Unexpected(`one of ${[...PRESETS.keys()].join(', ')} as "preset"`);
  return preset ?? {};
}

function algorithmsMember(members: Members): readonly string[] | null {
  const algorithms = textsMember(members, 'algorithms');
  const wrong = algorithms?.some((name) => !ASYMMETRIC_ALGORITHMS.includes(name)) ?? false;
  if (wrong) throw new Unexpected(`algorithms among ${ASYMMETRIC_ALGORITHMS.join(', ')}`);
  return algorithms;
}
