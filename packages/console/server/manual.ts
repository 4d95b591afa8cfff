/** The pages of the manual, as text: they come with the package. */
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { packageRoot } from '../../../src/face.js';

/** Names of folders and of a page; no name begins with a dot. */
const PAGE = /^manual\/((?:[\w-]+\/)*[\w-]+\.md)$/;

/** Serves a page of the manual. False if there is none of this name. @param name below the path of the console */
export async function serveManual(name: string, response: ServerResponse): Promise<boolean> {
  const page = PAGE.exec(name)?.[1];
  if (page === undefined) return false;
  const text = await readFile(join(packageRoot(), 'docs', page)).catch(() => null);
  if (text === null) return false;
  response.writeHead(200, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-cache',
  });
  response.end(text);
  return true;
}
