/** The batch of requests in one transaction, which the root accepts. */
import { BATCH_ANSWER, BATCH_ITEM, BATCH_REFERENCE, ERROR } from './component-names.js';
import { type PathItem, referenceTo, type Schema, type Tag } from './openapi.js';
import { type ProfileParameters, shared } from './shared-components.js';

const BATCH = 'application/vnd.dbr.batch+json';

const text = (description: string): Schema => ({ type: 'string', description });

export const BATCH_SCHEMAS: Readonly<Record<string, Schema>> = {
  [BATCH_ITEM]: {
    description: 'A request of a batch. Items run in their order, and each sees what those before it did.',
    type: 'object',
    required: ['method', 'path'],
    properties: {
      id: text('By which later items refer to the answer.'),
      method: { type: 'string', enum: ['GET', 'HEAD', 'QUERY', 'POST', 'PATCH', 'PUT', 'DELETE'] },
      path: text(
        'A path of this document with its query. `{id/pointer}` in a value is a value of an earlier answer.',
      ),
      headers: {
        description: 'For example `Prefer`, `Accept` and `If-Match`.',
        type: 'object',
        additionalProperties: { type: 'string' },
      },
      body: {
        description: `The body of the operation. At any depth, a ${BATCH_REFERENCE} stands for a value of an earlier answer.`,
        anyOf: [
          referenceTo('schemas', BATCH_REFERENCE),
          { type: 'object' },
          { type: 'array', items: {} },
          { type: ['string', 'number', 'boolean', 'null'] },
        ],
      },
      references: {
        description:
          'The ids of the items to which this one refers. What names no other is data. Without it, every `$from` and every `{id}` is a reference.',
        type: 'array',
        items: { type: 'string' },
      },
    },
  },
  [BATCH_REFERENCE]: {
    description: 'A value of an earlier answer, in the body of an item.',
    type: 'object',
    required: ['$from', 'path'],
    properties: {
      $from: text('The id of the item.'),
      path: text('A JSON pointer (RFC 6901) into the body of its answer, for example `/0/id`.'),
    },
  },
  [BATCH_ANSWER]: {
    description: 'The answer to an item.',
    type: 'object',
    required: ['status', 'headers', 'body'],
    properties: {
      id: text('As in the item.'),
      status: { type: 'integer', minimum: 200 },
      headers: {
        description: 'A header that is there more than once is an array.',
        type: 'object',
        additionalProperties: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
      },
      body: {
        description:
          'JSON as it is, other text as a string, bytes as an object with `base64`; null for none.',
      },
    },
  },
};

export const BATCH_TAG: Tag = { name: 'batches', description: 'Several requests in one transaction' };

/** @param most largest number of items @param operationId of the operation @param terse without a tag */
export function batchPath(
  most: number,
  operationId: string,
  profile: ProfileParameters,
  terse: boolean,
): PathItem {
  const error = referenceTo('responses', ERROR);
  return {
    post: {
      operationId,
      ...(terse ? {} : { tags: [BATCH_TAG.name] }),
      summary: 'Send several requests in one transaction',
      description:
        'If one item fails, none has an effect: the error has its `index` and `id`. `Prefer: isolation=serializable` sets the isolation, `retry=3` repeats the transaction after a serialisation failure or a deadlock.',
      parameters: [...shared('Prefer'), ...profile.writing],
      requestBody: {
        required: true,
        content: {
          [BATCH]: {
            schema: { type: 'array', maxItems: most, items: referenceTo('schemas', BATCH_ITEM) },
            example: [
              { id: 'a', method: 'POST', path: '/a', headers: { Prefer: 'return=representation' }, body: {} },
              { method: 'GET', path: '/b?a_id=eq.{a/0/id}' },
            ],
          },
        },
      },
      responses: {
        '200': {
          description: 'The answers, in the order of the items.',
          content: {
            'application/json': { schema: { type: 'array', items: referenceTo('schemas', BATCH_ANSWER) } },
          },
        },
        '4XX': error,
        default: error,
      },
    },
  };
}
