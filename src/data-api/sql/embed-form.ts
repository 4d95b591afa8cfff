/** The form in which an embed is read: joined to its parent, or as a sub-select; and what each form filters. */
import type { Condition, FieldExpression, RowRange } from '../plan/expression.js';
import type { Embed, ReadNode } from '../plan/read-node.js';

/** @throws Error if the plan lacks the embed, which is a fault of the planner */
export function embedOf(node: ReadNode, alias: string): Embed {
  const embed = node.embeds.find((candidate) => candidate.alias === alias);
  if (embed === undefined) throw new Error(`plan without the embed ${alias}`);
  return embed;
}

/** Whether the embed is joined to its parent instead of being a sub-select. */
export function isJoined(embed: Embed, parent: ReadNode): boolean {
  if (embed.spread) return true;
  const shown = parent.select.some((item) => item.kind === 'embed' && item.embed === embed.alias);
  if (parent.grouped && shown) return true;
  if (embed.cardinality === 'many') return false;
  // An embed that may have several rows repeats its parent, even if it is not returned.
  if (!embed.unique) return true;
  return shown && (embed.join === 'inner' || parent.range.limit === null);
}

/** Returns conditions for inner embeds that are not joined, which omit parents without a row. */
export function innerConditions(node: ReadNode): readonly Condition[] {
  return requiredConditions(node).filter((condition) => !filtersByJoin(embedOf(node, condition.embed), node));
}

/**
 * Whether the join itself filters: an inner join of a to-one embed does; the lateral join of a to-many embed always
 * has one row.
 */
const filtersByJoin = (embed: Embed, node: ReadNode): boolean =>
  embed.cardinality === 'one' && isJoined(embed, node);

/** Returns a condition for each inner embed: it has a row. */
export function requiredConditions(node: ReadNode): readonly Extract<Condition, { kind: 'related' }>[] {
  return node.embeds
    .filter((embed) => embed.join === 'inner')
    .map((embed) => ({ kind: 'related', negated: false, embed: embed.alias }));
}

/** Returns the column of a joined embed that contains a field, or null. A grouped parent can only use such a column. */
export function joinedColumn(field: FieldExpression, embed: Embed, parent: ReadNode): string | null {
  const isKept = (name: string): boolean =>
    parent.select.some(
      (item) =>
        item.kind === 'field' &&
        item.aggregate === null &&
        item.expression.relation === embed.alias &&
        item.expression.column === name,
    );
  const found = embed.node.select.find(
    (item) =>
      item.kind === 'field' &&
      item.aggregate === null &&
      isSameField(item.expression, field) &&
      (parent.grouped ? isKept(item.name) : item.cast === null && item.representation === null),
  );
  return found?.kind === 'field' ? found.name : null;
}

const isSameField = (one: FieldExpression, other: FieldExpression): boolean =>
  one.column === other.column && JSON.stringify(one.path) === JSON.stringify(other.path);

/** Returns the part of a range that can exclude all rows: an offset, or a limit of zero. */
export function decisiveRange(range: RowRange): RowRange {
  return { offset: range.offset, limit: range.limit === 0n ? 0n : null };
}
