import type { SelectItem } from '../grammar/ast.js';
import type { ApiRequest } from '../request/api-request.js';
import { draftTree } from './draft.js';
import { findTable, unknownTable } from './find-table.js';
import { planDated } from './last-modified.js';
import { negotiate, withTableNames } from './media.js';
import type { Output } from './output.js';
import { createTreeContext, type PlanContext } from './plan-context.js';
import type { ReadPlan } from './plan.js';
import { planCount, requireKnownPreferences, requireStreamable } from './preferences.js';
import { planTree } from './read-tree.js';
import { planSeek } from './seek.js';

/** What becomes of the body of a read: GET sends it, HEAD does without it, a write compares its entity tag. */
type BodyUse = 'sent' | 'none' | 'compared';

/** Plans a read of a relation. Until release 13, PostgreSQL reports a relation that does not exist (42P01). */
export function planRead(request: ApiRequest, name: string, body: BodyUse, context: PlanContext): ReadPlan {
  const relation = { schema: request.schema, name };
  if (context.rules.looksUpRelations && findTable(context.cache, relation) === null)
    throw unknownTable(context, request.schema, name);
  const handling = body === 'compared' ? 'none' : (request.preferences.handling ?? 'lenient');
  const tree = createTreeContext(context, request.schema, handling);
  const rows = planTree(
    draftTree(request, context.rules.embedNames),
    {
      source: { kind: 'relation', name: relation },
      relation,
      alias: tree.aliases.claim(name),
      limited: true,
      names: 'relation',
    },
    tree,
  );
  const table = findTable(context.cache, relation);
  const root = planSeek(rows, request, table);
  const offer = {
    relation,
    wholeRows: selectsWholeRows(request.query.select),
    own: null,
    json: { kind: 'array', stripNulls: false },
    object: (stripNulls: boolean) => ({ kind: 'object', stripNulls }) as const,
    planEnabled: context.planEnabled,
    lines: { streamed: body === 'sent', streamsCsv: request.preferences.stream, values: false },
  } as const;
  const output = negotiate(request.accept, offer, context.cache);
  requireStreamable(request, output);
  requireKnownPreferences(request.preferences);
  return {
    kind: 'read',
    path: relationPath(context.pathPrefix, name),
    root,
    assumed: tree.assumptions.all(),
    cuts: tree.cuts,
    count: planCount(request.preferences, context.maxRows),
    dated: output.explain === null ? planDated(root, request, table, context) : null,
    output: body === 'none' ? withoutBody(output) : withTableNames(output, root, table),
  };
}

/** Returns the path of a relation for `Content-Location` and `Location`. */
export const relationPath = (prefix: string, name: string): string => `${prefix}/${encodeURIComponent(name)}`;

/** Returns the output of HEAD: the same headers without a body. */
export function withoutBody(output: Output): Output {
  return { ...output, form: { kind: 'none' } };
}

/** Whether `select` is `*` or absent: media handlers of a relation accept whole rows only. */
export function selectsWholeRows(select: readonly SelectItem[]): boolean {
  return select.length === 1 && select[0]?.kind === 'all';
}
