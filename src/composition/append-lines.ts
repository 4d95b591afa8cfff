/** Appends lines to a file that other processes append to, and whose last line an interrupted write may have cut. */
import { open, readFile, type FileHandle } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

export interface Appended {
  /** Bytes of the lines that are written as a whole. The rest is to be written again. */
  readonly written: number;
  /** Whether the file ended with half a line, which is a comment now. */
  readonly repaired: boolean;
  /** Why not all lines are written; null if they are. */
  readonly error: string | null;
}

const LINE_FEED = 0x0a;
const COMMENT = '#';

/** Time after which a line without an end is no write of another process that is still under way, in milliseconds. */
const CUT_MS = 100;

/**
 * Appends lines in one write, so that lines of several processes do not mix. Half a line at the end of the file becomes a
 * comment first: it may be the beginning of any line.
 * @param lines each with its end
 */
export async function appendLines(path: string, lines: Buffer): Promise<Appended> {
  let repaired = false;
  let prefix = 0;
  let written = 0;
  try {
    const file = await open(path, 'a+');
    try {
      const cut = await lastLineWithoutEnd(file, path);
      if (cut !== null) {
        repaired = await makeComment(path, cut);
        prefix = 1;
      }
      const bytes = cut === null ? lines : Buffer.concat([Buffer.of(LINE_FEED), lines]);
      while (written < bytes.length) written += (await file.write(bytes, written)).bytesWritten;
    } finally {
      await file.close();
    }
    return { written: lines.length, repaired, error: null };
  } catch (error) {
    const whole = lines.subarray(0, Math.max(0, written - prefix)).lastIndexOf(LINE_FEED) + 1;
    return { written: whole, repaired, error: error instanceof Error ? error.message : String(error) };
  }
}

interface CutLine {
  /** Offset of its first byte. */
  readonly start: number;
  readonly text: string;
}

async function lastLineWithoutEnd(file: FileHandle, path: string): Promise<CutLine | null> {
  const size = await sizeWithoutEnd(file);
  if (size === null) return null;
  await delay(CUT_MS);
  if ((await sizeWithoutEnd(file)) !== size) return null;
  const bytes = await readFile(path);
  const start = bytes.lastIndexOf(LINE_FEED) + 1;
  return { start, text: bytes.toString('utf8', start) };
}

/** Returns the size of a file whose last byte does not end a line; null for any other. */
async function sizeWithoutEnd(file: FileHandle): Promise<number | null> {
  const stats = await file.stat();
  if (!stats.isFile() || stats.size === 0) return null;
  const last = Buffer.alloc(1);
  await file.read(last, 0, 1, stats.size - 1);
  return last[0] === LINE_FEED ? null : stats.size;
}

/** Returns false for a comment, which stays as it is. */
async function makeComment(path: string, { start, text }: CutLine): Promise<boolean> {
  if (text.startsWith(COMMENT)) return false;
  // A handle that appends writes at the end, whatever the offset is.
  const file = await open(path, 'r+');
  try {
    await file.write(COMMENT, start);
    return true;
  } finally {
    await file.close();
  }
}
