/** JSON bodies of areas A and B: bounded, checked against the document, every refusal in the contract's words. */
import type { IncomingMessage } from 'node:http';
import type { OperationId } from '../../generated/operations.js';
import { bodyChecks, type Check } from '../../generated/validators-bodies.js';
import { dbrError, type Problem } from '../errors/dbr-error.js';
import { readBody } from './read-body.js';

/** In bytes. */
export const MAX_JSON_BODY = 1_048_576;
const MAX_DEPTH = 32;

/**
 * The body as the operation's handler may rely on it; `undefined` where there is none and none is needed.
 * @throws DbrError PayloadTooLarge (413), UnsupportedMediaType (415), InvalidBody (400)
 */
export async function readJsonBody(
  request: IncomingMessage,
  operation: OperationId,
  required: boolean,
): Promise<unknown> {
  const bytes = await readBody(request, MAX_JSON_BODY);
  if (bytes.length === 0) {
    if (required) throw invalidBody('a JSON body is required');
    return undefined;
  }
  refuseOtherTypes(request.headers['content-type']);
  const value = parse(bytes);
  const check = bodyChecks[operation];
  if (check !== undefined && !check(value))
    throw invalidBody('the body does not match the schema', problemsOf(check));
  return value;
}

/** A missing type counts as JSON; a `+json` suffix too (RFC 6839 §3.1). */
function refuseOtherTypes(header: string | undefined): void {
  if (header === undefined) return;
  const mediaType = (header.split(';')[0] ?? '').trim().toLowerCase();
  if (!/^application\/(json|[\w.-]+\+json)$/.test(mediaType))
    throw dbrError('UnsupportedMediaType', { mediaType: header });
}

function parse(bytes: Buffer): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalidBody('the body is not UTF-8');
  }
  if (depthOf(text) > MAX_DEPTH) throw invalidBody(`the body is nested deeper than ${MAX_DEPTH} levels`);
  try {
    return JSON.parse(text);
  } catch {
    throw invalidBody('the body is not JSON');
  }
}

/** How deep the text nests, before anything is built from it. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[{]|[\]}]/gs)) {
    if (token === '[' || token === '{') deepest = Math.max(deepest, ++depth);
    else if (token === ']' || token === '}') depth--;
  }
  return deepest;
}

const problemsOf = ({ errors }: Check): readonly Problem[] =>
  (errors ?? []).map(({ instancePath, keyword, message }) => ({
    path: instancePath,
    code: keyword,
    message: message ?? 'is not valid',
  }));

function invalidBody(details: string, problems: readonly Problem[] = []): Error {
  return dbrError('InvalidBody', { details }, problems.length === 0 ? {} : { problems });
}
