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

/** A draft while parameters are being added to it. */
interface OpenDraft extends Draft {
  readonly filters: Filter[];
  readonly logic: LogicGroup[];
  order: readonly OrderTerm[];
  readonly having: LogicTree[];
  distinct: Distinct | null;
  range: RowRange | null;
  readonly embeds: readonly OpenEmbed[];
}

interface OpenEmbed extends DraftEmbed {
  readonly draft: OpenDraft;
}

/**
 * Groups the parameters of the query string by the embedded resource that they name; DBR108 if there is none.
 * The first of several orders, and of several `distinct`, is used.
 */
export function draftTree(request: ApiRequest, names: EmbedNames): Draft {
  const { query } = request;
  const root = openDraft(query.select.length === 0 ? EVERYTHING : query.select);
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
  return root;
}

/** An empty list at the root selects all columns. */
const EVERYTHING: readonly SelectItem[] = [{ kind: 'all' }];

const openDraft = (select: readonly SelectItem[]): OpenDraft => ({
  select,
  filters: [],
  logic: [],
  order: [],
  having: [],
  distinct: null,
  range: null,
  embeds: select.flatMap((item) =>
    item.kind === 'relation' || item.kind === 'spread'
      ? [{ item, key: keyOf(item), draft: openDraft(item.select) }]
      : [],
  ),
});

function each<T>(list: readonly At<T>[], place: (path: EmbedPath, item: T) => void): void {
  for (const { path, item } of list) place(path, item);
}

function findDraft(root: OpenDraft, path: EmbedPath, names: EmbedNames): OpenDraft {
  let draft = root;
  for (const step of path) {
    const next = findEmbed(draft.embeds, step, names);
    if (next === undefined) throw dbrError('NotEmbedded', { relation: step });
    draft = next.draft;
  }
  return draft;
}

function findEmbed(embeds: readonly OpenEmbed[], step: string, names: EmbedNames): OpenEmbed | undefined {
  const isKey = ({ key }: OpenEmbed): boolean => key === step;
  const isName = ({ item }: OpenEmbed): boolean => item.name === step;
  switch (names) {
    case 'first':
      return embeds.find((embed) => isName(embed) || isKey(embed));
    case 'key first':
      return embeds.find(isKey) ?? embeds.find(isName);
    case 'key':
      return embeds.find(isKey);
  }
}

const keyOf = (item: SelectRelation | SelectSpread): string =>
  (item.kind === 'relation' ? item.alias : null) ?? item.name;
