/**
 * Relations between answers that hold for every request. Each check sends requests and throws where a relation does not
 * hold; fast-check shrinks the request, and what it finds is kept in `kept.json`.
 */
import { writesInBatch } from './relations-of-batches.js';
import { batches, calls, csv, media, sameAsQuery, streams } from './relations-of-forms.js';
import { graphs } from './relations-of-graphs.js';
import { aggregates, countedEmbeds, counts, groups } from './relations-of-groups.js';
import { boundedBytes, boundedReads, boundedWrites, costs } from './relations-of-ceilings.js';
import { pivots, sums } from './relations-of-conditions.js';
import { readers } from './relations-of-readers.js';
import { repeats } from './relations-of-keys.js';
import { levels, spreads, writesAtLevels } from './relations-of-levels.js';
import { limits } from './relations-of-limits.js';
import { equalReads, lookups } from './relations-of-concurrency.js';
import { typedRows, wrongValues } from './relations-of-types.js';
import { mutations, wild } from './relations-of-hostile.js';
import { policies } from './relations-of-policies.js';
import { embeds, logic, ordered, pages, partition, present } from './relations-of-reads.js';
import { bodies, changes, conditional, keyed, upserts } from './relations-of-writes.js';

export type { Relation } from './relation.js';

export const FUZZ_RELATIONS = {
  ...{ sameAsQuery, csv, streams, media, calls, batches },
  ...{ partition, logic, pages, embeds, present, ordered, policies },
  ...{ changes, upserts, bodies, keyed, conditional },
  graphs,
  ...{ writesInBatch, wild, mutations },
  ...{ repeats, limits, typedRows, wrongValues },
  ...{ boundedBytes, boundedReads, boundedWrites, costs },
  ...{ levels, writesAtLevels, spreads },
  ...{ counts, groups, aggregates, countedEmbeds },
  ...{ equalReads, lookups },
  ...{ readers, sums, pivots },
};
