/** The cache as JSON text, for the admin port. */
import type { AccessList, ByName, SchemaCache, Table } from './types.js';

/**
 * Renders the cache as one JSON object in pieces, about one for each relation, so that a large cache is streamed. It
 * contains lists of objects, without the indexes for lookups (similar names, roles).
 */
export function* dumpSchemaCache(cache: SchemaCache): Generator<string> {
  const { generation, serverVersion, schemas } = cache;
  yield `{"generation":${generation},"serverVersion":${serverVersion},"schemas":${JSON.stringify(schemas)}`;
  yield* dumpList('tables', mapEach(all(cache.tables), dumpTable));
  yield* dumpList('relationships', flatten(all(cache.relationships)));
  yield* dumpList(
    'functions',
    mapEach(flatten(all(cache.functions)), (routine) => ({ ...routine, access: dumpAccess(routine.access) })),
  );
  yield* dumpList('computedFields', computedFields(cache));
  yield* dumpList('representations', representations(cache));
  yield* dumpList('mediaHandlers', mediaHandlers(cache));
  yield '}';
}

function* dumpList(name: string, items: Iterable<unknown>): Generator<string> {
  yield `,\n"${name}":[`;
  let separator = '\n';
  for (const item of items) {
    yield separator + JSON.stringify(item);
    separator = ',\n';
  }
  yield ']';
}

function* all<T>(map: ByName<T>): Iterable<T> {
  for (const names of map.values()) yield* names.values();
}

function* flatten<T>(lists: Iterable<readonly T[]>): Iterable<T> {
  for (const list of lists) yield* list;
}

function* mapEach<A, B>(items: Iterable<A>, map: (item: A) => B): Iterable<B> {
  for (const item of items) yield map(item);
}

const dumpTable = (table: Table) => ({
  ...table,
  columns: [...table.columns.values()],
  access: dumpAccess(table.access),
  tableAccess: dumpAccess(table.tableAccess),
});

const dumpAccess = (access: AccessList) =>
  Array.from(access, ([grantee, privileges]) => ({
    grantee: grantee ?? 'PUBLIC',
    privileges: [...privileges],
  }));

function* computedFields(cache: SchemaCache): Iterable<unknown> {
  for (const [schema, relations] of cache.computedFields) {
    for (const [relation, fields] of relations) {
      for (const [name, list] of fields) for (const field of list) yield { schema, relation, name, ...field };
    }
  }
}

function* representations(cache: SchemaCache): Iterable<unknown> {
  for (const [source, targets] of cache.representations) {
    for (const [target, by] of targets) yield { source, target, function: by };
  }
}

function* mediaHandlers(cache: SchemaCache): Iterable<unknown> {
  for (const handler of cache.mediaHandlers.any.values()) yield { relation: null, ...handler };
  for (const [schema, relations] of cache.mediaHandlers.relation) {
    for (const [name, handlers] of relations) {
      for (const handler of handlers.values()) yield { relation: { schema, name }, ...handler };
    }
  }
}
