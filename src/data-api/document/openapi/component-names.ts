/** Names of components, which consist of ASCII letters, digits, `.`, `-` and `_` (OpenAPI 3.1, Components Object). */
import type { Table } from '../../schema-cache/types.js';

/**
 * Names of the components of a relation: schemas of its rows as read, inserted, updated, inserted with related rows,
 * inserted as related rows, updated with related rows and replaced with related rows, and the request body of one or many
 * rows. `row` also names its response.
 */
export interface RowNames {
  readonly row: string;
  readonly insert: string;
  readonly update: string;
  readonly graph: string;
  readonly related: string;
  readonly updateGraph: string;
  readonly putGraph: string;
  readonly body: string;
}

/** Names of schemas that do not belong to relations. */
export const ERROR = 'Error';
export const FILTER = 'Filter';
export const QUERY = 'Query';

export const BATCH_ITEM = 'BatchItem';
export const BATCH_REFERENCE = 'BatchReference';
export const BATCH_ANSWER = 'BatchAnswer';

/** The body of a DELETE. */
export const DELETION = 'Deletion';

/**
 * Returns the component names of tables. Other characters become their code point between underscores; a name that is
 * taken gets a number.
 */
export function rowNames(tables: readonly Table[]): ReadonlyMap<string, RowNames> {
  const taken = new Set<string>([...[ERROR, FILTER, QUERY], ...[BATCH_ITEM, BATCH_REFERENCE, BATCH_ANSWER]]);
  return new Map(
    tables.map(({ name }) => {
      const plain = componentName(name);
      let row = plain;
      const all = (): RowNames => ({
        row,
        insert: `${row}.insert`,
        update: `${row}.update`,
        graph: `${row}.graph`,
        related: `${row}.related`,
        updateGraph: `${row}.update.graph`,
        putGraph: `${row}.put.graph`,
        body: `${row}.body`,
      });
      const names = (): readonly string[] => Object.values<string>({ ...all() });
      for (let count = 2; names().some((each) => taken.has(each)); count += 1) row = `${plain}_${count}`;
      for (const each of names()) taken.add(each);
      return [name, all()];
    }),
  );
}

/** Replaces characters that component names cannot have. Two names may become the same. */
export const componentName = (name: string): string =>
  name.replaceAll(/[^\w.-]/gu, (character) => `_${(character.codePointAt(0) ?? 0).toString(16)}_`);

/**
 * Returns a function that makes operation identifiers, unique in one document: `get_films`, `post_rpc_search`. An
 * identifier that is taken gets a number.
 * @returns a function of the method and the name of the relation, or the name of the function after `rpc_`
 */
export function operationIds(): (method: string, name: string) => string {
  const taken = new Set<string>();
  return (method, name) => {
    const plain = `${method}_${componentName(name)}`;
    let id = plain;
    for (let count = 2; taken.has(id); count += 1) id = `${plain}_${String(count)}`;
    taken.add(id);
    return id;
  };
}
