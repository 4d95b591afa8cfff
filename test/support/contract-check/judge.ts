/** Compares an answer with the document. */
import { jsonIn } from '../../../src/base/json.js';
import {
  essenceOf,
  listOf,
  objectOf,
  responseFor,
  textOf,
  type DocumentedResponse,
  type Place,
} from './document.js';
import type { GeneratedRequest } from './requests.js';
import type { Schemas } from './schemas.js';
import type { Answer } from './send.js';

export const CHECKS = {
  'server-error': 'The answer is no server error.',
  'undocumented-status': 'The status is documented.',
  'undocumented-media-type': 'The media type of the body is documented.',
  'wrong-header': 'Headers have their schemas, and required ones are there.',
  'wrong-body': 'The body has its schema.',
  'valid-refused': 'Valid data is accepted.',
  'invalid-accepted': 'Invalid data is refused.',
  'missing-header-accepted': 'A request without a required header is refused.',
  'unsupported-method': 'A method that is not documented gets 405 with Allow.',
  'authentication-ignored':
    'Without a valid token, a protected operation gives 401 with WWW-Authenticate, or 403.',
  'created-missing': 'What was created is there.',
  'deleted-present': 'What was deleted is gone.',
} as const;

export type Check = keyof typeof CHECKS;

/** The outcome of one check: null if the answer passed, else what is wrong. */
export interface Outcome {
  readonly check: Check;
  readonly fault: string | null;
}

interface JudgeOptions {
  readonly schemas: Schemas;
  /** Beginnings of codes of errors by rules that no schema states. */
  readonly refusals: readonly string[];
}

/** Statuses that say that a request is malformed. */
const MALFORMED = new Set([400, 405, 406, 413, 415, 416, 422]);

export function judge(request: GeneratedRequest, answer: Answer, options: JudgeOptions): readonly Outcome[] {
  const { status } = answer;
  const documented = responseFor(request.operation, status);
  // 503 with Retry-After and its entry in the document is back pressure, and no fault.
  const isBusy =
    status === 503 && request.operation.responses.has('503') && answer.headers['retry-after'] !== undefined;
  const isNotImplemented = status === 501 && request.expected === 'method-refused';
  const isServerError = status >= 500 && !isBusy && !isNotImplemented && !isByOtherRules(answer, options);
  const failed: Outcome = {
    check: 'server-error',
    fault: isServerError ? `the status is ${String(status)}` : null,
  };
  if (isServerError || isBusy || status === 429)
    return [failed, ...(documented === undefined ? [undocumented(status)] : [])];
  if (request.expected === 'method-refused')
    return status >= 500 ? [failed] : [failed, methodOutcome(request, answer)];
  return [
    failed,
    documented === undefined ? undocumented(status) : { check: 'undocumented-status', fault: null },
    ...(documented === undefined ? [] : describedOutcomes(request, answer, documented, options.schemas)),
    ...expectedOutcomes(request, answer, options),
  ];
}

const undocumented = (status: number): Outcome => ({
  check: 'undocumented-status',
  fault: `the status ${String(status)} is not documented`,
});

/** Methods that a service may have for other callers. */
const STANDARD = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

function methodOutcome({ method, operation }: GeneratedRequest, { status, headers }: Answer): Outcome {
  const check = 'unsupported-method';
  // The caller may have no right to know which methods there are, and the service may read the request before.
  const isOfOthers = STANDARD.has(method) && status >= 400 && status < 500;
  if (status === 404 || (status !== 405 && isOfOthers)) return { check, fault: null };
  if (status !== 405 && status !== 501) return { check, fault: `${method} gives ${String(status)}` };
  const allowed = (headers['allow'] ?? '').split(',').map((name) => name.trim());
  const missing = operation.methods.filter((each) => !allowed.includes(each));
  if (status === 405 && missing.length > 0)
    return { check, fault: `Allow (${headers['allow'] ?? 'absent'}) does not name ${missing.join(', ')}` };
  return { check, fault: null };
}

