/** Filters by column as parameters. Columns of one name and one description share a parameter in all relations. */
import type { Column, Table } from '../../schema-cache/types.js';
import { componentName, FILTER } from './component-names.js';
import { referenceTo, type Parameter, type Reference } from './openapi.js';
import { RESERVED } from './shared-components.js';

export interface FilterParameters {
  /** References to the filters of a relation, in the order of its columns. */
  of(table: Table): readonly Reference[];
  /** The parameters that were referred to, by the name of their component. */
  all(): Iterable<readonly [name: string, parameter: Parameter]>;
}

export function filterParameters(): FilterParameters {
  const parameters = new Map<string, Parameter>();
  const references = new Map<string, Reference>();

  function add(column: Column): Reference {
    const plain = `filter.${componentName(column.name)}`;
    let name = plain;
    for (let count = 2; parameters.has(name); count += 1) name = `${plain}_${String(count)}`;
    parameters.set(name, parameterOf(column));
    return referenceTo('parameters', name);
  }

  function referenceOf(column: Column): Reference {
    const key = `${column.name}\0${column.description ?? ''}`;
    const known = references.get(key);
    if (known !== undefined) return known;
    const reference = add(column);
    references.set(key, reference);
    return reference;
  }

  return {
    of: ({ columns }) => [...columns.values()].filter(({ name }) => !RESERVED.has(name)).map(referenceOf),
    all: () => parameters,
  };
}

const parameterOf = ({ name, description }: Column): Parameter => ({
  name,
  in: 'query',
  required: false,
  ...(description === null ? {} : { description }),
  schema: referenceTo('schemas', FILTER),
});
