import type { Condition, OrderTerm, SelectItem, Tested } from './expression.js';
import type { Returning } from './mutation.js';
import type { Embed, ReadNode } from './read-node.js';
import type { Scope } from './scope.js';
import { planAll } from './select.js';

/** A read tree over the rows of a mutation, and the RETURNING list that it needs. */
export interface ReturnedTree {
  readonly root: ReadNode;
  readonly returning: Returning;
}

/**
 * Plans the RETURNING list. Only columns that are read are returned, because returning a column needs the privilege
 * to select it. Computed fields are evaluated in this list, where rows have their row type. With computed fields or a
 * position, `*` is expanded to columns, because it would include them.
 * @param position the column by which the rows are sorted; null for any order
 */
export function returnedTree(
  read: ReadNode,
  scope: Scope,
  alsoNames: readonly string[],
  position: string | null,
): ReturnedTree {
  const root = position === null ? read : { ...read, order: [byPosition(read.alias, position)] };
  const names = new Set([
    ...root.select.flatMap((item) => columnsOfItem(item, root.alias)),
    ...root.order.flatMap((term) =>
      term.embed === null && term.value?.kind !== 'selected' && position === null ? [term.field.column] : [],
    ),
    ...root.embeds.flatMap(linkColumns),
    ...alsoNames,
  ]);
  const all = root.select.some((item) => isAll(item, root));
  const computed = [...names].filter((name) => scope.table?.columns.has(name) !== true);
  if (!all) return { root, returning: { all, names: [...names], position } };
  if (computed.length === 0 && position === null) return { root, returning: { all, names: [], position } };
  const select = root.select.flatMap((item) => (isAll(item, root) ? planAll(scope, true) : [item]));
  return { root: { ...root, select }, returning: { all, names: computed, position } };
}

/** Returns the columns of the relation that an item of the select list reads. */
function columnsOfItem(item: SelectItem, relation: string): readonly string[] {
  switch (item.kind) {
    case 'all':
    case 'embed':
      return [];
    case 'count':
      return item.filter === null ? [] : columnsOfCondition(item.filter, relation);
    case 'field': {
      const filter = item.aggregate?.filter ?? null;
      return [
        ...columnsOfTested(item.expression, relation),
        ...(filter === null ? [] : columnsOfCondition(filter, relation)),
      ];
    }
  }
}

function columnsOfCondition(condition: Condition, relation: string): readonly string[] {
  switch (condition.kind) {
    case 'logic':
      return condition.terms.flatMap((term) => columnsOfCondition(term, relation));
    case 'related':
      return [];
    case 'comparison':
    case 'in':
    case 'is':
    case 'search':
      return columnsOfTested(condition.field, relation);
  }
}

function columnsOfTested(tested: Tested, relation: string): readonly string[] {
  if ('selected' in tested) return columnsOfItem(tested.selected, relation);
  return tested.relation === relation ? [tested.column] : [];
}

const byPosition = (relation: string, column: string): OrderTerm => ({
  field: { relation, column, path: [], viaJson: false },
  embed: null,
  direction: null,
  nulls: null,
});

const isAll = (item: SelectItem, root: ReadNode): boolean =>
  item.kind === 'all' && item.relation === root.alias;

/** Returns the columns of the parent that the link of an embed uses. */
function linkColumns({ link }: Embed): readonly string[] {
  switch (link.kind) {
    case 'columns':
      return link.pairs.map((pair) => pair.left);
    case 'junction':
      return link.parentPairs.map((pair) => pair.left);
    case 'computed':
      return link.columns;
  }
}
