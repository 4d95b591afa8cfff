/** The real inputs of the generators, read once for the tests of this folder. */
import { join } from 'node:path';
import { resolve } from '../../../codegen/document.js';
import { asObject, asString, isObject, objectMember } from '../../../codegen/json.js';
import type { JsonObject, JsonValue } from '../../../codegen/json.js';
import { readInputs } from '../../../codegen/products.js';
import type { Inputs } from '../../../codegen/products.js';

export const root = join(import.meta.dirname, '../../..');

let inputs: Promise<Inputs> | null = null;
export function publishedContract(): Promise<Inputs> {
  return (inputs ??= readInputs({
    document: join(root, 'openapi/openapi.yaml'),
    errors: join(root, 'openapi/components/errors.yaml'),
    sqlStates: join(root, 'openapi/components/sqlstates.yaml'),
  }));
}

/** An operation as the document has it, with what the generators do not read. */
export interface WrittenOperation {
  readonly id: string;
  readonly written: JsonObject;
}

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'];

export function writtenOperations(document: JsonObject): readonly WrittenOperation[] {
  return Object.entries(objectMember(document, 'paths', 'document')).flatMap(([path, item]) => {
    const pathItem = asObject(item, path);
    return METHODS.flatMap((method) => {
      const written = pathItem[method];
      return isObject(written) ? [{ id: asString(written['operationId'], path), written }] : [];
    });
  });
}

/** The media types of a body or response with their examples: `[media type, examples]`. */
export function examplesOf(
  document: JsonObject,
  value: JsonValue,
  place: string,
): readonly (readonly [string, readonly JsonValue[]])[] {
  const contents = objectMember(resolve(document, value, place), 'content', place);
  return Object.entries(contents).map(([mediaType, content]) => {
    const examples = objectMember(asObject(content, mediaType), 'examples', mediaType);
    return [
      mediaType,
      Object.values(examples).map((example) => asObject(example, mediaType)['value'] ?? null),
    ];
  });
}
