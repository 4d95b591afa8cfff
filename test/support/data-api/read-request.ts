/** Whole requests, read without a pause. */
import { readHeaders, type ReceivedHeaders } from '../../../src/contract/request.js';
import { runAtOnce } from '../../../src/base/turns.js';
import type { ApiRequest } from '../../../src/data-api/request/api-request.js';
import { payloadWork } from '../../../src/data-api/request/payload.js';
import {
  readHead,
  type RequestInput,
  type RequestOptions,
} from '../../../src/data-api/request/read-request.js';

interface WholeRequest extends Omit<RequestInput, 'headers'> {
  readonly headers: ReceivedHeaders;
  readonly body: Buffer;
}

/** @throws DbrError */
export function readRequest({ body, ...input }: WholeRequest, options: RequestOptions): ApiRequest {
  const head = readHead({ ...input, headers: readHeaders(input.method, input.headers) }, options);
  return { ...head, payload: runAtOnce(payloadWork(head, body, options.maxKeys)) };
}
