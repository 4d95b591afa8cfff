/** Identifiers from earlier answers, for the parameters of paths. */
import { isObject, listOf, type Operation, type Parameter } from './document.js';
import type { GeneratedRequest } from './requests.js';

export interface KnownValues {
  /** Keeps the identifiers of an answer to a collection. */
  learn(request: GeneratedRequest, body: unknown): void;
  readonly of: (operation: Operation, parameter: Parameter) => readonly string[];
}

/** Values of one collection that are kept. */
const MOST = 50;

/** A collection is named by the last segment of its path: `/accounts` has the values of `/accounts/{id}/config`. */
export function openKnownValues(): KnownValues {
  const collections = new Map<string, string[]>();
  return {
    learn({ operation }, body) {
      const segment = operation.path.split('/').at(-1) ?? '';
      if (segment.startsWith('{')) return;
      for (const [name, value] of identifiersOf(body)) {
        // A name that says whose identifier it is belongs to parameters of the name everywhere.
        const key = name === 'id' ? `${segment} id` : name;
        const values = collections.get(key) ?? [];
        if (!values.includes(value)) collections.set(key, [...values, value].slice(-MOST));
      }
    },
    of({ path }, { name }) {
      const segments = path.split('/');
      const segment = segments[segments.indexOf(`{${name}}`) - 1] ?? '';
      return (
        collections.get(name === 'id' ? `${segment} id` : name) ?? collections.get(`${segment} id`) ?? []
      );
    },
  };
}

/** The members of a body, of its elements, and of the elements of its lists, whose names end with `id`. */
function identifiersOf(body: unknown): readonly (readonly [name: string, value: string])[] {
  const lists = isObject(body) ? Object.values(body).flatMap(listOf) : listOf(body);
  return [body, ...lists].flatMap((each) =>
    Object.entries(isObject(each) ? each : {}).flatMap(([name, value]) =>
      /id$/i.test(name) && (typeof value === 'string' || typeof value === 'number')
        ? [[name, String(value)] as const]
        : [],
    ),
  );
}
