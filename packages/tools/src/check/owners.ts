/** Which columns say to whom a row belongs: from the owner's rule file, and from the texts of policies. */
import type { Policy, Table } from './catalogue.js';

export interface Owner {
  readonly column: string;
  /** SQL of the caller's own value, which names no column; null where a rule names the claim. */
  readonly expression: string | null;
  /** Names of the claim and of the members inside it. */
  readonly claim: readonly string[];
}

/** A line of the rule file: a row belongs to the caller whose claim is the value of the column. */
export interface OwnerRule extends Owner {
  readonly table: string;
}

export class RuleFileError extends Error {
  override readonly name = 'RuleFileError';
}

/** Reads lines `SCHEMA.TABLE COLUMN = CLAIM.MEMBER`. `#` begins a comment. @throws RuleFileError */
export function readRules(name: string, content: string): readonly OwnerRule[] {
  return content.split(/\r?\n/).flatMap((line, index) => {
    if (/^\s*(#|$)/.test(line)) return [];
    const [, table, column, claim] = /^\s*(\S+\.\S+?),?\s+(\S+)\s*=\s*(\S+)\s*$/.exec(line) ?? [];
    if (table === undefined || column === undefined || claim === undefined)
      throw new RuleFileError(`${name}:${String(index + 1)}: a rule is \`SCHEMA.TABLE COLUMN = CLAIM\``);
    return [{ table, column, expression: null, claim: claim.split('.') }];
  });
}

interface Equality {
  readonly text: string;
  readonly left: string;
  readonly right: string;
}

const QUOTED = /^(?:'(?:[^']|'')*'|"(?:[^"]|"")*")/;

/** The operator `=`; that of an extension has a schema. */
const EQUALS = /^ (?:=|OPERATOR\((?:"(?:[^"]|"")*"|[\w$]+)\.=\)) /;

/** The comparisons `(a = b)` of a text of pg_get_expr, which encloses each operator in parentheses. */
export function equalitiesOf(text: string): readonly Equality[] {
  const open: { readonly start: number; left: number; right: number }[] = [];
  const found: Equality[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const quoted = QUOTED.exec(text.slice(at))?.[0];
    const group = open.at(-1);
    const equals = text[at] === ' ' ? EQUALS.exec(text.slice(at))?.[0] : undefined;
    if (quoted !== undefined) at += quoted.length - 1;
    else if (text[at] === '(') open.push({ start: at, left: -1, right: -1 });
    else if (group !== undefined && equals !== undefined) {
      // The first one is that of the group; another one is within an operand.
      if (group.left < 0) [group.left, group.right] = [at, at + equals.length];
      at += equals.length - 1;
    } else if (text[at] === ')' && group !== undefined) {
      open.pop();
      if (group.left < 0) continue;
      const left = text.slice(group.start + 1, group.left);
      const right = text.slice(group.right, at);
      found.push({ text: text.slice(group.start, at + 1), left, right });
    }
  }
  return found;
}

/** The column that an operand is, be it in parentheses or cast; null for any other. */
function columnOf(operand: string, columns: readonly string[]): string | null {
  const bare = operand.replaceAll(/::[\w ."]+(?:\(\d+\))?/g, '').replaceAll(/^\(+|\)+$/g, '');
  const name = /^"(.*)"$/.exec(bare)?.[1]?.replaceAll('""', '"') ?? bare;
  return columns.includes(name) ? name : null;
}

/** The claim that a text reads with `->>`, `#>>` or the older setting of one claim; null for none. */
export function claimOf(text: string): readonly string[] | null {
  const [, path] = /#>>\s*'\{([^}]+)\}'/.exec(text) ?? [];
  if (path !== undefined) return path.split(',');
  const [, above = '', last] = /((?:->\s*'[^']+'(?:::text)?\)*\s*)*)->>\s*'([^']+)'/.exec(text) ?? [];
  if (last !== undefined) return [...[...above.matchAll(/'([^']+)'/g)].map((match) => match[1] ?? ''), last];
  const [, old] = /request\.jwt\.claim\.(\w+)/.exec(text) ?? [];
  return old === undefined ? null : [old];
}

const calledIn = (text: string, { functions }: Policy): Policy['functions'] =>
  functions.filter(({ name }) => text.includes(`${name}(`));

const readsCaller = (text: string, policy: Policy): boolean =>
  text.includes('current_setting(') || calledIn(text, policy).length > 0;

/** The text with the sources of the functions that it calls. */
const withSources = (text: string, policy: Policy): string =>
  [text, ...calledIn(text, policy).map(({ source }) => source)].join('\n');

const ownersIn = (text: string, policy: Policy): readonly (Owner & { readonly text: string })[] =>
  equalitiesOf(text).flatMap(({ left, right, text: whole }) => {
    const leftColumn = columnOf(left, policy.columns);
    const column = leftColumn ?? columnOf(right, policy.columns);
    const expression = leftColumn === null ? left : right;
    if (column === null || !readsCaller(expression, policy)) return [];
    return [{ column, expression, claim: claimOf(withSources(expression, policy)) ?? ['sub'], text: whole }];
  });

const textsOf = ({ using, check }: Policy): readonly string[] =>
  [using, check].filter((text) => text !== null);

/** The owner columns that the policies of a table compare with the caller, each once. */
export function ownersOf({ policies }: Table): readonly Owner[] {
  const all = policies.flatMap((policy) => textsOf(policy).flatMap((text) => ownersIn(text, policy)));
  return all
    .filter(({ column }, index) => all.findIndex((each) => each.column === column) === index)
    .map(({ column, expression, claim }) => ({ column, expression, claim }));
}

export const appliesTo = (policy: Policy, role: string, command: Policy['command']): boolean =>
  (policy.command === '*' || policy.command === command) &&
  (policy.roles.length === 0 || policy.roles.includes(role));

/** What a policy says beside comparing owner columns with the caller. */
const beyondOwners = (policy: Policy): string =>
  ownersIn(policy.using ?? '', policy).reduce(
    (rest, { text }) => rest.replaceAll(text, ''),
    policy.using ?? '',
  );

/** Whether a policy asks a function, other than for the owner: what the function answers may depend on anything. */
export const asksFunction = (policy: Policy): boolean => calledIn(beyondOwners(policy), policy).length > 0;

/**
 * Whether the owner columns alone decide for a command: no policy asks for anything else (another column, another table, a
 * constant, another claim), and none for this command shows all rows on purpose.
 */
export function ownersDecide(table: Table, role: string, command: 'r' | 'w' | 'd'): boolean {
  const owners = ownersOf(table).map(({ column }) => column);
  return table.policies.every((policy) => {
    if (policy.using === null || !appliesTo(policy, role, command)) return true;
    if (command === 'r' && policy.command === 'r' && policy.using === 'true') return false;
    if (policy.readsOtherTables || policy.columns.some((column) => !owners.includes(column))) return false;
    const rest = beyondOwners(policy);
    return !readsCaller(rest, policy) && !rest.includes("'");
  });
}

interface ClaimConstant {
  readonly claim: readonly string[];
  readonly value: string;
}

/** A claim compared with a constant, in a text of pg_get_expr or the source of a function. */
const CONSTANT = /->>\s*'[^']+'(?:::text)?\)*(?:::text)?\s*=\s*'([^']*)'/g;

/** Constants with which policies compare claims, such as `role_name` with `admin`: users that have them are generated. */
export function claimConstants(tables: readonly Table[]): readonly ClaimConstant[] {
  const found = new Map<string, ClaimConstant>();
  for (const policy of tables.flatMap(({ policies }) => policies))
    for (const text of textsOf(policy).map((each) => withSources(each, policy)))
      for (const match of text.matchAll(CONSTANT)) {
        const [compared, value = ''] = match;
        const before = text.slice(0, match.index + compared.lastIndexOf('='));
        const claim = claimOf(before.slice(before.lastIndexOf('current_setting')));
        if (claim !== null) found.set(JSON.stringify([claim, value]), { claim, value });
      }
  return [...found.values()];
}
