/** Examples of errors as problem details (RFC 9457), made from those of the plain form. */
import { STATUS_CODES } from 'node:http';
import { statusesOf } from './errors.js';
import type { ErrorTable } from './errors.js';
import { isObject } from './json.js';
import type { JsonObject, JsonValue } from './json.js';

const PLAIN = 'application/json';
const PROBLEM = 'application/problem+json';

/** Adds an example as problem details wherever a `content` has the plain form alone. */
export function withProblemExamples(value: JsonValue, errors: ErrorTable): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => withProblemExamples(item, errors));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => {
    const inner = withProblemExamples(member, errors);
    return [
      name,
      name === 'content' && isObject(inner) ? contentWithProblems(inner, errors) : inner,
    ] as const;
  });
  return Object.fromEntries(members);
}

function contentWithProblems(content: JsonObject, errors: ErrorTable): JsonObject {
  const plain = content[PLAIN];
  const problem = content[PROBLEM];
  if (!isObject(plain) || !isObject(problem) || problem['examples'] !== undefined) return content;
  const examples = isObject(plain['examples']) ? Object.entries(plain['examples']) : [];
  const problems = examples.map(([name, example]) => [name, problemExample(example, errors)] as const);
  return { ...content, [PROBLEM]: { ...problem, examples: Object.fromEntries(problems) } };
}

function problemExample(example: JsonValue, errors: ErrorTable): JsonValue {
  const value = isObject(example) ? example['value'] : undefined;
  if (!isObject(example) || !isObject(value)) return example;
  const entry = errors.entries.find(({ code }) => code === value['code']);
  if (entry === undefined) throw new Error(`an example has no code of the table: ${JSON.stringify(value)}`);
  const [status = 500] = statusesOf(entry);
  const problem = {
    type: `urn:dbr:error:${entry.code}`,
    title: STATUS_CODES[status] ?? '',
    status,
    detail: value['message'] ?? null,
    instance: entry.code.startsWith('DBR5') ? '/api/v1/accounts' : '/api/v1/notifications/me',
  };
  return { ...example, value: { ...problem, ...value } };
}
