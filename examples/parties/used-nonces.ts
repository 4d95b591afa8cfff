/** The nonces of requests that a party has signed, on its own disk: no request is signed twice, whatever the service shows. */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

export interface UsedNonces {
  has(nonce: string): boolean;
  /** Durable when it returns. @throws where the nonce was used */
  use(nonce: string, expiresAt: number): void;
}

/** An expired request is refused anyway; the day allows for a clock that is put back. */
const KEPT_AFTER_EXPIRY_MS = 86_400_000;

/**
 * Opens the file of one party, which one process uses at a time. What can be forgotten is left out.
 * @param now milliseconds since the epoch
 */
export function openUsedNonces(path: string, now = Date.now()): UsedNonces {
  const used = new Map(readLines(path).filter(([, expiresAt]) => expiresAt + KEPT_AFTER_EXPIRY_MS > now));
  // The whole file is replaced, so that a line that was cut off by a crash is gone.
  const lines = [...used].map(lineOf).join('');
  writeDurably(`${path}.new`, 'w', lines);
  renameSync(`${path}.new`, path);
  syncFolder(path);
  return {
    has: (nonce) => used.has(nonce),
    use(nonce, expiresAt) {
      if (used.has(nonce)) throw new Error('the nonce was used');
      used.set(nonce, expiresAt);
      writeDurably(path, 'a', lineOf([nonce, expiresAt]));
    },
  };
}

type Entry = readonly [nonce: string, expiresAt: number];

const lineOf = ([nonce, expiresAt]: Entry): string => `${nonce} ${String(expiresAt)}\n`;

function readLines(path: string): readonly Entry[] {
  let text = '';
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  return text.split('\n').flatMap((line): readonly Entry[] => {
    const [, nonce, expiresAt] = /^([0-9a-f]+) (\d+)$/.exec(line) ?? [];
    return nonce === undefined ? [] : [[nonce, Number(expiresAt)]];
  });
}

function writeDurably(path: string, flag: 'a' | 'w', text: string): void {
  const file = openSync(path, flag, 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A new name is durable when its folder is. */
function syncFolder(path: string): void {
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
