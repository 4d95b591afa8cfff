/** Texts that people enter as tokens: JSON Web Tokens, and API keys. */

export interface Claims {
  readonly sub?: string;
  readonly tenantId?: string;
  readonly role?: string;
  readonly scope?: string;
  /** Seconds since the epoch. */
  readonly exp?: number;
}

const API_KEY = /^(?:dbr_|sb_publishable_|sb_secret_)[\w-]{22,200}$/;
export const isApiKey = (text: string): boolean => API_KEY.test(text);

function partOf(token: string, place: number): Record<string, unknown> | null {
  const part = token.split('.')[place];
  if (part === undefined) return null;
  try {
    const bytes = Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
      character.charCodeAt(0),
    );
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

/** The claims as the token states them, for display. The service verifies them. */
export function claimsOf(token: string | null): Claims {
  const payload = token === null ? null : partOf(token, 1);
  const text = (name: string) => (typeof payload?.[name] === 'string' ? { [name]: payload[name] } : {});
  const { exp } = payload ?? {};
  return {
    ...text('sub'),
    ...text('tenantId'),
    ...text('role'),
    ...text('scope'),
    ...(typeof exp === 'number' ? { exp } : {}),
  };
}

type Entered = { readonly token: string } | { readonly problem: string };

/** Reads what was entered, also with the name of its scheme. @param now milliseconds since the epoch */
export function enteredToken(text: string, now: number): Entered {
  const token = text.trim().replace(/^Bearer\s+/i, '');
  if (isApiKey(token)) return { token };
  const parts = token.split('.');
  if (parts.length !== 3)
    return { problem: 'This is not a token: a token has three parts, with a dot between each two.' };
  const header = partOf(token, 0);
  if (header === null || partOf(token, 1) === null || parts[2] === '')
    return { problem: 'This is not a token: its parts cannot be read. Was it copied as a whole?' };
  const { exp } = claimsOf(token);
  if (exp !== undefined && exp * 1000 <= now)
    return { problem: `This token ended at ${new Date(exp * 1000).toLocaleString('en-GB')}.` };
  return { token };
}
