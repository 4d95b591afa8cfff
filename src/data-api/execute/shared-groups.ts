/** Groups of reads that share a statement. */
import type { Caller, Parameter } from '../../postgres/batch.js';
import type { PreparedLookup } from '../prepare/prepared-plan.js';
import { bindParameters, lookupText } from './bind.js';
import { isKeyOfType } from './lookup-key.js';
import type { MainResult } from './main-result.js';
import type { Transaction } from './transaction.js';

/** A read that waits for the end of the turn, then perhaps for a connection. */
export interface SharedRead {
  readonly transaction: Transaction;
  readonly caller: Caller;
  readonly resolve: (result: MainResult) => void;
  readonly reject: (error: unknown) => void;
  /** Removes the listener on the caller's signal; null unless the read waits for a connection. */
  unwatch: (() => void) | null;
  /** Whether it has joined a group that waited already, whose time may end before its own. */
  hasJoined: boolean;
  /** Whether it waits a second time, because the time of the group that it had joined has ended. */
  isSecondWait: boolean;
}

/** Reads with the same statement, role, settings and parameters. */
export interface EqualReads {
  readonly kind: 'equal';
  /** A text that only equal reads have in common. */
  readonly key: string;
  readonly parameters: readonly Parameter[];
  readonly reads: SharedRead[];
}

/** Lookups with the same statement, role and settings. */
export interface LookupReads {
  readonly kind: 'lookups';
  readonly lookup: PreparedLookup;
  readonly reads: SharedRead[];
}

/** Reads that share a statement. `single`: a read that shares it with none. */
export type Group = EqualReads | LookupReads | { readonly kind: 'single'; readonly reads: SharedRead[] };

export interface Groups {
  /** All groups, in the order of their first reads. */
  readonly all: Group[];
  /** Those that further reads may join, by statement, settings and parameters. */
  readonly open: Map<string, Group>;
}

/** Most lookups of one statement. */
const MOST_LOOKUPS = 16;
/** Longer rows, in bytes, are not looked up together: the results of a statement are in memory together. */
const LONGEST_ROW = 16_384;
/** Longer parameters, in characters, are not compared. */
const LONGEST_PARAMETERS = 4096;

export const emptyGroups = (): Groups => ({ all: [], open: new Map() });

/** Adds a read to the group that it belongs to, or to one of its own. */
export function addRead(groups: Groups, read: SharedRead): void {
  const { transaction } = read;
  const lookup = lookupOf(transaction);
  if (lookup !== null) {
    const key = `${lookup.statement.id} ${settingsOf(transaction)}`;
    const group = groups.open.get(key) ?? addGroup(groups, key, { kind: 'lookups', lookup, reads: [] });
    if (group.reads.push(read) === MOST_LOOKUPS) groups.open.delete(key);
    return;
  }
  const { main } = transaction.prepared;
  const parameters = bindParameters(main.parameters, transaction.bindings);
  const text = textOf(parameters);
  if (text === null) return void groups.all.push({ kind: 'single', reads: [read] });
  const key = `${main.statement.id} ${settingsOf(transaction)}${text}`;
  const group = groups.open.get(key) ?? addGroup(groups, key, { kind: 'equal', key, parameters, reads: [] });
  group.reads.push(read);
}

/** Returns the statement of several lookups, if the read is one that cannot fail for its keys, and its row is short. */
function lookupOf({ prepared, pace, bindings }: Transaction): PreparedLookup | null {
  const lookup = prepared.sharing?.lookup ?? null;
  if (lookup === null || typeof pace === 'string' || pace.resultBytes > LONGEST_ROW) return null;
  return lookup.keys.every((key) => isKeyOfType(lookupText(key, bindings), key.type)) ? lookup : null;
}

function addGroup(groups: Groups, key: string, group: Group): Group {
  groups.all.push(group);
  groups.open.set(key, group);
  return group;
}

/** Settings beside those of the role: the time zone of a request, `app.settings.*`. */
const settingsOf = ({ context: { moreSettings } }: Transaction): string =>
  moreSettings.length === 0 ? '' : JSON.stringify(moreSettings);

/** Returns a text that only equal parameters have; null for long parameters. No parameter contains a NUL. */
function textOf(parameters: readonly Parameter[]): string | null {
  let text = '';
  for (const parameter of parameters) {
    if (parameter !== null && typeof parameter !== 'string') return null;
    text += parameter === null ? '\0-' : `\0+${parameter}`;
    if (text.length > LONGEST_PARAMETERS) return null;
  }
  return text;
}

/** Divides a group by client. */
export function dividedByClient<Kind extends Group>(group: Kind): readonly Kind[] {
  const byClient = new Map<string, SharedRead[]>();
  for (const read of group.reads) {
    const own = byClient.get(read.caller.client);
    if (own === undefined) byClient.set(read.caller.client, [read]);
    else own.push(read);
  }
  return [...byClient.values()].map((reads) => ({ ...group, reads }));
}
