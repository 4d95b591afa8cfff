/** TypeScript types of the document: `generated/types.ts`, written by openapi-typescript. */
import openapiTS, { astToString } from 'openapi-typescript';
import type { JsonObject } from './json.js';
import { banner } from './text.js';

/**
 * The text of `generated/types.ts`: `paths`, `operations`, `components`, and one type of its own name for each schema.
 * Members with a default are never absent in a type: the service fills them in before a handler sees them.
 */
export async function typesModule(document: JsonObject): Promise<string> {
  const nodes = await openapiTS(JSON.stringify(document), {
    alphabetize: true,
    defaultNonNullable: true,
    immutable: true,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    silent: true,
  });
  return banner('openapi/') + astToString(nodes);
}
