/** Sends generated requests to a service until the bounds are reached, and collects disagreements with its document. */
import fc, { type Arbitrary } from 'fast-check';
import {
  responseFor,
  textOf,
  isObject,
  listOf,
  type Contract,
  type Link,
  type Operation,
  type Parameter,
} from './document.js';
import { jsonOf, judge, type Check, type Outcome } from './judge.js';
import { encode, requestsOf, type GeneratedRequest, type Kind } from './requests.js';
import { compileSchemas } from './schemas.js';
import { openSender, type Answer, type Outgoing } from './send.js';
import { openValues } from './values.js';

export interface RunOptions {
  /** Most requests. */
  readonly requests: number;
  /** Most seconds. */
  readonly seconds: number;
  readonly seed: number;
  /** Sent as `Authorization: Bearer`; null for none. */
  readonly token: string | null;
  /** The run ends when this check has found a disagreement. */
  readonly until?: Check;
}

export interface Disagreement {
  readonly check: Check;
  readonly operation: string;
  readonly fault: string;
  readonly request: Outgoing & Pick<GeneratedRequest, 'credentials'>;
  readonly status: number | null;
  /** The beginning of the body. */
  readonly answer: string;
}

export interface RunResult {
  readonly requests: number;
  readonly seconds: number;
  /** Requests by class of status, such as `2xx`; `none` for those without an answer. */
  readonly statuses: Readonly<Record<string, number>>;
  /** How often each check was made. */
  readonly checks: ReadonlyMap<Check, number>;
  /** Operations of which no valid request had an answer of success. */
  readonly unsuccessful: readonly string[];
  readonly disagreements: readonly Disagreement[];
}

const KINDS: readonly Kind[] = ['valid', 'invalid', 'authentication', 'method'];
/** Requests of an operation in one turn, by kind. */
const TURN: Readonly<Record<Kind, number>> = { valid: 12, invalid: 12, authentication: 1, method: 1 };
/** Most requests that make one failing case smaller. */
const SHRINKS = 60;
/** Most requests that follow from one answer. */
const MOST_FOLLOWING = 4;
/** Most generators of requests that are kept. */
const MOST_GENERATORS = 2000;
/** Characters of an answer that are reported. */
const SHOWN = 400;

/** An error of the property, which makes fast-check look for a smaller case. */
class Found extends Error {
  readonly disagreements: readonly Disagreement[];
  constructor(disagreements: readonly Disagreement[]) {
    super('the answer disagrees with the document');
    this.disagreements = disagreements;
  }
}

