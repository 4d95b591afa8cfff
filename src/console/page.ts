/** The files of the page, as `make build` has made them. They are read and compressed when they are first asked for. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  contentOf,
  contentReply,
  notBuilt,
  PAGE_FILES,
  PAGE_HEADERS,
  readPageFile,
  type Content,
} from '../operations/static-content.js';

const files = new Map<string, Promise<Content>>();

const fileOf = (name: string): Promise<Content> => {
  const known = files.get(name);
  if (known !== undefined) return known;
  const read = readPageFile('console', name).then(contentOf);
  files.set(name, read);
  read.catch(() => files.delete(name));
  return read;
};

/** Serves a file. False if the console has none of this name. */
export async function servePage(
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const type = PAGE_FILES.get(name);
  if (type === undefined) return false;
  const file = await fileOf(name).catch(() => null);
  const { status, headers, body } =
    file === null
      ? notBuilt('console')
      : await contentReply(
          file,
          [...PAGE_HEADERS, ['Vary', 'Accept-Encoding'], ['Content-Type', type]],
          request,
        );
  response.statusCode = status;
  for (const [header, value] of headers) response.setHeader(header, value);
  response.end(Array.isArray(body) ? body[0] : undefined);
  return true;
}
