/** Manual page of the media types that are built in: `generated/docs/media-types.md`. */
import { type BodyForm, builtInTypes, type ReplyForm } from '../src/data-api/request/media-types.js';
import { cell, pageComment } from './markdown.js';

/** Renders every media type with its meaning, and where it may be used. */
export function mediaTypesPage(): string {
  const rows = [...builtInTypes()].map(
    ([name, { reply, body, charset, meaning }]) =>
      `| \`${name}\` | ${cell(meaning)} | ${replyText(reply)} | ${bodyText(body)} | ${charset === null ? '' : 'UTF-8'} |`,
  );
  return `${pageComment('src/data-api/request/media-types.ts')}# Media types of the data API

\`Accept\` names the media types of a response, and \`Content-Type\` that of a body. Functions of the database add others ([migrating](../../docs/migrating/from-postgrest.md#media-types)).

| Media type | Meaning | Responses | Bodies | Charset |
| --- | --- | --- | --- | --- |
${rows.join('\n')}
`;
}

function replyText(reply: ReplyForm | null): string {
  switch (reply) {
    case 'json':
    case 'array':
    case 'csv':
    case 'rfc4180':
    case 'lines':
    case 'geojson':
      return 'rows';
    case 'object':
      return 'one row';
    case 'plan':
      return 'a plan';
    case 'description':
      return 'the root';
    case 'batch':
      return 'the items of a batch';
    case 'explained':
      return 'any';
    case null:
      return '';
  }
}

function bodyText(body: BodyForm | null): string {
  switch (body) {
    case 'json':
    case 'csv':
    case 'rfc4180':
    case 'form':
      return 'rows, arguments';
    case 'lines':
      return 'rows, while they arrive';
    case 'whole':
      return 'one argument';
    case 'batch':
      return 'the items of a batch';
    case null:
      return '';
  }
}
