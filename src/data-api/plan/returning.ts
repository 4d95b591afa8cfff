import type { Embed, ReadNode, Returning, SelectItem } from './plan.js';
import { planAll } from './select.js';
import type { Scope } from './scope.js';

/** A read tree over the rows of a mutation, and what these rows must be returned with for it. */
export interface ReturnedTree {
  readonly root: ReadNode;
  readonly returning: Returning;
}

/**
 * No more is returned than is read, since returning a column takes the privilege to select it. Computed fields are worked
 * out while the rows still have their type; beside them `*` is told column by column, lest it show them too.
 */
export function returnedTree(root: ReadNode, scope: Scope, alsoNames: readonly string[]): ReturnedTree {
  const names = new Set([
    ...root.select.flatMap((item) =>
      item.kind === 'field' && item.expression.relation === root.alias ? [item.expression.column] : [],
    ),
    ...root.embeds.flatMap(linkColumns),
    ...alsoNames,
  ]);
  const all = root.select.some((item) => isAll(item, root));
  const computed = [...names].filter((name) => scope.table?.columns.has(name) !== true);
  if (!all) return { root, returning: { all, names: [...names] } };
  if (computed.length === 0) return { root, returning: { all, names: [] } };
  const select = root.select.flatMap((item) => (isAll(item, root) ? planAll(scope, true) : [item]));
  return { root: { ...root, select }, returning: { all, names: computed } };
}

const isAll = (item: SelectItem, root: ReadNode): boolean =>
  item.kind === 'all' && item.relation === root.alias;

/** The columns of the parent that an embed's rows are found by. */
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
