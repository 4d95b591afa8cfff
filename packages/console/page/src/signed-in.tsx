/** Who is signed in, as which role, and until when. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Text } from './parts.js';
import { currentToken } from './session.js';
import { claimsOf, isApiKey, type Claims } from './token.js';

/** The clock of the page is looked at so often. */
const TICK_MS = 10_000;

export const nameOf = (token: string | null, { sub }: Claims): string =>
  sub ?? (token === null || token === '' ? 'no token' : isApiKey(token) ? 'an API key' : 'unnamed');

/** @param role of the database; null until it is known */
export function SignedIn({ role }: { readonly role: string | null }): JSX.Element {
  const token = currentToken();
  const claims = claimsOf(token);
  const shownRole = role ?? claims.role ?? null;
  return (
    <span class="who">
      <span>
        <Text>{nameOf(token, claims)}</Text>
        {shownRole !== null && (
          <span class="quiet">
            {' '}
            as <Text>{shownRole}</Text>
          </span>
        )}
      </span>{' '}
      {claims.exp !== undefined && <Until end={claims.exp * 1000} />}
    </span>
  );
}

function Until({ end }: { readonly end: number }): JSX.Element {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const at = new Date(end);
  return (
    <time class={end <= now ? 'until bad' : 'until quiet'} datetime={at.toISOString()} title={at.toString()}>
      {end <= now ? 'ended' : 'until'} {shortTime(at, new Date(now))}
    </time>
  );
}

/** The time of day; on another day with its date. */
export function shortTime(at: Date, now: Date): string {
  const time = at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  if (at.toDateString() === now.toDateString()) return time;
  return `${at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })} ${time}`;
}