function describedOutcomes(
  { method }: GeneratedRequest,
  answer: Answer,
  documented: DocumentedResponse,
  schemas: Schemas,
): readonly Outcome[] {
  const headerFaults = documented.headers.map(({ name, required, schema }) => {
    const value = answer.headers[name];
    if (value === undefined) return required ? `the header ${name} is absent` : null;
    const fault = schemas.faultOfText(schema, value);
    return fault === null ? null : `the header ${name}: ${fault}`;
  });
  const headers: readonly Outcome[] =
    documented.headers.length === 0
      ? []
      : [{ check: 'wrong-header', fault: headerFaults.find((fault) => fault !== null) ?? null }];
  if (method === 'HEAD' || answer.body?.length === 0) return headers;
  const mediaType = essenceOf(answer.headers['content-type'] ?? '');
  const schema = schemaFor(documented, mediaType);
  if (schema === undefined) {
    const types = [...documented.content.keys()].join(', ') || 'no body';
    return [
      ...headers,
      {
        check: 'undocumented-media-type',
        fault: `the body is ${mediaType || 'without a media type'}, documented: ${types}`,
      },
    ];
  }
  return [
    ...headers,
    { check: 'undocumented-media-type', fault: null },
    ...bodyOutcome(answer.body, mediaType, schema, schemas),
  ];
}

/** The schema of a media type or of a range that contains it; null for one without a schema. */
function schemaFor({ content }: DocumentedResponse, mediaType: string): Place | null | undefined {
  const [type = ''] = mediaType.split('/');
  return (
    content.get(mediaType) ??
    content.get(`${type}/*`) ??
    content.get('*/*') ??
    (content.has(mediaType) ? null : undefined)
  );
}

function bodyOutcome(
  body: Buffer | null,
  mediaType: string,
  schema: Place | null,
  schemas: Schemas,
): readonly Outcome[] {
  if (body === null || schema === null || !/^application\/([\w.-]+\+)?json$/.test(mediaType)) return [];
  const value = jsonOf(body);
  if (value === undefined) return [{ check: 'wrong-body', fault: 'the body is not JSON' }];
  return [{ check: 'wrong-body', fault: schemas.fault(schema, value) }];
}

/** The JSON value of a body; undefined if it is none. */
export const jsonOf = (body: Buffer | null): unknown =>
  body === null ? undefined : jsonIn(body.toString('utf8'));

function expectedOutcomes(
  { expected, fault }: GeneratedRequest,
  answer: Answer,
  options: JudgeOptions,
): readonly Outcome[] {
  const { status, headers } = answer;
  const isRefused = status >= 400;
  switch (expected) {
    case 'documented':
    case 'method-refused':
      return [];
    case 'accepted': {
      if (isByOtherRules(answer, options)) return [];
      return [
        {
          check: 'valid-refused',
          fault: MALFORMED.has(status) ? `a valid request gives ${String(status)}` : null,
        },
      ];
    }
    case 'refused':
      return [
        {
          check: 'invalid-accepted',
          fault: isRefused ? null : `${fault}, and the status is ${String(status)}`,
        },
      ];
    case 'header-missed':
      return [
        {
          check: 'missing-header-accepted',
          fault: isRefused ? null : `${fault}, and the status is ${String(status)}`,
        },
      ];
    case 'unauthenticated': {
      // Where there is nothing, there is nothing to protect.
      const challenged =
        status === 403 || status === 404 || (status === 401 && headers['www-authenticate'] !== undefined);
      const found = status === 401 ? '401 without WWW-Authenticate' : String(status);
      return [
        {
          check: 'authentication-ignored',
          fault: challenged ? null : `with ${fault}, the answer is ${found}`,
        },
      ];
    }
  }
}

/** Whether the answer is an error by a rule that no schema states, such as a constraint of the database. */
function isByOtherRules({ status, body }: Answer, { refusals }: JudgeOptions): boolean {
  if (status < 400) return false;
  const value = objectOf(jsonOf(body));
  const codes = [value, ...listOf(value['errors'])].map((each) => textOf(objectOf(each)['code']));
  return codes.some((code) => refusals.some((beginning) => code.startsWith(beginning)));
}
