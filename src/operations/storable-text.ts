/** Checks of text that PostgreSQL cannot store: a NUL, or half of a surrogate pair (PostgreSQL manual, 8.3, 8.14.1). */
import { invalidToken } from '../auth/verify-token.js';
import type { Principal } from '../contract/principal.js';
import { dbrError, invalidBody } from '../errors/dbr-error.js';

const UNSTORABLE = /\0|\p{Surrogate}/u;
const EVERY_UNSTORABLE = /\0|\p{Surrogate}/gu;
const PROBLEM = 'must not hold a NUL or half a surrogate pair';

const isStorable = (text: string): boolean => !UNSTORABLE.test(text);

/** Removes characters that cannot be stored. */
export const storableText = (text: string): string => text.replace(EVERY_UNSTORABLE, '');

/** The text with U+FFFD in place of each half of a surrogate pair, as UTF-8 encoders write it (WHATWG Encoding §8.2). */
export const wellFormedText = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd');

/** @throws DbrError AuthInvalid for a token whose tenant or user cannot be stored */
export function requireStorablePrincipal(principal: Principal): Principal {
  if (!isStorable(principal.tenantId) || !isStorable(principal.userId)) throw invalidToken();
  return principal;
}

/** @throws DbrError InvalidParameter for a text that cannot be stored */
export function requireStorableParameter(parameter: string, value: string): void {
  if (!isStorable(value)) throw dbrError('InvalidParameter', { parameter, problem: PROBLEM });
}

/**
 * Checks every text and every name of a JSON value.
 * @param path JSON pointer of the value in the body
 * @throws DbrError InvalidBody, which names the first text that cannot be stored
 */
export function requireStorableBody(value: unknown, path = ''): void {
  if (typeof value === 'string') {
    if (!isStorable(value)) throw unstorable(path);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [member, inner] of Object.entries(value)) {
    if (!isStorable(member)) throw unstorable(`${path}/`);
    requireStorableBody(inner, `${path}/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }
}

const unstorable = (path: string): Error => invalidBody(path, 'text', PROBLEM);
