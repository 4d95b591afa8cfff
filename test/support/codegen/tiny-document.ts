/** Documents of one operation, for tests. */
import type { JsonObject } from '../../../codegen/json.js';

export const okay: JsonObject = { '200': { description: 'Fine.' } };

/** A document whose only operation is `POST /things/{id}`, with the given members beside what each operation has. */
export function documentOf(operation: JsonObject, schemas: JsonObject = {}): JsonObject {
  const common = { operationId: 'changeThing', tags: ['things'], summary: 'Change', responses: okay };
  return {
    openapi: '3.1.0',
    info: { title: 'Test', version: '1' },
    paths: { '/things/{id}': { post: { ...common, ...operation } } },
    components: { schemas },
  };
}

export const jsonBody = (schema: JsonObject, required = true): JsonObject => ({
  required,
  content: { 'application/json': { schema } },
});
