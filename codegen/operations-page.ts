/** Manual page of the operations: `generated/docs/operations.md`. */
import { resolve } from './document.js';
import type { JsonObject } from './json.js';
import { cell, pageComment } from './markdown.js';
import type { Operation, Parameter, Response } from './model.js';

/** Renders every operation with its access, parameters, bodies and responses. */
export function operationsPage(document: JsonObject, operations: readonly Operation[]): string {
  const tags = [...new Set(operations.map((operation) => operation.tag))];
  const sections = tags.map((tag) => {
    const ofTag = operations.filter((operation) => operation.tag === tag);
    return `## ${tag}\n\n${ofTag.map((operation) => operationSection(document, operation)).join('\n')}`;
  });
  return `${pageComment('openapi/')}# Operations\n\n${sections.join('\n')}`;
}

function operationSection(document: JsonObject, operation: Operation): string {
  const parts = [
    `### ${operation.method.toUpperCase()} ${operation.path}`,
    `**${operation.summary}** (\`${operation.id}\`)`,
    operation.description.trim(),
    accessText(operation),
    parametersTable(document, operation.parameters),
    bodyText(operation),
    responsesTable(operation.responses),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function accessText({ security, alternatives, scope }: Operation): string {
  const others = alternatives.map((scheme) => ` or \`${scheme}\``).join('');
  const texts = {
    bearer: `Needs a bearer token${others}.`,
    optional: 'Accepts a bearer token.',
    none: 'Needs no token.',
  };
  return scope === null ? texts[security] : `${texts[security]} Needs the scope \`${scope}\`.`;
}

function parametersTable(document: JsonObject, parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map((parameter) => {
    const schema = resolve(document, parameter.schema, parameter.name);
    const fallback = schema['default'] === undefined ? '' : ` Default ${JSON.stringify(schema['default'])}.`;
    const ceiling =
      parameter.clamp === null ? '' : ` Larger values are reduced to ${String(parameter.clamp)}.`;
    const needed = parameter.required ? 'yes' : '';
    return `| \`${parameter.name}\` | ${parameter.in} | ${needed} | ${cell(parameter.description)}${fallback}${ceiling} |`;
  });
  return `| Parameter | In | Required | |\n| --- | --- | --- | --- |\n${rows.join('\n')}`;
}

function bodyText({ body }: Operation): string {
  if (body === null) return '';
  const types = body.contents.map(({ mediaType }) => `\`${mediaType}\``).join(', ');
  return `Body${body.required ? '' : ' (optional)'}: ${types}.`;
}

function responsesTable(responses: readonly Response[]): string {
  const rows = responses.map((response) => {
    const errors =
      response.errors.length === 0 ? '' : ` ${response.errors.map((name) => `\`${name}\``).join(', ')}`;
    return `| ${String(response.status)} | ${cell(response.description)}${errors} |`;
  });
  return `| Status | |\n| --- | --- |\n${rows.join('\n')}`;
}
