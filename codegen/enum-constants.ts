/**
 * Constants for the values of enums whose `x-enum-varnames` carry the name of their schema, such as `ShareTypeDelegate`: in the
 * generated client, and in the protobuf module for the enum of the same name.
 */
import { asString, isObject, listMember, objectMember } from './json.js';
import type { JsonObject } from './json.js';
import { banner, docComment, quote } from './text.js';

export interface EnumConstants {
  /** The schema, and the protobuf enum of the same name. */
  readonly name: string;
  readonly constants: readonly { readonly name: string; readonly value: string }[];
}

/** Returns every enum of the document that has such names. */
export function readEnumConstants(document: JsonObject): readonly EnumConstants[] {
  const schemas = objectMember(objectMember(document, 'components', 'document'), 'schemas', 'components');
  return Object.entries(schemas).flatMap(([name, schema]) => {
    if (!isObject(schema)) return [];
    const names = listMember(schema, 'x-enum-varnames', name).map((one) => asString(one, name));
    const values = listMember(schema, 'enum', name).map((one) => asString(one, name));
    if (names.length === 0 || !names.every((one) => one.startsWith(name))) return [];
    if (names.length !== values.length) throw new Error(`${name}: as many names as values are needed`);
    return [{ name, constants: names.map((one, index) => ({ name: one, value: values[index] ?? '' })) }];
  });
}

/** The text of `generated/client/constants.gen.ts`. */
export function clientConstants(enums: readonly EnumConstants[]): string {
  const types = enums.map(({ name }) => name);
  const imports = types.length === 0 ? '' : `import type { ${types.join(', ')} } from './types.gen.js';\n\n`;
  const constants = enums.flatMap(({ name: type, constants: all }) =>
    all.map(({ name, value }) => `export const ${name} = ${quote(value)} satisfies ${type};\n`),
  );
  return `${banner('openapi/')}${imports}${constants.join('')}`;
}

/** Renders additional exports of the protobuf module: the values of its enums under the names of the document. */
export function protobufConstants(enums: readonly EnumConstants[]): string {
  return enums
    .flatMap(({ name: type, constants: all }) =>
      all.map(
        ({ name, value }) =>
          `\n${docComment(`The value of ${type} for ${quote(value)} in the OpenAPI document.`)}export const ${name} = ${type}.${value.toUpperCase()};\n`,
      ),
    )
    .join('');
}
