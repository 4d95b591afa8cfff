/** What clients do in several steps, of which each needs the answer before. */
import { all, sameHeader, sameJson } from './checks.js';
import { drawnFilms, filmsOf } from './films.js';
import type { Answer } from './http-client.js';
import { bearer, json, type Context, type Plan, type PlannedRequest } from './requests.js';

const hasTag = ({ headers }: Answer): string | null => (headers.has('etag') ? null : 'it has no ETag');

const tagOf = ({ headers }: Answer): string => headers.get('etag') ?? '';

/** Reads, and asks whether it has changed. */
const revalidate: Plan = (context) => {
  const { path, rows } = drawnFilms(context);
  const first: PlannedRequest = {
    wire: { method: 'GET', path: `${path}&select=id,title,rating`, headers: bearer(context) },
    statuses: [200],
    check: all(sameJson(rows), hasTag),
  };
  const again = (tag: string, status: number): PlannedRequest => ({
    wire: { ...first.wire, headers: { ...first.wire.headers, 'If-None-Match': tag } },
    statuses: [status],
    check: status === 304 ? sameHeader('etag', tag) : first.check,
  });
  return {
    ...first,
    next: (answer) => ({
      ...again(tagOf(answer), 304),
      next: () => again(tagOf(answer).replace(/^"./, '"x'), 200),
    }),
  };
};

/** Follows the links of pages to the last one, and then begins again in the words of the links. */
const pages: Plan = (context) => {
  const limit = context.random.between(6, 15);
  const rows = filmsOf(context.claims.tenant)
    .map(({ id, rating }) => ({ id, rating }))
    .toSorted((one, other) => other.rating - one.rating || other.id - one.id);
  const pageFrom = (offset: number, path: string, isAgain = false): PlannedRequest => ({
    wire: { method: 'GET', path, headers: { ...bearer(context), Prefer: 'pagination=keyset' } },
    statuses: [200],
    check: all(sameJson(rows.slice(offset, offset + limit)), ({ headers }) =>
      (nextOf(headers) === null) === offset + limit >= rows.length
        ? null
        : 'the link of the next page is wrong',
    ),
    next({ headers }) {
      const next = nextOf(headers);
      if (next !== null) return pageFrom(offset + limit, next, isAgain);
      return isAgain || offset === 0 ? null : pageFrom(0, path.replace(/&after=[^&]*/, ''), true);
    },
  });
  return pageFrom(0, `/films?select=id,rating&order=rating.desc&limit=${String(limit)}`);
};

const nextOf = (headers: Answer['headers']): string | null =>
  /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null;

const notePath = (key: string): string => `/notes?key=eq.${encodeURIComponent(key)}&select=key,value`;

const RETURNED = 'return=representation';

/** @param status 201 for a new note */
const upsertNote = (context: Context, value: number, status: number): PlannedRequest => ({
  wire: {
    method: 'POST',
    path: '/notes?on_conflict=tenant,key&select=key,value',
    headers: json(context, { Prefer: `resolution=merge-duplicates,${RETURNED}` }),
    body: JSON.stringify({ key: context.mark, value }),
  },
  statuses: [status],
  check: sameJson([{ key: context.mark, value }]),
  effect: { kind: 'note', key: context.mark, value },
});

const readNote = (context: Context, value: number | null): PlannedRequest => ({
  wire: { method: 'GET', path: notePath(context.mark), headers: bearer(context) },
  statuses: [200],
  check: all(sameJson(value === null ? [] : [{ key: context.mark, value }]), hasTag),
});

/** Changes a note that has the tag. @param status 412 for the tag of an earlier version */
const changeNote = (context: Context, tag: string, value: number, status: 204 | 412): PlannedRequest => ({
  wire: {
    method: 'PATCH',
    path: notePath(context.mark),
    headers: json(context, { 'If-Match': tag }),
    body: JSON.stringify({ value }),
  },
  statuses: [status],
  check: () => null,
  effect: { kind: 'note', key: context.mark, value },
});

/** Writes a note, changes it under the condition of its tag, and again under that of the earlier one, which is refused. */
const conditional: Plan = (context) => ({
  ...upsertNote(context, 1, 201),
  next: () => ({
    ...readNote(context, 1),
    next: (answer) => ({
      ...changeNote(context, tagOf(answer), 2, 204),
      next: () => ({
        ...changeNote(context, tagOf(answer), 3, 412),
        next: () => ({ ...readNote(context, 2), next: () => upsertNote(context, 4, 200) }),
      }),
    }),
  }),
});

/** Writes a note and deletes it. */
const deleted: Plan = (context) => ({
  ...upsertNote(context, 1, 201),
  next: () => ({
    wire: {
      method: 'DELETE',
      path: notePath(context.mark),
      headers: { ...bearer(context), Prefer: RETURNED },
    },
    statuses: [200],
    check: sameJson([{ key: context.mark, value: 1 }]),
    effect: { kind: 'note', key: context.mark, value: null },
    next: () => readNote(context, null),
  }),
});

/** Reads what its role may read, and then what it may not. */
const asGuest: Plan = (context) => {
  const claims = { ...context.claims, role: 'web_guest' };
  const { path, rows } = drawnFilms(context);
  return {
    wire: { method: 'GET', path: `${path}&select=id,title,rating`, headers: bearer({ claims }) },
    statuses: [200],
    check: sameJson(rows),
    next: () => ({
      wire: { method: 'GET', path: '/marks?select=tenant', headers: bearer({ claims }) },
      statuses: [403],
      check: ({ body }) => (body.includes('42501') ? null : `the error is ${body.slice(0, 200)}`),
    }),
  };
};

export const STEP_OPERATIONS = { revalidate, pages, conditional, deleted, asGuest } as const;
