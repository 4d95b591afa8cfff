/** Generated requests of an operation: valid ones, and ones that the service must refuse. */
import fc, { type Arbitrary } from 'fast-check';
import type { Operation, Parameter } from './document.js';
import type { Schemas } from './schemas.js';
import type { Outgoing } from './send.js';
import { mutate, mutation, type Values } from './values.js';

/** What the answer of a request must be, beside what the document says of every answer. */
export type Expected =
  /** It is as the document says. */
  | 'documented'
  /** Valid, and the schemas decide it: not refused as malformed. */
  | 'accepted'
  | 'refused'
  /** Refused because a required header is absent. */
  | 'header-missed'
  | 'method-refused'
  | 'unauthenticated';

export interface GeneratedRequest extends Outgoing {
  readonly operation: Operation;
  readonly expected: Expected;
  /** What is wrong with it; empty for a valid one. */
  readonly fault: string;
  readonly credentials: 'given' | 'none' | 'wrong';
}

export type Kind = 'valid' | 'invalid' | 'method' | 'authentication';

/** Documented methods that only read, by definition (RFC 9110, section 9.2.1; RFC 10008 for QUERY). */
const SAFE = ['GET', 'HEAD', 'OPTIONS', 'QUERY', 'TRACE'];

export interface Generation {
  readonly schemas: Schemas;
  readonly plainValues: Values;
  readonly oddValues: Values;
  /** Values of earlier answers for a parameter of a path. */
  readonly known: (operation: Operation, parameter: Parameter) => readonly string[];
  /** Whether values of other types are converted, so that they need not be refused. */
  readonly convertsValues: boolean;
}

/** Returns the generator of a kind of requests; null if the operation has none. It makes null where it misses its aim. */
export function requestsOf(
  operation: Operation,
  kind: Kind,
  generation: Generation,
): Arbitrary<GeneratedRequest | null> | null {
  if (kind === 'method') return methodRequests(operation, generation);
  switch (kind) {
    case 'valid':
      return validRequests(operation, generation);
    case 'invalid':
      return invalidRequests(operation, generation);
    case 'authentication':
      return operation.takesToken ? unauthenticatedRequests(operation, generation) : null;
  }
}

/** The parts of a request before they are rendered. */
interface Parts {
  /** Texts of parameters, in the order of the operation's; null for absent ones. */
  readonly texts: readonly (readonly string[] | null)[];
  readonly body: unknown;
  readonly isDecided: boolean;
}

/** @param isPlain leaves out what the schemas do not decide, unless the document has examples of it */
function partsOf(operation: Operation, generation: Generation, isPlain: boolean): Arbitrary<Parts> {
  const { schemas } = generation;
  const valuesOf = isPlain ? generation.plainValues : generation.oddValues;
  const { body } = operation;
  const decided = operation.parameters.map(({ schema }) => schemas.decides(schema, true));
  const values = operation.parameters.map((parameter, index) => {
    const generated = valuesOf(parameter.schema.value);
    const examples = parameter.examples.length > 0 && isPlain && decided[index] !== true;
    const value = examples ? fc.constantFrom(...parameter.examples) : generated;
    const text = fc.tuple(value, fc.nat({ max: 50 }), fc.boolean()).map(([made, pick, isKnown]) => {
      const known = parameter.in === 'path' && isKnown ? generation.known(operation, parameter) : [];
      return known.length > 0 ? [known[pick % known.length] ?? ''] : textsOf(made);
    });
    if (parameter.required) return text;
    if (isPlain && decided[index] !== true && !examples) return fc.constant(null);
    const absent = { weight: decided[index] === true || examples ? 1 : 9, arbitrary: fc.constant(null) };
    return fc.oneof(absent, { weight: 1, arbitrary: text });
  });
  const isBodyDecided = body === null || schemas.decides(body.schema, false);
  const generated = body === null ? fc.constant(undefined) : valuesOf(body.schema.value);
  // Rules between members, and values such as addresses, are seldom met by chance.
  const examples = isPlain ? (body?.examples ?? []) : [];
  const bodies = examples.length === 0 ? generated : fc.oneof(generated, fc.constantFrom(...examples));
  const optional = body === null || body.required ? bodies : fc.option(bodies, { nil: undefined });
  return fc.tuple(fc.tuple(...values), optional).map(([texts, made]) => ({
    ...{ texts, body: made },
    isDecided:
      isPlain &&
      (made === undefined || isBodyDecided) &&
      texts.every((each, index) => each === null || decided[index] === true),
  }));
}

/** The texts of a parameter: those of an array are repeated (style form, explode). */
const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map(textOfScalar) : [textOfScalar(value)];

const textOfScalar = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null);

