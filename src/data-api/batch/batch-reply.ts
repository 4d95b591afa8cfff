/** The answers of a batch → one reply; the error of an item → the reply of the whole. */
import { isUtf8 } from 'node:buffer';
import { errorReply, type ErrorContext } from '../respond/error-reply.js';
import type { Header, Reply } from '../../contract/reply.js';
import { type Answer, headerOfAnswer } from './answers.js';
import type { BatchItem, ItemFailure } from './batch-item.js';

/** @param applied the preferences of the batch that are applied */
export function batchReply(
  items: readonly BatchItem[],
  answers: readonly Answer[],
  contentType: string,
  applied: readonly string[],
): Reply {
  const pieces: Buffer[] = [];
  answers.forEach((answer, index) => {
    const id = items[index]?.id ?? null;
    const idText = id === null ? '' : `"id":${JSON.stringify(id)},`;
    const head = `${idText}"status":${String(answer.status)},"headers":${headersJson(answer.headers)},"body":`;
    pieces.push(Buffer.from(`${index === 0 ? '[' : ',\n '}{${head}`), bodyJson(answer), CLOSE);
  });
  pieces.push(Buffer.from(']'));
  const headers: Header[] = [['Content-Type', `${contentType}; charset=utf-8`]];
  if (applied.length > 0) headers.push(['Preference-Applied', applied.join(', ')]);
  return { status: 200, headers, body: pieces };
}

const CLOSE = Buffer.from('}');

/** A header that is there more than once is an array. */
function headersJson(headers: readonly Header[]): string {
  const values = new Map<string, { readonly name: string; readonly lines: string[] }>();
  for (const [name, value] of headers) {
    const known = values.get(name.toLowerCase());
    // Header values have one character for each byte.
    const text = Buffer.from(value, 'latin1').toString('utf8');
    if (known === undefined) values.set(name.toLowerCase(), { name, lines: [text] });
    else known.lines.push(text);
  }
  const members = [...values.values()].map(
    ({ name, lines }) => `${JSON.stringify(name)}:${JSON.stringify(lines.length === 1 ? lines[0] : lines)}`,
  );
  return `{${members.join(',')}}`;
}

/** JSON stays as it is, text becomes a string, other bytes an object with their base64. */
function bodyJson({ body, node, headers }: Answer): Buffer {
  if (body === null) return NULL;
  if (node !== null) return body;
  const type = headerOfAnswer(headers, 'content-type') ?? '';
  const isText = TEXT.test(type) && isUtf8(body);
  return Buffer.from(JSON.stringify(isText ? body.toString('utf8') : { base64: body.toString('base64') }));
}

const NULL = Buffer.from('null');
/** Media types of text, and of JSON that cannot be read as such. */
const TEXT =
  /^text\/|[/+](?:xml|json|yaml)\b|^application\/x-www-form-urlencoded|^application\/vnd\.pgrst\.plan/i;

/** The reply to a batch of which an item has failed: its error, with the index and the id of the item. Null as of `errorReply`. */
export function itemErrorReply({ item, cause }: ItemFailure, context: ErrorContext): Reply | null {
  const reply = errorReply(cause, context);
  if (reply === null || !Array.isArray(reply.body)) return reply;
  const text = item.marks.reduce(
    (current, { text: mark, reference }) =>
      current.replaceAll(mark, () => JSON.stringify(reference.spelled).slice(1, -1)),
    Buffer.concat(reply.body).toString('utf8'),
  );
  const id = item.id === null ? '' : `,"id":${JSON.stringify(item.id)}`;
  const body = `${text.slice(0, -1)},"index":${String(item.index)}${id}}`;
  const headers = reply.headers.filter(([name]) => name.toLowerCase() !== 'content-length');
  return { ...reply, headers, body: [Buffer.from(body)] };
}
