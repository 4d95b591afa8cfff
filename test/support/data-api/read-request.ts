/** Whole requests, read without a pause. */
import { runAtOnce } from '../../../src/base/turns.js';
import type { ApiRequest } from '../../../src/data-api/request/api-request.js';
import { payloadWork } from '../../../src/data-api/request/payload.js';
import {
  readHead,
  type RequestInput,
  type RequestOptions,
} from '../../../src/data-api/request/read-request.js';

/** @throws DbrError */
export function readRequest(
  { body, ...input }: RequestInput & { readonly body: Buffer },
  options: RequestOptions,
): ApiRequest {
  const head = readHead(input, options);
  return { ...head, payload: runAtOnce(payloadWork(head, body, options.maxKeys)) };
}
