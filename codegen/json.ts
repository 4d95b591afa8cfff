/** Values read from YAML or JSON, and accessors whose errors name the place of an invalid value. */

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [member: string]: JsonValue;
}

/** True for an object (not null, not an array). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as an object, or an error naming `place`. */
export function asObject(value: unknown, place: string): JsonObject {
  if (!isObject(value)) throw new Error(`${place}: expected an object`);
  return value;
}

/** The value as a list, or an error naming `place`. */
export function asList(value: unknown, place: string): readonly JsonValue[] {
  if (!isList(value)) throw new Error(`${place}: expected a list`);
  return value;
}

/** The value as a string, or an error naming `place`. */
export function asString(value: unknown, place: string): string {
  if (typeof value !== 'string') throw new Error(`${place}: expected a string`);
  return value;
}

/** The value as an integer, or an error naming `place`. */
export function asInteger(value: unknown, place: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value)) throw new Error(`${place}: expected an integer`);
  return value;
}

/** The member as an object; an absent member is the empty object. */
export function objectMember(parent: JsonObject, member: string, place: string): JsonObject {
  const value = parent[member];
  return value === undefined ? {} : asObject(value, `${place}/${member}`);
}

/** The member as a list; an absent member is the empty list. */
export function listMember(parent: JsonObject, member: string, place: string): readonly JsonValue[] {
  const value = parent[member];
  return value === undefined ? [] : asList(value, `${place}/${member}`);
}

/** Refuses members outside `known`: a misspelt member must not be read and ignored. */
export function refuseUnknownMembers(value: JsonObject, known: readonly string[], place: string): void {
  const unknown = Object.keys(value).filter((member) => !known.includes(member));
  if (unknown.length > 0) throw new Error(`${place}: unknown member ${unknown.join(', ')}`);
}

function isList(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}
