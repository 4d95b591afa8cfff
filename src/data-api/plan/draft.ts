import { dbrError } from '../../errors/dbr-error.js';
import type {
  At,
  Distinct,
  EmbedPath,
  Filter,
  LogicGroup,
  LogicTree,
  OrderTerm,
  SelectItem,
  SelectRelation,
  SelectSpread,
} from '../grammar/ast.js';
import type { ApiRequest, RowRange } from '../request/api-request.js';
import type { EmbedNames } from './plan-context.js';

/** One resource of `select` with its filters, order and range, before names are resolved. */
export interface Draft {
  readonly select: readonly SelectItem[];
  readonly filters: readonly Filter[];
  readonly logic: readonly LogicGroup[];
  readonly order: readonly OrderTerm[];
  /** Conditions on the groups; empty for none. */
  readonly having: readonly LogicTree[];
  readonly distinct: Distinct | null;
  readonly range: RowRange | null;
  /** In the order of `select`. */
  readonly embeds: readonly DraftEmbed[];
}

export interface DraftEmbed {
  readonly item: SelectRelation | SelectSpread;
  /** Its key in the response: its alias, otherwise its name. */
  readonly key: string;
  readonly draft: Draft;
}

type RelationItem = SelectRelation | SelectSpread;

/** A draft while parameters are being added to it. */
interface OpenDraft {
  readonly item: RelationItem | null;
  readonly select: readonly SelectItem[];
  readonly filters: Filter[];
  readonly logic: LogicGroup[];
  order: readonly OrderTerm[];
  readonly having: LogicTree[];
  distinct: Distinct | null;
  range: RowRange | null;
  readonly embeds: OpenDraft[];
}

/**
 * Groups the parameters of the query string by the embedded resource that they name; DBR108 if there is none.
 * The first of several orders, and of several `distinct`, is used.
 */
export function draftTree(request: ApiRequest, names: EmbedNames): Draft {
  const { query } = request;
  const root = openDraft(null, query.select.length === 0 ? EVERYTHING : query.select);
  const find = (path: EmbedPath): OpenDraft => findDraft(root, path, names);
  each(query.filters, (path, filter) => find(path).filters.push(filter));
  each(query.order, (path, order) => {
    const draft = find(path);
    if (draft.order.length === 0) draft.order = order;
  });
  each(query.having, (path, terms) => find(path).having.push(...terms));
  each(query.distinct, (path, distinct) => {
    find(path).distinct ??= distinct;
  });
  each(query.ranges, (path, range) => {
    find(path).range = range;
  });
  each(query.logic, (path, group) => find(path).logic.push(group));
  root.range = request.range;
  return closed(root);
}

/** An empty list at the root selects all columns. */
const EVERYTHING: readonly SelectItem[] = [{ kind: 'all' }];

function openDraft(item: RelationItem | null, select: readonly SelectItem[]): OpenDraft {
  const relations = select.filter((child) => child.kind === 'relation' || child.kind === 'spread');
  return {
    item,
    select,
    filters: [],
    logic: [],
    order: [],
    having: [],
    distinct: null,
    range: null,
    embeds: relations.map((child) => openDraft(child, child.select)),
  };
}

function each<T>(list: readonly At<T>[], place: (path: EmbedPath, item: T) => void): void {
  for (const { path, item } of list) place(path, item);
}

function findDraft(root: OpenDraft, path: EmbedPath, names: EmbedNames): OpenDraft {
  let draft = root;
  for (const step of path) {
    const next = findEmbed(draft.embeds, step, names);
    if (next === undefined) throw dbrError('NotEmbedded', { relation: step });
    draft = next;
  }
  return draft;
}

function findEmbed(embeds: readonly OpenDraft[], step: string, names: EmbedNames): OpenDraft | undefined {
  const isKey = ({ item }: OpenDraft): boolean => item !== null && keyOf(item) === step;
  const isName = ({ item }: OpenDraft): boolean => item?.name === step;
  switch (names) {
    case 'first':
      return embeds.find((embed) => isName(embed) || isKey(embed));
    case 'key first':
      return embeds.find(isKey) ?? embeds.find(isName);
    case 'key':
      return embeds.find(isKey);
  }
}

const keyOf = (item: RelationItem): string => aliasOf(item) ?? item.name;

const aliasOf = (item: RelationItem): string | null => (item.kind === 'relation' ? item.alias : null);

function closed(draft: OpenDraft): Draft {
  return {
    select: draft.select,
    filters: draft.filters,
    logic: draft.logic,
    order: draft.order,
    having: draft.having,
    distinct: draft.distinct,
    range: draft.range,
    embeds: draft.embeds.flatMap((embed) =>
      embed.item === null ? [] : [{ item: embed.item, key: keyOf(embed.item), draft: closed(embed) }],
    ),
  };
}
