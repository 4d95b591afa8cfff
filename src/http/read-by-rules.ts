/** Reads parameters from path, query string and headers into typed values by rules, then checks them. */
import type { IncomingHttpHeaders } from 'node:http';
import type { ParameterRule } from '../../generated/parameters.js';
import type { Check } from '../../generated/validators-parameters.js';
import { dbrError } from '../errors/dbr-error.js';

type ParameterValue = string | number | boolean | readonly string[];

/** Values of one parameter that are read: no list may have as many. */
const MOST_VALUES = 21;
type Values = Readonly<Record<string, ParameterValue>>;

/** Values by name; names of headers in lower case. An absent parameter has its default, or no member. */
export interface RequestParameters {
  readonly path: Values;
  readonly query: Values;
  readonly headers: Values;
}

/** The parts of a request that contain parameters. */
export interface ParameterSources {
  /** The query string as sent, without the question mark. */
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  /** Decoded, as the router matched it. */
  readonly path: Readonly<Record<string, string | undefined>>;
}

/**
 * Reads the parameters that `rules` name, then checks them; other parameters are ignored.
 * Errors: `InvalidParameter` (400), whose details name the parameter.
 */
export function readByRules(
  rules: readonly ParameterRule[],
  check: Check | undefined,
  sources: ParameterSources,
): RequestParameters {
  const names = rules.filter((rule) => rule.in === 'query').map(({ name }) => name);
  const queried = textsOfQuery(sources.query, names);
  const parameters = {
    path: valuesOf(rules, 'path', ({ name }) => textsOf(sources.path[name])),
    query: valuesOf(rules, 'query', ({ name }) => queried.get(name) ?? []),
    headers: valuesOf(rules, 'header', ({ name }) => textsOf(sources.headers[name])),
  };
  if (check !== undefined && !check(parameters)) refuseByCheck(check);
  return parameters;
}

/**
 * Returns the first values of each parameter that `names` has. Only those are decoded: a query string may have thousands
 * of others, and text that is not UTF-8 is decoded slowly.
 * @param names in ASCII
 */
export function textsOfQuery(
  query: string,
  names: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const found = new Map(names.map((name): [string, string[]] => [name, []]));
  if (found.size === 0) return found;
  for (const pair of query.split('&')) {
    const [name = ''] = pair.split('=', 1);
    const texts = found.get(asciiDecoded(name));
    if (texts !== undefined && texts.length < MOST_VALUES) texts.push(...new URLSearchParams(pair).values());
  }
  return found;
}

const asciiDecoded = (text: string): string =>
  text.includes('%')
    ? text.replaceAll(/%([0-7][0-9a-f])/gi, (_escape, digits: string) =>
        String.fromCharCode(Number.parseInt(digits, 16)),
      )
    : text;

function valuesOf(
  rules: readonly ParameterRule[],
  place: ParameterRule['in'],
  textsByRule: (rule: ParameterRule) => readonly string[],
): Values {
  const values: Record<string, ParameterValue> = {};
  for (const rule of rules) {
    if (rule.in !== place) continue;
    const value = valueOf(rule, textsByRule(rule));
    if (value !== null) values[rule.name] = value;
  }
  return values;
}

function valueOf(rule: ParameterRule, texts: readonly string[]): ParameterValue | null {
  const [text, ...more] = texts;
  if (more.length > 0 && rule.type !== 'strings') return refuse(rule.name, 'must be given once');
  if (text === undefined) return rule.required ? refuse(rule.name, 'is required') : rule.default;
  if (texts.includes('')) return refuse(rule.name, 'must not be empty');
  switch (rule.type) {
    case 'string':
      return text;
    case 'strings':
      return texts;
    case 'boolean':
      return booleanOf(rule, text);
    case 'integer':
      return integerOf(rule, text);
  }
}

function booleanOf(rule: ParameterRule, text: string): boolean {
  if (text !== 'true' && text !== 'false') return refuse(rule.name, 'must be true or false');
  return text === 'true';
}

/** Reads plain decimal digits. A number beyond its bounds, or beyond exact integers, is reduced to them. */
function integerOf(rule: ParameterRule, text: string): number {
  if (!/^-?[0-9]+$/.test(text)) return refuse(rule.name, 'must be an integer in decimal digits');
  const ceiling = rule.clamp ?? Number.MAX_SAFE_INTEGER;
  // Adding zero turns -0 into 0.
  return Math.max(Math.min(Number(text), ceiling), Number.MIN_SAFE_INTEGER) + 0;
}

/** Node.js returns a list only for a header that may be repeated. */
function textsOf(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}

function refuseByCheck(check: Check): never {
  const [error] = check.errors ?? [];
  // Behind the place and the name stands the position in a list.
  const name = error?.instancePath.split('/')[2] ?? '';
  const allowed: unknown = error?.params['allowedValues'];
  const problem = Array.isArray(allowed)
    ? `must be one of ${allowed.join(', ')}`
    : (error?.message ?? 'is not valid');
  return refuse(name, problem);
}

function refuse(parameter: string, problem: string): never {
  throw dbrError('InvalidParameter', { parameter, problem });
}
