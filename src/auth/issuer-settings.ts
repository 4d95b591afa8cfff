/** The setting `jwt-issuers`: the issuers that the data API trusts, with the rules for their tokens. */
import { isKeyAddress, KEY_ADDRESS_FORM } from './key-address.js';
import { ASYMMETRIC_ALGORITHMS } from './keys.js';
import { parseRolePath } from './role-claim.js';

/** One issuer. Null stands for the setting that applies to all tokens, or for no limit. */
export interface IssuerSettings {
  /** Compared with the `iss` of tokens, character by character. */
  readonly issuer: string;
  /** Address of the key set; null finds it in the metadata of the issuer. */
  readonly jwksUri: string | null;
  /** Tokens must name one of these audiences. */
  readonly audience: readonly string[] | null;
  /** Path to the role in the claims. */
  readonly roleClaimKey: string | null;
  /** JWS algorithms of its tokens. */
  readonly algorithms: readonly string[] | null;
  /** The only roles that its tokens may name. */
  readonly roles: readonly string[] | null;
}

export type ParsedIssuers =
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
    issuers.map(({ issuer, jwksUri, audience, roleClaimKey, algorithms, roles }) => {
      const members = {
        'jwks-uri': jwksUri,
        audience,
        'role-claim-key': roleClaimKey,
        algorithms,
        roles,
      };
      return { issuer, ...Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)) };
    }),
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

const MEMBERS: ReadonlySet<string> = new Set([
  'issuer',
  'jwks-uri',
  'audience',
  'role-claim-key',
  'algorithms',
  'roles',
]);

function readIssuer(item: unknown): IssuerSettings {
  if (typeof item === 'string') return readIssuer({ issuer: item });
  if (typeof item !== 'object' || item === null || Array.isArray(item)) throw new Unexpected(FORM);
  const members: Members = new Map(Object.entries(item));
  const unknown = [...members.keys()].find((name) => !MEMBERS.has(name));
  if (unknown !== undefined)
    throw new Unexpected(
      `members ${[...MEMBERS].join(', ')} of an issuer (${JSON.stringify(unknown)} is unknown)`,
    );
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
    roleClaimKey: rolePathMember(members),
    algorithms: algorithmsMember(members),
    roles: textsMember(members, 'roles'),
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

function rolePathMember(members: Members): string | null {
  const path = textMember(members, 'role-claim-key');
  if (path !== null && parseRolePath(path) === null)
    throw new Unexpected('a path such as `.role` or `.app.roles[0]` as "role-claim-key"');
  return path;
}

function algorithmsMember(members: Members): readonly string[] | null {
  const algorithms = textsMember(members, 'algorithms');
  const wrong = algorithms?.some((name) => !ASYMMETRIC_ALGORITHMS.includes(name)) ?? false;
  if (wrong) throw new Unexpected(`algorithms among ${ASYMMETRIC_ALGORITHMS.join(', ')}`);
  return algorithms;
}
