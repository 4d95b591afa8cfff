/** A request of the data API as a call of `dbr-client/database`. */
import { exactNumber, isNumber } from '../fields/draft.js';
import { isObject, parseJson, textOf, type Json } from '../json.js';
import type { ApiRequest } from '../request.js';

/** What reads and writes have beside conditions. */
const OPTIONS: ReadonlySet<string> = new Set([
  'select',
  'order',
  'limit',
  'offset',
  'columns',
  'after',
  'or',
]);

const literal = (value: Json | undefined): string => {
  if (typeof value === 'string') return quotedText(value);
  return JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');
};
const quotedText = (text: string): string =>
  /[\n\r\u2028\u2029]/.test(text)
    ? JSON.stringify(text)
    : `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** Null for requests that are not of a relation or a function. */
export function databaseCallOf(request: ApiRequest): string | null {
  const { path, headers = {}, area, isOfConsole } = request;
  if (area === true || isOfConsole === true || path === '/') return null;
  const schema = headers['Accept-Profile'] ?? headers['Content-Profile'];
  const root = schema === undefined ? 'db' : `db.schema(${quotedText(schema)})`;
  const name = decodeURIComponent(path.slice(path.lastIndexOf('/') + 1));
  const start = path.startsWith('/rpc/')
    ? `${root}.call(${[quotedText(name), ...(request.body === undefined ? [] : [literal(request.body)])].join(', ')})`
    : `${root}.from(${quotedText(name)})`;
  const steps = path.startsWith('/rpc/') ? [] : stepsOf(request);
  const hasAfter = request.query?.some(([each]) => each === 'after') === true;
  return [
    ...(hasAfter ? ['// A later page: its conditions follow from the key of the last row before it.'] : []),
    `const ${resultOf(request)} = await ${start}${steps.map((step) => `\n  ${step}`).join('')};`,
  ].join('\n');
}

const resultOf = ({ headers = {} }: ApiRequest): string =>
  /count=/.test(headers['Prefer'] ?? '') ? '{ data, error, count }' : '{ data, error }';

function stepsOf(request: ApiRequest): readonly string[] {
  const { query = [], headers = {} } = request;
  const prefer = headers['Prefer'] ?? '';
  const counts = /count=(\w+)/.exec(prefer)?.[1];
  const tag = headers['If-Match'];
  return [
    verbOf(request, prefer),
    ...query.flatMap(([name, value]) => stepOf(request, name, String(value))),
    ...(counts === undefined ? [] : [`.count(${quotedText(counts)})`]),
    ...(tag === undefined ? [] : [`.ifMatch(${quotedText(tag)})`]),
    ...(headers['Accept']?.startsWith('text/csv') === true ? ['.csv()'] : []),
  ];
}

function verbOf({ method, query = [], body, file, headers = {} }: ApiRequest, prefer: string): string {
  const select = query.find(([name]) => name === 'select')?.[1];
  const resolution = /resolution=([\w-]+)/.exec(prefer)?.[1];
  const options = resolution === undefined ? '' : `, { resolution: ${quotedText(resolution)} }`;
  switch (method) {
    case 'GET':
    case 'HEAD':
      return select === undefined ? '.select()' : `.select(${quotedText(String(select))})`;
    case 'POST':
      if (file === undefined) return `.insert(${literal(body)}${options})`;
      return headers['Content-Type']?.startsWith('text/csv') === true
        ? '.insertCsv(text)'
        : `.insert(rows${options})`;
    case 'PUT':
      return `.replace(${literal(body)})`;
    case 'PATCH':
      return `.update(${literal(body)})`;
    case 'DELETE':
      return '.delete()';
  }
}

function stepOf(request: ApiRequest, name: string, value: string): readonly string[] {
  if (name === 'limit' || name === 'offset') return [`.${name}(${value})`];
  if (name === 'order') return splitOutside(value).map(orderOf);
  if (name === 'or') {
    const terms = splitOutside(value.slice(1, -1)).map((term) => {
      const [column, text] = termOf(term);
      return conditionOf(request, column, text, true);
    });
    return [`.or((where) => [\n    ${terms.join(',\n    ')},\n  ])`];
  }
  return OPTIONS.has(name) ? [] : [`.${conditionOf(request, unquoted(name), value, false)}`];
}

function orderOf(text: string): string {
  const [, name = '', rest = ''] = /^("(?:[^"\\]|\\.)*"|[^.]*)(.*)$/s.exec(text) ?? [];
  const words = rest.split('.').filter((word) => word !== '');
  return `.order(${[unquoted(name), ...words].map(quotedText).join(', ')})`;
}

/** Column, and operator with value, of a term of a group. */
function termOf(term: string): readonly [column: string, text: string] {
  const [, column = '', text = ''] = /^("(?:[^"\\]|\\.)*"|[^.]*)\.(.*)$/s.exec(term) ?? [];
  return [unquoted(column), text];
}

function conditionOf(request: ApiRequest, column: string, text: string, isInGroup: boolean): string {
  const [, not, operator = '', given = ''] = /^(not\.)?(\w+(?:\(\w+\))?)\.(.*)$/s.exec(text) ?? [];
  const value = isInGroup ? unquoted(given) : given;
  const word = not === undefined ? 'where' : isInGroup ? 'where.not' : 'not';
  return `${word}(${[quotedText(column), quotedText(operator), operandOf(request, column, operator, value)].join(', ')})`;
}

function operandOf({ columns = [] }: ApiRequest, column: string, operator: string, value: string): string {
  const baseType = columns.find(({ name }) => name === column)?.baseType ?? 'text';
  const one = (text: string): Json => (isNumber({ baseType }) ? exactNumber(text) : text);
  if (operator === 'is') return value;
  if (operator === 'in')
    return `[${splitOutside(value.slice(1, -1))
      .map((item) => literal(one(unquoted(item))))
      .join(', ')}]`;
  if (baseType.endsWith('[]') && value.startsWith('{'))
    return `[${splitOutside(value.slice(1, -1))
      .map((item) => literal(unquoted(item)))
      .join(', ')}]`;
  if (baseType === 'jsonb' && operator === 'cs') return documentOf(value);
  return literal(one(value));
}

function documentOf(text: string): string {
  try {
    const value = parseJson(text);
    return isObject(value) || Array.isArray(value) ? JSON.stringify(value) : quotedText(textOf(value));
  } catch {
    return quotedText(text);
  }
}

const unquoted = (text: string): string =>
  /^"(?:[^"\\]|\\.)*"$/s.test(text) ? text.slice(1, -1).replaceAll(/\\(.)/gs, '$1') : text;

/** Splits at commas that are neither within quotes nor within parentheses. */
function splitOutside(text: string): readonly string[] {
  const parts: string[] = [];
  let part = '';
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[\s\S]/g)) {
    if (token === ',' && depth === 0) {
      parts.push(part);
      part = '';
      continue;
    }
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    part += token;
  }
  return part === '' && parts.length === 0 ? [] : [...parts, part];
}
