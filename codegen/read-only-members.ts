/** `x-dbr-resource` on a request schema: members of the resource that the request does not take are read-only. */
import { resolve } from './document.js';
import { asObject, asString, isObject, listMember, objectMember } from './json.js';
import type { JsonObject, JsonValue } from './json.js';

/**
 * The component schemas in the form that validators are compiled from: a read-only member has the schema `false`, so that
 * its refusal differs from that of an unknown member (keyword `false schema`).
 * Errors: `x-dbr-resource` that names no schema, or stands on a schema that takes unknown members.
 */
export function withReadOnlyMembers(document: JsonObject, schemas: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, closed(document, schema, name)]),
  );
}

function closed(document: JsonObject, value: JsonValue, name: string): JsonValue {
  if (!isObject(value) || value['x-dbr-resource'] === undefined) return value;
  const resource = asString(value['x-dbr-resource'], `${name}/x-dbr-resource`);
  if (value['additionalProperties'] !== false && value['unevaluatedProperties'] !== false)
    throw new Error(`${name}: a schema with x-dbr-resource refuses unknown members`);
  const shown = memberNames(document, { $ref: `#/components/schemas/${resource}` }, name);
  const taken = new Set(memberNames(document, value, name));
  const refused = shown.filter((member) => !taken.has(member)).map((member) => [member, false] as const);
  const properties = { ...objectMember(value, 'properties', name), ...Object.fromEntries(refused) };
  return { ...value, properties };
}

/** The members that a schema names, itself or in a part of its `allOf`. */
function memberNames(document: JsonObject, value: JsonValue, place: string): readonly string[] {
  const schema = resolve(document, value, place);
  const parts = listMember(schema, 'allOf', place);
  return [
    ...Object.keys(objectMember(schema, 'properties', place)),
    ...parts.flatMap((part) => memberNames(document, asObject(part, place), place)),
  ];
}
