/** What a user sees is theirs alone: nobody on the way keeps it, and the client asks before it shows it again. */
export const PRIVATE = { 'Cache-Control': 'private, no-cache' } as const;