/** The service is written to: it has a database of its own. */
export async function runContract(contract: Contract, options: RunOptions): Promise<RunResult> {
  const schemas = compileSchemas(contract.document, contract.notes);
  const known = openKnownValues();
  const sender = openSender(contract.origin);
  const startedAt = performance.now();
  const elapsed = (): number => (performance.now() - startedAt) / 1000;
  const statuses: Record<string, number> = {};
  const checks = new Map<Check, number>();
  const successful = new Set<string>();
  const found = new Map<string, Disagreement>();
  let [requests, creations] = [0, 0];
  const isFound = (): boolean => [...found.values()].some(({ check }) => check === options.until);
  const isDone = (): boolean => requests >= options.requests || elapsed() >= options.seconds || isFound();
  const { refusals, convertsValues } = contract.notes;
  const generation = {
    ...{ schemas, known: known.of, convertsValues },
    plainValues: openValues(contract.document, { isOdd: false }),
    oddValues: openValues(contract.document, { isOdd: true }),
  };
  const generators = new Map<string, Arbitrary<GeneratedRequest | null> | null>();
  // What creates things comes before what names them, so that the first round has identifiers.
  const operations = contract.operations.toSorted((a, b) => parameterCount(a) - parameterCount(b));

  try {
    for (let round = 0; !isDone(); round += 1) {
      const before = requests;
      for (const [index, operation] of operations.entries())
        for (const kind of KINDS)
          if (!isDone()) await turn(operation, kind, options.seed + round * 65_537 + index * 257);
      if (requests === before) break;
    }
  } finally {
    sender.close();
  }
  const unsuccessful = contract.operations.map(({ id }) => id).filter((id) => !successful.has(id));
  return { requests, seconds: elapsed(), statuses, checks, unsuccessful, disagreements: [...found.values()] };

  /** Some requests of one kind. The first that shows something new is made smaller. */
  async function turn(operation: Operation, kind: Kind, seed: number): Promise<void> {
    const arbitrary = generatorOf(operation, kind);
    if (arbitrary === null) return;
    let shrinks: number | null = null;
    const property = fc.asyncProperty(arbitrary, async (request) => {
      if (request === null || isDone() || (shrinks !== null && (shrinks += 1) > SHRINKS)) return;
      const disagreements = (await exchange(request)).filter((each) => !found.has(keyOf(each)));
      if (disagreements.length === 0) return;
      shrinks ??= 0;
      throw new Found(disagreements);
    });
    const { errorInstance } = await fc.check(property, { seed, numRuns: TURN[kind] });
    if (errorInstance instanceof Found)
      for (const each of errorInstance.disagreements) found.set(keyOf(each), each);
    else if (errorInstance instanceof Error) throw errorInstance;
  }

  /** A generator takes longer to be made than a turn, and memory: those of very many operations are not all kept. */
  function generatorOf(operation: Operation, kind: Kind): Arbitrary<GeneratedRequest | null> | null {
    const key = `${kind} ${operation.method} ${operation.path}`;
    const known = generators.get(key);
    if (known !== undefined) return known;
    const made = requestsOf(operation, kind, generation);
    if (generators.size < MOST_GENERATORS) generators.set(key, made);
    return made;
  }

  /** Sends the request and those that follow from its answer. */
  async function exchange(request: GeneratedRequest): Promise<readonly Disagreement[]> {
    const sent = await send(request);
    const wrong = judged(request, sent);
    if (!('status' in sent) || sent.status < 200 || sent.status > 299) return wrong;
    known.learn(request, jsonOf(sent.body));
    return [...wrong, ...(await follow(request, sent))];
  }

  /** The disagreements of an answer with the document. */
  function judged(
    request: GeneratedRequest,
    sent: Answer | { readonly failure: string },
  ): readonly Disagreement[] {
    if (!('status' in sent))
      return [disagreement(request, null, { check: 'server-error', fault: sent.failure })];
    if (request.fault === '' && sent.status >= 200 && sent.status < 300) successful.add(request.operation.id);
    return judge(request, sent, { schemas, refusals }).flatMap((outcome) => {
      count(outcome.check);
      return outcome.fault === null ? [] : [disagreement(request, sent, outcome)];
    });
  }

  /** What was created is there until it is deleted, and what was deleted is gone. */
  async function follow(request: GeneratedRequest, answer: Answer): Promise<readonly Disagreement[]> {
    const { method, target, operation } = request;
    if (isDone() || requests + MOST_FOLLOWING > options.requests) return [];
    if (method === 'DELETE') return isItem(operation) ? presence(request, target, 'deleted-present') : [];
    const created = answer.status === 201 ? createdTarget(request, answer) : null;
    if (created === null) return [];
    const missing = await presence(request, created, 'created-missing');
    const deletion = contract.operations.find(
      (each) => each.method === 'DELETE' && pathPattern(each).test(created.replace(/\?.*/s, '')),
    );
    creations += 1;
    // Half of what was created stays for the requests that follow.
    if (deletion === undefined || missing.length > 0 || creations % 2 === 0) return missing;
    const deleted = await send({ ...request, method: 'DELETE', target: created, body: null, headers: {} });
    // Rows by a query and items are gone; what an account has once, such as its configuration, may be in its first state.
    const isGone = created.includes('?') || isItem(deletion);
    return isGone && 'status' in deleted && deleted.status < 300
      ? presence(request, created, 'deleted-present')
      : [];
  }

  /** Reads the target, which must be there, or gone: an empty list is none. */
  async function presence(
    request: GeneratedRequest,
    target: string,
    check: 'created-missing' | 'deleted-present',
  ): Promise<readonly Disagreement[]> {
    const read = { ...request, method: 'GET', target, body: null, headers: {} };
    const got = await send(read);
    count(check);
    if (!('status' in got)) return [disagreement(read, null, { check, fault: got.failure })];
    const value = jsonOf(got.body);
    const isThere = got.status < 300 && !(Array.isArray(value) && value.length === 0);
    // Who may write need not be allowed to read.
    const isUnknown = [401, 403, 406, 429, 503].includes(got.status);
    if (isUnknown || isThere === (check === 'created-missing')) return [];
    const fault = `after ${request.method} ${request.target}, GET gives ${String(got.status)}`;
    return [disagreement(read, got, { check, fault })];
  }

  /** The path of what was created: by Location, or by a link to an operation that reads it. */
  function createdTarget(
    { operation, target }: GeneratedRequest,
    { headers, body, status }: Answer,
  ): string | null {
    const { location } = headers;
    if (location !== undefined) {
      const { origin, pathname, search } = new URL(location, contract.origin + target);
      return origin === contract.origin ? pathname + search : null;
    }
    for (const link of responseFor(operation, status)?.links ?? []) {
      const linked = contract.operations.find(
        ({ id, method }) => id === link.operationId && method === 'GET',
      );
      const followed = linked === undefined ? null : targetOf(linked, link, jsonOf(body));
      if (followed !== null) return followed;
    }
    return null;
  }

  async function send(request: GeneratedRequest): Promise<Answer | { readonly failure: string }> {
    requests += 1;
    try {
      const answer = await sender.send({ ...request, headers: headersOf(request) });
      const name = `${String(Math.floor(answer.status / 100))}xx`;
      statuses[name] = (statuses[name] ?? 0) + 1;
      return answer;
    } catch (error) {
      statuses['none'] = (statuses['none'] ?? 0) + 1;
      return { failure: `there is no answer: ${error instanceof Error ? error.message : String(error)}` };
    }
  }

  function headersOf({ headers, credentials }: GeneratedRequest): Readonly<Record<string, string>> {
    const given = options.token === null ? {} : { Authorization: `Bearer ${options.token}` };
    const authorization =
      credentials === 'given'
        ? given
        : credentials === 'wrong'
          ? { Authorization: 'Bearer wrong.token.here' }
          : {};
    return { Accept: '*/*', ...headers, ...authorization };
  }

  function count(check: Check): void {
    checks.set(check, (checks.get(check) ?? 0) + 1);
  }

  function disagreement(
    request: GeneratedRequest,
    answer: Answer | null,
    { check, fault }: Outcome,
  ): Disagreement {
    const { method, target, headers, body, credentials } = request;
    return {
      ...{ check, operation: request.operation.id, fault: fault ?? '' },
      request: { method, target, headers, body, credentials },
      status: answer?.status ?? null,
      answer: (answer?.body ?? Buffer.alloc(0)).toString('utf8').slice(0, SHOWN),
    };
  }
}

