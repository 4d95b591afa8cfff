/** A proxy that makes PostgreSQL lack features: words of statements are replaced on their way with unknown ones. */
import { openRelay, type Relay } from './relay.js';

/** @param words each is replaced by a word of the same length, which PostgreSQL does not know */
export const openLackingProxy = (serverUri: string, words: readonly string[]): Promise<Relay> =>
  openRelay(serverUri, {
    fromClient: (send) => (chunk) => {
      for (const word of words)
        for (let at = chunk.indexOf(word); at >= 0; at = chunk.indexOf(word, at + 1))
          chunk.write('x', at + word.length - 1, 'latin1');
      send(chunk);
    },
  });
