/** Manual page of the errors: `generated/docs/errors.md`. */
import { statusesOf } from './errors.js';
import type { ErrorEntry, ErrorTable, TemplateField } from './errors.js';
import { cell, pageComment } from './markdown.js';
import type { SqlStateTable } from './sqlstates.js';

/** Renders every error code with its texts, meaning and remedy, and the statuses of database errors. */
export function errorsPage(errors: ErrorTable, sqlStates: SqlStateTable): string {
  const groups = errors.groups.map((group) => {
    const entries = errors.entries.filter((entry) => entry.code.charAt(3) === group.digit);
    return `## Group ${group.digit}: ${group.name}\n\n${group.description}\n\n${entries.map(errorSection).join('\n')}`;
  });
  return `${pageComment('openapi/components/errors.yaml and sqlstates.yaml')}# Errors

The body of every error response is \`{"code", "message", "details", "hint"}\`. Braces in the texts below stand for values of the request.

${groups.join('\n')}
## Errors of the database

Errors of PostgreSQL keep their own five-character code (SQLSTATE). The rule for an exact code takes precedence over that for its class; \`*\` stands for any other code of the class.

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