/** One disagreement is reported once for each operation, check and status. */
const keyOf = ({ check, operation, status }: Disagreement): string =>
  `${check} ${operation} ${String(status)}`;

/** The path of a linked operation; null if the body does not have each value of the link. */
function targetOf({ path }: Operation, link: Link, body: unknown): string | null {
  let linked = path;
  for (const [name, expression] of Object.entries(link.parameters)) {
    const value = bodyMember(body, textOf(expression));
    if (value === undefined) return null;
    linked = linked.replace(`{${name}}`, () => encode(value));
  }
  return linked.includes('{') ? null : linked;
}

/** The text of `$response.body#/a/b`; undefined for other expressions and values, and for numbers that may be rounded. */
function bodyMember(body: unknown, expression: string): string | undefined {
  const [, pointer = ''] = /^\$response\.body#\/(.+)$/.exec(expression) ?? [];
  const value = pointer
    .split('/')
    .reduce<unknown>(
      (within, name) => (isObject(within) && Object.hasOwn(within, name) ? within[name] : undefined),
      body,
    );
  const isText = typeof value === 'string' || typeof value === 'boolean';
  return isText || (typeof value === 'number' && isExact(value)) ? String(value) : undefined;
}

/** Numbers of up to 15 digits are those of the text. */
const isExact = (value: number): boolean => /^-?(\d\.?){1,15}$/.test(String(value));

const parameterCount = ({ path }: Operation): number => path.split('{').length;

/** Whether the last segment of the path names one thing that can be read. */
const isItem = ({ path, methods }: Operation): boolean => /\{\w+\}$/.test(path) && methods.includes('GET');

const pathPattern = ({ path }: Operation): RegExp =>
  new RegExp(`^${path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/]+')}$`);

interface KnownValues {
  /** Keeps the identifiers of an answer to a collection. */
  learn(request: GeneratedRequest, body: unknown): void;
  readonly of: (operation: Operation, parameter: Parameter) => readonly string[];
}

/** Values of one collection that are kept. */
const MOST = 50;

/** A collection is named by the last segment of its path: `/accounts` has the values of `/accounts/{id}/config`. */
function openKnownValues(): KnownValues {
  const collections = new Map<string, string[]>();
  return {
    learn({ operation }, body) {
      const segment = operation.path.split('/').at(-1) ?? '';
      if (segment.startsWith('{')) return;
      for (const [name, value] of identifiersOf(body))
        for (const key of keysOf(name, segment)) {
          const values = collections.get(key) ?? [];
          if (!values.includes(value)) collections.set(key, [...values, value].slice(-MOST));
        }
    },
    of({ path }, { name }) {
      const segments = path.split('/');
      const segment = segments[segments.indexOf(`{${name}}`) - 1] ?? '';
      return (
        collections.get(name === 'id' ? `${segment} id` : name) ?? collections.get(`${segment} id`) ?? []
      );
    },
  };
}

/** A name that says whose identifier it is, such as `accountId`, belongs to parameters of the name everywhere. */
function keysOf(name: string, segment: string): readonly string[] {
  const stem = name.slice(0, -3).toLowerCase();
  // `accounts` has accounts, and `parties` has parties.
  const isOwn = name === 'id' || (stem.length > 2 && segment.toLowerCase().includes(stem));
  return [...(isOwn ? [`${segment} id`] : []), ...(name === 'id' ? [] : [name])];
}

/** The members of a body, of its elements, and of the elements of its lists, whose names end with `id`. */
function identifiersOf(body: unknown): readonly (readonly [name: string, value: string])[] {
  const lists = isObject(body) ? Object.values(body).flatMap(listOf) : listOf(body);
  return [body, ...lists].flatMap((each) =>
    Object.entries(isObject(each) ? each : {}).flatMap(([name, value]) =>
      /id$/i.test(name) && (typeof value === 'string' || typeof value === 'number')
        ? [[name, String(value)] as const]
        : [],
    ),
  );
}
