/** `dbr shapes sign` and `dbr shapes verify`: the signature of a list of allowed shapes. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { faultOfShapes, privateShapeKey, publicShapeKey, shapesOf, signShapes } from '../shape-list.js';

export interface ShapesRequest {
  readonly action: 'sign' | 'verify';
  /** Path of the key in PEM. */
  readonly key: string;
  readonly file: string;
}

/**
 * Signs a file in place, or verifies it.
 * @returns the line for the terminal, and whether the signature is right
 * @throws Error if a file cannot be read, or the key is none
 */
export function runShapes({ action, key, file }: ShapesRequest): {
  readonly line: string;
  readonly right: boolean;
} {
  const pem = readFileSync(key, 'utf8');
  const text = readFileSync(file, 'utf8');
  if (action === 'verify') {
    const fault = faultOfShapes(text, publicShapeKey(pem));
    return { line: `${file}: ${fault ?? `${counted(text)}, the signature is right`}`, right: fault === null };
  }
  const signed = signShapes(text, privateShapeKey(pem));
  // A service that reloads meanwhile reads the former file or the new one.
  const temporary = `${file}.signing`;
  writeFileSync(temporary, signed);
  renameSync(temporary, file);
  return { line: `${file}: ${counted(signed)}, signed`, right: true };
}

const counted = (text: string): string => `${String(shapesOf(text).length)} shapes`;
