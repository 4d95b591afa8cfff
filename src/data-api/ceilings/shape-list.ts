/**
 * The file of allowed shapes (`db-shapes-file`): one shape a line, comments after `#`, and an Ed25519 signature (RFC 8032)
 * of everything before it in the last line.
 */
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/** The first line, so that a signature of another kind of file is never one of a list. */
const HEADER = '# dbr shapes 1';
const SIGNATURE = '# signature ed25519 ';

/** Longest file, in bytes. */
export const MAX_SHAPE_FILE = 16_777_216;

/** Returns the shapes of a file, without comments. */
export const shapesOf = (text: string): readonly string[] =>
  text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));

/** Returns a file without a last line that has no end, which an interrupted write may have cut. */
export const wholeLines = (text: string): string => text.slice(0, text.lastIndexOf('\n') + 1);

/**
 * Returns the file with each line once, and the signature of the private key.
 * @throws Error if the last line is a shape without an end, which may be the beginning of another shape
 */
export function signShapes(text: string, key: KeyObject): string {
  if (shapesOf(text.slice(wholeLines(text).length)).length > 0)
    throw new Error(
      'the last line has no end: it may be half a shape; end it with a line feed, or remove it',
    );
  const seen = new Set<string>();
  const lines = text.split('\n').filter((line) => {
    if (line === HEADER || line.startsWith(SIGNATURE) || line.trim() === '' || seen.has(line)) return false;
    seen.add(line);
    return true;
  });
  const signed = `${[HEADER, ...lines].join('\n')}\n`;
  return `${signed}${SIGNATURE}${sign(null, Buffer.from(signed), key).toString('base64')}\n`;
}

/** Returns what is wrong with the signature of a file; null if it is that of the key. */
export function faultOfShapes(text: string, key: KeyObject): string | null {
  if (!text.startsWith(`${HEADER}\n`)) return `the first line is not ${HEADER}`;
  const at = text.lastIndexOf(`\n${SIGNATURE}`) + 1;
  const [signature = '', ...rest] = text.slice(at + SIGNATURE.length).split('\n');
  if (at === 0 || rest.join('') !== '') return 'the last line is no signature';
  const isRight = verify(null, Buffer.from(text.slice(0, at)), key, Buffer.from(signature, 'base64'));
  return isRight ? null : 'the signature is not that of the key and of these lines';
}

/** @throws Error for anything but an Ed25519 public key in PEM */
export function publicShapeKey(pem: string): KeyObject {
  const key = pem.includes('PRIVATE KEY') ? null : keyOf(() => createPublicKey(pem));
  if (key?.asymmetricKeyType !== 'ed25519') throw new Error('the key is no public key of Ed25519 in PEM');
  return key;
}

/** @throws Error for anything but an Ed25519 private key in PEM */
export function privateShapeKey(pem: string): KeyObject {
  const key = keyOf(() => createPrivateKey(pem));
  if (key?.asymmetricKeyType !== 'ed25519') throw new Error('the key is no private key of Ed25519 in PEM');
  return key;
}

function keyOf(read: () => KeyObject): KeyObject | null {
  try {
    return read();
  } catch {
    return null;
  }
}
