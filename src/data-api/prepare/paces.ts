import { lruCache } from '../../base/lru-cache.js';
import { sha256Text } from '../../base/hash.js';
import { createPace, type Pace } from '../../postgres/pace.js';

/** The measured durations of statements. They are kept when a reload of the schema drops the plans. */
export interface Paces {
  /** @param scope role and schema: equal texts may read other tables under others */
  of(scope: string, text: string): Pace;
}

const MAX_PACES = 8000;
const MAX_BYTES = 4_194_304;
const PACE_BYTES = 200;

export function createPaces(): Paces {
  const paces = lruCache<Pace>({ maxEntries: MAX_PACES, maxBytes: MAX_BYTES, bytesOf: () => PACE_BYTES });
  return {
    of(scope, text) {
      const key = sha256Text(`${scope}\0${text}`, 'base64');
      const known = paces.get(key);
      if (known !== undefined) return known;
      const pace = createPace();
      paces.set(key, pace);
      return pace;
    },
  };
}
