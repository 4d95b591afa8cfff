/** Settings that have ended, and what to use instead. A start with one of them fails. */
const ENDED: Readonly<Record<string, string>> = {
  'db-idempotency-role-bytes': 'db-idempotency-bytes, for all roles together',
  'db-idempotency-role-rows': 'db-idempotency-bytes, for all roles together',
  'db-idempotency-rows': 'db-idempotency-bytes',
  'db-shapes-key': 'the permissions of db-shapes-file',
  'server-proxy-protocol': 'HTTP mode of the proxy, with server-forwarded-header',
  'console-public-role': 'the console of the admin port',
  'server-compression': 'a proxy that compresses',
  'server-compression-min-size': 'a proxy that compresses',
};

export const ENDED_SETTINGS: readonly string[] = Object.keys(ENDED);

/** The problem of a setting that has ended; null for every other name. @param from where it is given */
export function endedProblem(name: string, from: string): string | null {
  const instead = ENDED[name];
  return instead === undefined
    ? null
    : `${name} (${from}) has ended: use ${instead}; "Ended" in CHANGELOG.md says more`;
}