/** Whether a header may have the value (RFC 9110, section 5.5). */
const isHeaderText = (text: string): boolean => /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text);

/** Renders the parts; null if the path or a header cannot contain them. */
function render(
  operation: Operation,
  { texts, body }: Parts,
  rest: Pick<GeneratedRequest, 'expected' | 'fault'>,
): GeneratedRequest | null {
  const headers: Record<string, string> = {};
  const query: string[] = [];
  let path = operation.path;
  for (const [index, { name, in: location }] of operation.parameters.entries()) {
    const given = texts[index];
    if (given === null || given === undefined) continue;
    const [first = ''] = given;
    if (location === 'query') query.push(...given.map((text) => `${encode(name)}=${encode(text)}`));
    else if (location === 'header') {
      if (!isHeaderText(given.join(','))) return null;
      headers[name] = given.join(',');
    } else {
      // A segment of dots leads to another path, and an empty one is another route.
      if (/^\.{0,2}$/.test(first)) return null;
      path = path.replace(`{${name}}`, () => encode(first));
    }
  }
  if (operation.body !== null && body !== undefined) headers['Content-Type'] = operation.body.mediaType;
  return {
    ...rest,
    operation,
    method: operation.method,
    target: query.length === 0 ? path : `${path}?${query.join('&')}`,
    headers,
    body: bytesOf(operation, body),
    credentials: 'given',
  };
}

/** Lone surrogates have no encoding: they become U+FFFD. */
export const encode = (text: string): string => encodeURIComponent(Buffer.from(text).toString());

function bytesOf(operation: Operation, body: unknown): Buffer | null {
  if (operation.body === null || body === undefined) return null;
  if (!operation.body.mediaType.includes('urlencoded')) return Buffer.from(JSON.stringify(body));
  const members = typeof body === 'object' && body !== null ? Object.entries(body) : [];
  return Buffer.from(
    members
      .flatMap(([name, value]) => textsOf(value).map((text) => `${encode(name)}=${encode(text)}`))
      .join('&'),
  );
}

/** Whether the validator accepts body and parameters. */
function isValid(operation: Operation, { texts, body }: Parts, schemas: Schemas): boolean {
  const isBodyValid =
    operation.body === null || body === undefined || schemas.fault(operation.body.schema, body) === null;
  return (
    isBodyValid &&
    operation.parameters.every(({ schema }, index) => {
      const given = texts[index];
      return (
        given === null ||
        given === undefined ||
        given.every((text) => schemas.faultOfText(schema, text) === null)
      );
    })
  );
}

function validRequests(operation: Operation, generation: Generation): Arbitrary<GeneratedRequest | null> {
  const parts = [false, true].map((isPlain) => partsOf(operation, generation, isPlain));
  return fc
    .oneof(...parts)
    .map((made) =>
      isValid(operation, made, generation.schemas)
        ? render(operation, made, { expected: made.isDecided ? 'accepted' : 'documented', fault: '' })
        : null,
    );
}

/** Texts that schemas of numbers, booleans, formats and enums refuse. */
const WRONG_TEXTS = [
  'x y',
  '-1',
  '1.5',
  '',
  'true',
  '0',
  '1e400',
  '99999999999999999999',
  'null',
  '[]',
  'x'.repeat(300),
];

/** One fault: changes the parts, or the request that is rendered of them. */
interface Fault {
  readonly name: string;
  readonly expected: Expected;
  readonly parts?: (parts: Parts) => Parts;
  readonly request?: (request: GeneratedRequest) => GeneratedRequest;
}

function invalidRequests(
  operation: Operation,
  generation: Generation,
): Arbitrary<GeneratedRequest | null> | null {
  const { body } = operation;
  const refused = generation.convertsValues ? 'documented' : 'refused';
  const faults = [
    ...parameterFaults(operation, generation.schemas, refused),
    ...(body === null ? [] : bodyFaults(body.required)),
  ];
  const schema = body?.schema;
  const isRefusable = schema !== undefined && generation.schemas.fault(schema, '\u0000\u0001') !== null;
  const parts = partsOf(operation, generation, true);
  const single =
    faults.length === 0
      ? null
      : fc.tuple(parts, fc.constantFrom(...faults)).map(([made, fault]) => {
          if (!isValid(operation, made, generation.schemas)) return null;
          const rendered = render(operation, fault.parts?.(made) ?? made, {
            expected: fault.expected,
            fault: fault.name,
          });
          return rendered === null ? null : (fault.request?.(rendered) ?? rendered);
        });
  const mutated =
    schema === undefined || !isRefusable
      ? null
      : fc.tuple(parts, mutation).map(([made, each]) => {
          const wrong = made.body === undefined ? undefined : mutate(made.body, each);
          const fault = wrong === undefined ? null : generation.schemas.fault(schema, wrong);
          return fault === null
            ? null
            : render(operation, { ...made, body: wrong }, { expected: refused, fault: `the body: ${fault}` });
        });
  return single === null
    ? mutated
    : mutated === null
      ? single
      : fc.oneof({ weight: 2, arbitrary: mutated }, single);
}

