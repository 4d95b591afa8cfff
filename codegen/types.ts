/** TypeScript types of the schemas of the document: `generated/types.ts`, written by openapi-typescript. */
import openapiTS, { astToString } from 'openapi-typescript';
import { isObject, type JsonObject } from './json.js';
import { banner } from './text.js';

/**
 * The text of `generated/types.ts`: one type of its own name for each schema. `operations.ts` has the types of requests and
 * responses.
 * Members with a default are never absent in a type: the service fills them in before a handler sees them.
 */
export async function typesModule(document: JsonObject): Promise<string> {
  const { openapi, info, components } = document;
  const schemas = isObject(components) ? components['schemas'] : undefined;
  const nodes = await openapiTS(JSON.stringify({ openapi, info, paths: {}, components: { schemas } }), {
    alphabetize: true,
    defaultNonNullable: true,
    immutable: true,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    silent: true,
  });
  return banner('openapi/') + astToString(nodes);
}
