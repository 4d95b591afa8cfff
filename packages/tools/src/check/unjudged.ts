/** What a check does not judge, because nothing that it asks could show a fault. No I/O. */
import type { Catalogue, Policy, Table } from './catalogue.js';
import { ownersDecide, ownersOf, type OwnerRule } from './owners.js';
import { isTable, nameOf } from './probe.js';

/** @returns sentences that begin with the object */
export function unjudged({ tables, definers }: Catalogue, rules: readonly OwnerRule[]): readonly string[] {
  const exposed = tables.filter((table) => table.isExposed && isTable(table));
  const ruled = new Set(rules.map(({ table }) => table));
  return [
    ...exposed.flatMap((table) => [
      ...documents(table),
      ...(ruled.has(nameOf(table)) ? [] : conditions(table)),
      ...cascades(table, tables),
    ]),
    ...definers
      .filter(({ roles }) => roles.length > 0)
      .flatMap((definer) => {
        if (definer.isComputed)
          return [`${nameOf(definer)}: a computed column, which reads with the rights of its owner`];
        return definer.isBoolean
          ? [`${nameOf(definer)}: it answers true or false with the rights of its owner`]
          : [];
      }),
  ].sort();
}

const textOf = ({ using, check }: Policy): string => [using, check].filter((text) => text !== null).join(' ');

function documents(table: Table): readonly string[] {
  const isDocument = (name: string): boolean =>
    table.columns.some((column) => column.name === name && /^jsonb?$/.test(column.type));
  return table.policies.flatMap((policy) =>
    policy.columns
      .filter(
        (column) => isDocument(column) && new RegExp(`[("]${column}"? (?:->|#>|@>)`).test(textOf(policy)),
      )
      .map(
        (column) =>
          `${nameOf(table)}: the policy ${policy.name} finds the owner inside the document ${column}`,
      ),
  );
}

/** Policies that compare an owner, and ask for something else, too. */
function conditions(table: Table): readonly string[] {
  const isMeant = table.policies.some(({ command, using }) => command === 'r' && using === 'true');
  const isAsked = table.grants.some(
    ({ role, select }) => select.length > 0 && !ownersDecide(table, role, 'r'),
  );
  return table.hasRowSecurity && ownersOf(table).length > 0 && isAsked && !isMeant
    ? [
        `${nameOf(table)}: its policies ask for more than the owner, so which rows are of others is for --rules`,
      ]
    : [];
}

/** Actions of foreign keys run with the rights of the owner of their table. */
function cascades(parent: Table, tables: readonly Table[]): readonly string[] {
  const isDeleted = parent.grants.some((grant) => grant.delete);
  return (isDeleted ? tables : [])
    .filter((child) => child.oid !== parent.oid && child.hasRowSecurity)
    .filter(({ foreignKeys }) => foreignKeys.some(({ table, cascades: is }) => is && table === parent.oid))
    .map((child) => `${nameOf(parent)}: a delete deletes rows of ${nameOf(child)}, also those of others`);
}
