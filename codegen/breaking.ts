/** Finds changes of the OpenAPI document that break clients of the previous version; the counterpart of `buf breaking`. */
import type { JsonObject } from './json.js';
import { readOperations } from './model.js';
import type { Content, Operation, Response } from './model.js';
import { parameterName } from './parameters.js';
import { compareSchemas } from './breaking-schemas.js';
import type { Sides } from './breaking-schemas.js';

/** Describes every breaking change, in the order of the older document. Empty if clients of the older document still work. */
export function breaksBetween(base: JsonObject, head: JsonObject): readonly string[] {
  const sides = { base, head };
  const now = new Map(readOperations(head).map((operation) => [routeOf(operation), operation]));
  return readOperations(base).flatMap((before) => {
    const after = now.get(routeOf(before));
    if (after === undefined) return [`${routeOf(before)}: the operation is gone`];
    return operationBreaks(sides, before, after).map((text) => `${routeOf(before)}: ${text}`);
  });
}

/** Clients know the names of path parameters only inside generated code; the path is the same without them. */
const routeOf = ({ method, path }: Operation): string =>
  `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{}')}`;

function operationBreaks(sides: Sides, before: Operation, after: Operation): readonly string[] {
  return [
    ...(before.id === after.id ? [] : [`the operationId ${before.id} is now ${after.id}`]),
    ...accessBreaks(before, after),
    ...parameterBreaks(sides, before, after),
    ...bodyBreaks(sides, before, after),
    ...before.responses.flatMap((response) => responseBreaks(sides, response, after.responses)),
  ];
}

function accessBreaks(before: Operation, after: Operation): readonly string[] {
  const token = before.security !== 'bearer' && after.security === 'bearer' ? ['a token is now needed'] : [];
  const scope =
    after.scope !== null && after.scope !== before.scope ? [`the scope ${after.scope} is now needed`] : [];
  const gone = before.alternatives.filter(
    (scheme) => after.security === 'bearer' && !after.alternatives.includes(scheme),
  );
  return [...token, ...scope, ...gone.map((scheme) => `${scheme} no longer stands in for the token`)];
}

function parameterBreaks(sides: Sides, before: Operation, after: Operation): readonly string[] {
  const key = (parameter: Operation['parameters'][number]): string =>
    `${parameter.in} parameter ${parameterName(parameter)}`;
  const known = new Map(before.parameters.map((parameter) => [key(parameter), parameter]));
  const now = new Set(after.parameters.map(key));
  const gone = before.parameters.filter((parameter) => parameter.in !== 'path' && !now.has(key(parameter)));
  const changed = after.parameters.flatMap((parameter) => {
    const old = known.get(key(parameter));
    const demanded = parameter.required && old?.required !== true && parameter.in !== 'path';
    return [
      ...(demanded ? [`${key(parameter)}: now required`] : []),
      ...(old === undefined
        ? []
        : compareSchemas(sides, old.schema, parameter.schema, 'request', key(parameter))),
    ];
  });
  return [...gone.map((parameter) => `${key(parameter)}: gone`), ...changed];
}

function bodyBreaks(sides: Sides, before: Operation, after: Operation): readonly string[] {
  const demanded =
    after.body?.required === true && before.body?.required !== true ? ['body: now required'] : [];
  const compared = contentBreaks(
    sides,
    before.body?.contents ?? [],
    after.body?.contents ?? [],
    'request',
    'body',
  );
  return [...demanded, ...compared];
}

function responseBreaks(sides: Sides, before: Response, responses: readonly Response[]): readonly string[] {
  const place = `response ${String(before.status)}`;
  const after = responses.find(({ status }) => status === before.status);
  if (after === undefined) return [`${place}: gone`];
  const headers = new Set(
    after.headers.filter((header) => header.required).map((header) => header.name.toLowerCase()),
  );
  const lost = before.headers.filter((header) => header.required && !headers.has(header.name.toLowerCase()));
  return [
    ...lost.map((header) => `${place}: the header ${header.name} is no longer certain`),
    ...contentBreaks(sides, before.contents, after.contents, 'response', place),
  ];
}

function contentBreaks(
  sides: Sides,
  before: readonly Content[],
  after: readonly Content[],
  direction: 'request' | 'response',
  place: string,
): readonly string[] {
  return before.flatMap(({ mediaType, schema }) => {
    const content = after.find((candidate) => candidate.mediaType === mediaType);
    if (content === undefined) return [`${place}: ${mediaType} is gone`];
    return compareSchemas(sides, schema, content.schema, direction, place);
  });
}
