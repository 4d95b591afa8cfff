/** Reads JSON bodies of areas A and B: bounded in bytes, depth and values, checked against the document. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OperationId } from '../../generated/operations.js';
import { bodyChecks, type Check } from '../../generated/validators-bodies.js';
import { dbrError, type Problem } from '../errors/dbr-error.js';
import { foreignCharset } from '../base/bytes.js';
import { costOf } from '../base/json.js';
import { turnOfTheEventLoop } from '../base/turns.js';
import { readBody, type BodyBounds } from './read-body.js';

/** Longest JSON body, in bytes. */
const MAX_JSON_BODY = 1_048_576;
/** The same where messages are in the body as base64url, of which one may have 1 MiB. */
const MAX_MESSAGE_BODY = 2_097_152;
const WITH_MESSAGE: ReadonlySet<OperationId> = new Set(['createSigningSession', 'createSigningSessions']);
/** A longer body is read in several turns, because each step takes milliseconds for it. */
const LONG_BODY = 262_144;
/**
 * Most commas and opening brackets and braces of a body, so that no body holds the event loop for long. The largest
 * one that a schema accepts has about 12,000: 1,000 readers and 16 KiB of data.
 */
const MAX_MARKS = 20_000;

type ValidationError = NonNullable<Check['errors']>[number];

/**
 * Returns the body, checked if it is that of a generated operation; `undefined` if the body is absent and optional.
 * @throws DbrError UnsupportedMediaType (415), InvalidBody (400); what `readBody` throws
 */
export async function readJsonBody(
  request: IncomingMessage,
  response: ServerResponse,
  bounds: BodyBounds,
  { operation, required }: { readonly operation: OperationId | null; readonly required: boolean },
): Promise<unknown> {
  const limit = operation !== null && WITH_MESSAGE.has(operation) ? MAX_MESSAGE_BODY : MAX_JSON_BODY;
  const bytes = await readBody(request, response, { ...bounds, limit });
  if (bytes.length === 0) {
    if (required) throw invalidBody('a JSON body is required');
    return undefined;
  }
  refuseOtherTypes(request.headers['content-type']);
  const value = await parse(bytes);
  const check = operation === null ? undefined : bodyChecks[operation];
  if (check !== undefined && !check(value)) throw mismatch(problemsOf(check));
  return value;
}

/** A missing content type and types with the suffix `+json` (RFC 6839 §3.1) are treated as JSON. */
function refuseOtherTypes(header: string | undefined): void {
  if (header === undefined) return;
  const mediaType = (header.split(';')[0] ?? '').trim().toLowerCase();
  if (!/^application\/(json|[\w.-]+\+json)$/.test(mediaType) || foreignCharset(header) !== null)
    throw dbrError('UnsupportedMediaType', { mediaType: header });
}

async function parse(bytes: Buffer): Promise<unknown> {
  const isLong = bytes.length > LONG_BODY;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalidBody('the body is not UTF-8');
  }
  const cost = costOf(text, MAX_MARKS);
  if (cost !== null) throw invalidBody(`the body ${cost}`);
  if (isLong) await turnOfTheEventLoop();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidBody('the body is not JSON');
  }
  if (isLong) await turnOfTheEventLoop();
  return value;
}

/** Longer names are not repeated in errors, because they may be values. */
const MAX_NAME = 64;

function unknownMember(object: string, name: string): Problem {
  if (name.length > MAX_NAME)
    return { path: object, code: UNKNOWN_MEMBER, message: 'has a member that is not known' };
  const path = `${object}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return { path, code: UNKNOWN_MEMBER, message: 'is not a known member' };
}

/** Returns the problems of the body. If it has unknown or read-only members, the problems name only these. */
function problemsOf({ errors }: Check): readonly Problem[] {
  const problems = (errors ?? []).map(problemOf);
  const strangers = problems.filter(({ code }) => code === UNKNOWN_MEMBER || code === READ_ONLY);
  const listed = strangers.length === 0 ? problems : strangers;
  return [...new Map(listed.map((problem) => [JSON.stringify(problem), problem])).values()];
}

const UNKNOWN_MEMBER = 'unknown_member';
const READ_ONLY = 'read_only';

function problemOf({ instancePath, keyword, params, message }: ValidationError): Problem {
  const stranger: unknown = params['additionalProperty'] ?? params['unevaluatedProperty'];
  if (typeof stranger === 'string') return unknownMember(instancePath, stranger);
  // Members that only the service sets have the generated schema `false`.
  if (keyword === 'false schema') return { path: instancePath, code: READ_ONLY, message: 'is read-only' };
  return { path: instancePath, code: keyword, message: message ?? 'is not valid' };
}

function mismatch(problems: readonly Problem[]): Error {
  const [first] = problems;
  const named = first?.code === UNKNOWN_MEMBER || first?.code === READ_ONLY;
  return invalidBody(
    named ? `'${first.path}' ${first.message}` : 'the body does not match the schema',
    problems,
  );
}

function invalidBody(details: string, problems: readonly Problem[] = []): Error {
  return dbrError('InvalidBody', { details }, problems.length === 0 ? {} : { problems });
}
