/** Cache-Control of responses (RFC 9111 §5.2.2). */

/** For one user's data: shared caches do not store it, and the user's own cache revalidates it. */
export const PRIVATE = { 'Cache-Control': 'private, no-cache' } as const;

/** For credentials: no cache stores the response. */
export const NO_STORE = { 'Cache-Control': 'no-store' } as const;
