/** JSON text in pieces, for documents that are too large to be built as one value. */

/** A part of a document: a value, or members or items that are generated while the text is written. */
export type JsonPart =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'object'; readonly members: Iterable<readonly [name: string, part: JsonPart]> }
  | { readonly kind: 'array'; readonly items: Iterable<unknown> };

export const jsonValue = (value: unknown): JsonPart => ({ kind: 'value', value });

/** An object with these parts as members. */
export const jsonObject = (members: Iterable<readonly [name: string, part: JsonPart]>): JsonPart => ({
  kind: 'object',
  members,
});

/** An object with these values as members. */
export const jsonMembers = (members: Iterable<readonly [name: string, value: unknown]>): JsonPart =>
  jsonObject(parts(members));

export const jsonArray = (items: Iterable<unknown>): JsonPart => ({ kind: 'array', items });

function* parts(
  members: Iterable<readonly [name: string, value: unknown]>,
): Generator<readonly [name: string, part: JsonPart]> {
  for (const [name, value] of members) yield [name, jsonValue(value)];
}

/** Renders a part, one piece for each value. A repeated name of an object is omitted. */
export function* jsonText(part: JsonPart): Generator<string> {
  switch (part.kind) {
    case 'value':
      yield JSON.stringify(part.value);
      return;
    case 'array': {
      let separator = '[';
      for (const item of part.items) {
        yield separator + JSON.stringify(item);
        separator = ',';
      }
      yield separator === '[' ? '[]' : ']';
      return;
    }
    case 'object': {
      const written = new Set<string>();
      for (const [name, member] of part.members) {
        if (written.has(name)) continue;
        yield `${written.size === 0 ? '{' : ','}${JSON.stringify(name)}:`;
        written.add(name);
        yield* jsonText(member);
      }
      yield written.size === 0 ? '{}' : '}';
    }
  }
}
