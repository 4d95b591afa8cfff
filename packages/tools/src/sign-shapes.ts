/** `dbr shapes sign` and `dbr shapes verify`: the signature of a list of allowed shapes. */
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import {
  faultOfShapes,
  privateShapeKey,
  publicShapeKey,
  shapesOf,
  type ShapesRequest,
  signShapes,
} from '../../../src/face.js';

/**
 * Signs a file in place, or verifies it.
 * @returns the line for the terminal, and whether the signature is right
 * @throws Error if a file cannot be read, the key is none, or the signed file cannot have the owner of the file
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
  replaceFile(realpathSync(file), signed);
  return { line: `${file}: ${counted(signed)}, signed`, right: true };
}

const counted = (text: string): string => `${String(shapesOf(text).length)} shapes`;

const PERMISSION_BITS = 0o7777;

/**
 * Replaces a file by one with the same mode, owner and group: a service that records must be able to append to it. A
 * service that reloads meanwhile reads the former file or the new one.
 */
function replaceFile(file: string, text: string): void {
  const { mode, uid, gid } = statSync(file);
  const temporary = `${file}.signing`;
  rmSync(temporary, { force: true });
  const handle = openSync(temporary, 'wx', 0o600);
  try {
    writeFileSync(handle, text);
    fchownSync(handle, uid, gid);
    // After the owner: a change of the owner clears bits of the mode.
    fchmodSync(handle, mode & PERMISSION_BITS);
    fsyncSync(handle);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    closeSync(handle);
  }
}
