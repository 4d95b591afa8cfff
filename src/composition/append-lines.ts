/** Appends lines to a file to which people also write, and whose last line an interrupted write may have cut. */
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

/**
 * Marks the beginning of appended lines. A last line without an end may be half a line if it follows the mark; otherwise a
 * person wrote it.
 */
const RECORDED = '# recorded\n';

/** Whether lines were appended to a file with this text. */
export const hasRecorded = (text: string): boolean => `\n${text}`.includes(`\n${RECORDED}`);

/** Time after which a line without an end is no write of another process that is still under way, in milliseconds. */
const CUT_MS = 100;

/**
 * Appends lines in one write, so that lines of several processes do not mix. A last line without an end gets one. Where
 * lines were appended before it, it becomes a comment: it may be half of any line.
 * @param lines each with its end
 * @param isMarked whether lines were appended to the file before, as far as the caller knows
 */
export async function appendLines(path: string, lines: Buffer, isMarked: boolean): Promise<Appended> {
  let repaired = false;
  let prefix = 0;
  let written = 0;
  try {
    const file = await open(path, 'a+');
    try {
      const cut = await lastLineWithoutEnd(file, path);
      if (cut?.isRecorded === true) repaired = await makeComment(path, cut);
      const end = cut === null ? '' : '\n';
      const mark = isMarked && cut?.isRecorded !== false ? '' : RECORDED;
      const bytes = Buffer.concat([Buffer.from(end + mark), lines]);
      prefix = bytes.length - lines.length;
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
  /** Whether lines were appended before it. */
  readonly isRecorded: boolean;
}

async function lastLineWithoutEnd(file: FileHandle, path: string): Promise<CutLine | null> {
  const size = await sizeWithoutEnd(file);
  if (size === null) return null;
  await delay(CUT_MS);
  if ((await sizeWithoutEnd(file)) !== size) return null;
  const bytes = await readFile(path);
  const start = bytes.lastIndexOf(LINE_FEED) + 1;
  const isRecorded = hasRecorded(bytes.toString('latin1', 0, start));
  return { start, text: bytes.toString('utf8', start), isRecorded };
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