/** @param refused what a value of another type must be */
function parameterFaults(operation: Operation, schemas: Schemas, refused: Expected): readonly Fault[] {
  const faults = operation.parameters.flatMap((parameter, index): readonly Fault[] => {
    const { name, in: location, required, schema } = parameter;
    const withTexts =
      (texts: readonly string[] | null) =>
      (parts: Parts): Parts => ({ ...parts, texts: parts.texts.with(index, texts) });
    const wrong = WRONG_TEXTS.filter(
      (text) => schemas.faultOfText(schema, text) !== null && (location !== 'header' || isHeaderText(text)),
    ).map((text): Fault => ({
      name: `${location} parameter ${name}: ${schemas.faultOfText(schema, text) ?? ''}`,
      expected: refused,
      parts: withTexts([text]),
    }));
    const missing: Fault = {
      name: `the required ${location} parameter ${name} is absent`,
      expected: location === 'header' ? 'header-missed' : 'refused',
      parts: withTexts(null),
    };
    return required && location !== 'path' ? [...wrong, missing] : wrong;
  });
  // The document cannot say how text is read that no encoding gives: the answer must be a documented one.
  const unreadable = ['%zz=1', 'a=%ff', '%00=%00', 'a=%', '&&=&'].map((query): Fault => ({
    name: `the query ${query}`,
    expected: 'documented',
    request: (request) => ({
      ...request,
      target: `${request.target}${request.target.includes('?') ? '&' : '?'}${query}`,
    }),
  }));
  return SAFE.includes(operation.method) ? [...faults, ...unreadable] : faults;
}

function bodyFaults(isRequired: boolean): readonly Fault[] {
  const withBody =
    (body: Buffer | null) =>
    (request: GeneratedRequest): GeneratedRequest => ({ ...request, body });
  const refused = (name: string, request: Fault['request']): Fault => ({
    name,
    expected: 'refused',
    ...(request === undefined ? {} : { request }),
  });
  return [
    ...(isRequired ? [refused('the required body is absent', withBody(null))] : []),
    refused('the body ends too early', withBody(Buffer.from('{"a":'))),
    refused('the body is not UTF-8', withBody(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))),
    refused('the media type of the body is not documented', (request) => ({
      ...request,
      headers: { ...request.headers, 'Content-Type': 'application/x-unknown' },
      body: request.body ?? Buffer.from('{}'),
    })),
  ];
}

/** Methods that the path does not document. */
function methodRequests(
  operation: Operation,
  generation: Generation,
): Arbitrary<GeneratedRequest | null> | null {
  // One operation of the path stands for it.
  if (operation.method !== operation.methods[0]) return null;
  // HEAD belongs to GET, and OPTIONS and QUERY may be there without being described.
  const absent = ['GET', 'PUT', 'PATCH', 'POST', 'DELETE', 'TRACE', 'PROPFIND'].filter(
    (method) => !operation.methods.includes(method),
  );
  return fc.tuple(partsOf(operation, generation, true), fc.constantFrom(...absent)).map(([parts, method]) => {
    const texts = parts.texts.map((text, index) =>
      operation.parameters[index]?.in === 'path' ? text : null,
    );
    const fault = `${method} is not documented`;
    const request = render(
      operation,
      { ...parts, texts, body: undefined },
      { expected: 'method-refused', fault },
    );
    if (request === null) return null;
    const hasBody = ['PUT', 'PATCH', 'POST'].includes(method);
    const headers = hasBody ? { 'Content-Type': 'application/json' } : {};
    return { ...request, method, headers, body: hasBody ? Buffer.from('{"undocumented member":1}') : null };
  });
}

function unauthenticatedRequests(
  operation: Operation,
  generation: Generation,
): Arbitrary<GeneratedRequest | null> {
  const credentials = operation.isOpen ? (['wrong'] as const) : (['none', 'wrong'] as const);
  return fc
    .tuple(partsOf(operation, generation, true), fc.constantFrom(...credentials))
    .map(([parts, given]) => {
      if (!isValid(operation, parts, generation.schemas)) return null;
      const fault = given === 'none' ? 'no token' : 'a wrong token';
      const request = render(operation, parts, { expected: 'unauthenticated', fault });
      return request === null ? null : { ...request, credentials: given };
    });
}
