/** Database codes → HTTP status: `openapi/components/sqlstates.yaml` → `generated/sqlstates.ts`. */
import { asInteger, asObject, asString, isObject, objectMember, refuseUnknownMembers } from './json.js';
import type { JsonValue } from './json.js';
import { banner, quote } from './text.js';

/** The status of a database error; some depend on whether the caller has a token. */
export interface StatusPair {
  readonly authenticated: number;
  readonly anonymous: number;
}
export interface SqlStateRule {
  /** Five characters, or two and `*` for a whole class. */
  readonly pattern: string;
  readonly status: StatusPair;
  readonly meaning: string;
}
export interface SqlStateTable {
  readonly rules: readonly SqlStateRule[];
  /** The status of every code without a rule. */
  readonly otherwise: StatusPair;
}

/** Reads the parsed YAML of the table. Errors: a malformed pattern, an invalid status, an unknown member. */
export function readSqlStates(yaml: unknown, place = 'sqlstates.yaml'): SqlStateTable {
  const root = asObject(yaml, place);
  refuseUnknownMembers(root, ['codes', 'default', 'raised'], place);
  const rules = Object.entries(objectMember(root, 'codes', place)).map(([pattern, rule]) =>
    readRule(pattern, rule, place),
  );
  const fallback = asObject(root['default'], `${place}/default`);
  return { rules, otherwise: readStatus(fallback['status'] ?? null, `${place}/default/status`) };
}

function readRule(pattern: string, value: JsonValue, file: string): SqlStateRule {
  const place = `${file}: ${pattern}`;
  if (!/^(?:[0-9A-Z]{5}|[0-9A-Z]{2}\*)$/.test(pattern))
    throw new Error(`${place}: neither a code nor a class`);
  const rule = asObject(value, place);
  refuseUnknownMembers(rule, ['status', 'meaning'], place);
  return {
    pattern,
    status: readStatus(rule['status'] ?? null, `${place}/status`),
    meaning: asString(rule['meaning'], `${place}/meaning`),
  };
}

function readStatus(value: JsonValue, place: string): StatusPair {
  if (!isObject(value))
    return { authenticated: statusNumber(value, place), anonymous: statusNumber(value, place) };
  refuseUnknownMembers(value, ['authenticated', 'anonymous'], place);
  return {
    authenticated: statusNumber(value['authenticated'] ?? null, `${place}/authenticated`),
    anonymous: statusNumber(value['anonymous'] ?? null, `${place}/anonymous`),
  };
}

function statusNumber(value: JsonValue, place: string): number {
  const status = asInteger(value, place);
  if (status < 400 || status > 599)
    throw new Error(`${place}: ${String(status)} is not the status of an error`);
  return status;
}

/** The text of `generated/sqlstates.ts`. */
export function sqlStatesModule(table: SqlStateTable): string {
  return `${banner('openapi/components/sqlstates.yaml')}
interface Rule {
  /** Status for a caller with a verified token. */
  readonly authenticated: number;
  readonly anonymous: number;
  readonly meaning: string;
}

/** A rule by code, or by class as its first two characters. */
export const SQL_STATES: Readonly<Record<string, Rule>> = {
${table.rules.map(ruleText).join('\n')}
};

/**
 * The HTTP status of a database error by its five-character code: an exact code beats its class; any other is ${String(table.otherwise.authenticated)}.
 * \`PT<nnn>\`, which names its own status, is not here.
 */
export function statusOfSqlState(code: string, authenticated: boolean): number {
  const rule = ownRule(code) ?? ownRule(code.slice(0, 2));
  if (rule === undefined) return ${otherwiseText(table.otherwise)};
  return authenticated ? rule.authenticated : rule.anonymous;
}

function ownRule(code: string): Rule | undefined {
  return Object.hasOwn(SQL_STATES, code) ? SQL_STATES[code] : undefined;
}
`;
}

function ruleText({ pattern, status, meaning }: SqlStateRule): string {
  const { authenticated, anonymous } = status;
  return `  ${quote(pattern.replace('*', ''))}: { authenticated: ${String(authenticated)}, anonymous: ${String(anonymous)}, meaning: ${quote(meaning)} },`;
}

function otherwiseText({ authenticated, anonymous }: StatusPair): string {
  return authenticated === anonymous
    ? String(authenticated)
    : `authenticated ? ${String(authenticated)} : ${String(anonymous)}`;
}
