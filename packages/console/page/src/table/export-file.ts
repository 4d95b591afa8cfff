/** A streamed answer as a file: CSV as it is, lines of JSON as one array. */
import { textLines } from '../../../../client/src/send.js';
import type { FileFormat } from '../data-request.js';

/**
 * Reads the answer to its end. The browser may keep the parts on its disk.
 * @param onBytes is called with the bytes so far
 * @throws TypeError if the stream is cut: a part is never taken for the whole
 */
export async function exportedFile(
  response: Response,
  format: FileFormat,
  onBytes: (bytes: number) => void,
): Promise<Blob> {
  const parts: Blob[] = [];
  let pending: (string | Uint8Array<ArrayBuffer>)[] = [];
  let bytes = 0;
  let unflushed = 0;
  const flush = (): void => {
    parts.push(new Blob(pending));
    pending = [];
    unflushed = 0;
    onBytes(bytes);
  };
  const pieces = format === 'csv' ? chunksOf(response) : arrayPieces(response);
  for await (const piece of pieces) {
    pending.push(piece);
    bytes += piece.length;
    unflushed += piece.length;
    if (unflushed > LONGEST_UNFLUSHED) flush();
  }
  flush();
  return new Blob(parts, { type: format === 'csv' ? 'text/csv' : 'application/json' });
}

/** Bytes or characters that are put into a part of their own. */
const LONGEST_UNFLUSHED = 1_000_000;

async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) return;
    yield value;
  }
}

async function* arrayPieces(response: Response): AsyncGenerator<string> {
  let isFirst = true;
  for await (const line of textLines(response)) {
    if (line === '') continue;
    yield `${isFirst ? '[' : ',\n'}${line}`;
    isFirst = false;
  }
  yield isFirst ? '[]\n' : ']\n';
}
