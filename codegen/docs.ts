/** Manual pages: `generated/docs/errors.md`, `generated/docs/operations.md`. */
import { resolve } from './document.js';
import { statusesOf } from './errors.js';
import type { ErrorEntry, ErrorTable, TemplateField } from './errors.js';
import type { JsonObject } from './json.js';
import type { Operation, Parameter, Response } from './model.js';
import type { SqlStateTable } from './sqlstates.js';

/** The page of every error code, its texts, what it means and what to do, and of the status of database errors. */
export function errorsPage(errors: ErrorTable, sqlStates: SqlStateTable): string {
  const groups = errors.groups.map((group) => {
    const entries = errors.entries.filter((entry) => entry.code.charAt(3) === group.digit);
    return `## Group ${group.digit}: ${group.name}\n\n${group.description}\n\n${entries.map(errorSection).join('\n')}`;
  });
  return `${comment('openapi/components/errors.yaml and sqlstates.yaml')}# Errors

Every error is answered with the same body: \`{"code", "message", "details", "hint"}\`. Braces below stand for values of the request.

${groups.join('\n')}
## Errors of the database

They are forwarded with their own five-character code. An exact code beats its class; \`*\` stands for the rest of a class.

| Code | Status | Meaning |
| --- | --- | --- |
${sqlStates.rules.map(({ pattern, status, meaning }) => `| \`${pattern}\` | ${statusText(status)} | ${cell(meaning)} |`).join('\n')}
| any other | ${statusText(sqlStates.otherwise)} | |
`;
}

function statusText({
  authenticated,
  anonymous,
}: {
  readonly authenticated: number;
  readonly anonymous: number;
}): string {
  return authenticated === anonymous
    ? String(authenticated)
    : `${String(authenticated)} with a token, ${String(anonymous)} without`;
}

function errorSection(entry: ErrorEntry): string {
  const texts = (['message', 'details', 'hint'] as const).flatMap((field) => fieldLines(field, entry[field]));
  return `### ${entry.code} ${entry.name}

Status ${statusesOf(entry).join(' or ')}. ${entry.meaning}

${texts.join('\n')}

What to do: ${entry.remedy}
`;
}

function fieldLines(name: string, field: TemplateField): readonly string[] {
  if (field === null) return [];
  const templates = typeof field === 'string' ? [field] : Object.values(field);
  return templates.filter((template) => template !== null).map((template) => `- ${name}: \`${template}\``);
}

/** The page of every operation: parameters, bodies, answers. */
export function operationsPage(document: JsonObject, operations: readonly Operation[]): string {
  const tags = [...new Set(operations.map((operation) => operation.tag))];
  const sections = tags.map((tag) => {
    const ofTag = operations.filter((operation) => operation.tag === tag);
    return `## ${tag}\n\n${ofTag.map((operation) => operationSection(document, operation)).join('\n')}`;
  });
  return `${comment('openapi/')}# Operations\n\n${sections.join('\n')}`;
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
  const stead = alternatives.map((scheme) => ` or \`${scheme}\``).join('');
  const texts = {
    bearer: `Needs a bearer token${stead}.`,
    optional: 'Takes a bearer token.',
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

const comment = (source: string): string =>
  `<!-- Generated from ${source} by \`make generate\`. Not edited by hand. -->\n\n`;

/** Text for a cell of a table: one line, no bars. */
const cell = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').replaceAll('|', '\\|');
