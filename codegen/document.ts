/** The OpenAPI document: bundled from its files into one, with the enum of error codes filled in from the error table. */
import { bundle, createConfig } from '@redocly/openapi-core';
import { type ErrorTable, statusesOf } from './errors.js';
import { asObject, isObject } from './json.js';
import type { JsonObject, JsonValue } from './json.js';
import { withProblemExamples } from './problem-examples.js';

/**
 * Bundles the document at `file` and everything that it refers to; references become `#/components/…`.
 * A schema with `x-dbr-error-codes: true` gets the table's codes as its enum; problem details get examples.
 * Errors: a reference without a target, a file that does not parse.
 */
export async function bundleDocument(file: string, errors: ErrorTable): Promise<JsonObject> {
  const { bundle: bundled, problems } = await bundle({ ref: file, config: await createConfig({}) });
  if (problems.length > 0)
    throw new Error(problems.map((problem) => `${file}: ${problem.message}`).join('\n'));
  const filled = fillErrorCodes(plain(bundled.parsed, file), errors);
  return asObject(withProblemExamples(filled, errors), file);
}

/** Copies the value as JSON, without members that JSON cannot represent. */
function plain(value: unknown, place: string): JsonObject {
  const fresh: unknown = JSON.parse(JSON.stringify(value));
  return asObject(fresh, place);
}

function fillErrorCodes(value: JsonValue, errors: ErrorTable): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => fillErrorCodes(item, errors));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(
    ([name, member]) => [name, fillErrorCodes(member, errors)] as const,
  );
  const filled = Object.fromEntries(members.filter(([name]) => name !== 'x-dbr-error-codes'));
  if (value['x-dbr-error-codes'] !== true) return filled;
  return {
    ...filled,
    enum: errors.entries.map((entry) => entry.code),
    'x-enum-varnames': errors.entries.map((entry) => entry.name),
    'x-enum-descriptions': errors.entries.map(
      (entry) => `${statusesOf(entry).join(' or ')}: ${entry.meaning}`,
    ),
  };
}

/** Resolves a local reference (`#/…`, RFC 6901), also one to another reference. Errors: a reference without a target. */
export function resolve(document: JsonObject, value: JsonValue, place: string): JsonObject {
  let target = asObject(value, place);
  for (let reference = target['$ref']; reference !== undefined; reference = target['$ref']) {
    target = asObject(atPointer(document, reference), `${place} (${JSON.stringify(reference)})`);
  }
  return target;
}

function atPointer(document: JsonObject, reference: JsonValue): JsonValue | undefined {
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return undefined;
  const steps = reference
    .slice(2)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return steps.reduce<JsonValue | undefined>(
    (value, step) => (isObject(value) ? value[step] : undefined),
    document,
  );
}

/** Returns the name of the component schema that is referenced; null for an inline schema. */
export function schemaName(document: JsonObject, schema: JsonValue): string | null {
  const reference = isObject(schema) ? schema['$ref'] : undefined;
  const name =
    typeof reference === 'string'
      ? /^#\/components\/schemas\/([A-Za-z]\w*)$/.exec(reference)?.[1]
      : undefined;
  if (name === undefined) return null;
  resolve(document, schema, name);
  return name;
}
