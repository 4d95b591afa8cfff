/** The rows of films, computed without SQL. */
import { FILMS } from './database.js';
import type { Context } from './requests.js';

interface Film {
  readonly id: number;
  readonly title: string;
  readonly rating: number;
}

export const filmsOf = (tenant: number): readonly Film[] =>
  Array.from({ length: FILMS }, (_, at) => {
    const id = tenant * 1000 + at + 1;
    return { id, title: `film ${String(id)}`, rating: (id * 7) % 10 };
  });

export function drawnFilms({ random, claims }: Context) {
  const least = random.below(10);
  const isDescending = random.chance(0.5);
  const offset = random.below(6);
  const limit = random.between(1, 12);
  const matching = filmsOf(claims.tenant).filter(({ rating }) => rating >= least);
  const ordered = isDescending ? matching.toReversed() : matching;
  return {
    path: `/films?rating=gte.${String(least)}&order=id.${isDescending ? 'desc' : 'asc'}&limit=${String(limit)}&offset=${String(offset)}`,
    rows: ordered.slice(offset, offset + limit),
    total: matching.length,
    offset,
  };
}
