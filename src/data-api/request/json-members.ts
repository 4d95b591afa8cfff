import type { Work } from '../../base/turns.js';
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  endOfCharacters,
  INVALID,
  newWalk,
  OPEN_ARRAY,
  OPEN_OBJECT,
  PAUSED,
  resumeValue,
  skipBlanks,
  skipString,
  skipValue,
} from './json-scan.js';

/** A member of a JSON object, with the bytes of its value. */
export interface JsonMember {
  readonly name: string;
  readonly value: Buffer;
}

const WINDOW = 65_536;

/**
 * Returns the members of a JSON object in the order of the text, including those with equal names; null for any other
 * text. Values are not decoded, so that numbers do not change.
 * @param most largest number of members; the scan ends after one more
 */
export function* membersOfJson(bytes: Buffer, most: number): Work<readonly JsonMember[] | null> {
  const members: JsonMember[] = [];
  const walk = newWalk();
  let at = skipBlanks(bytes, 0);
  if (bytes[at] !== OPEN_OBJECT) return null;
  at = skipBlanks(bytes, at + 1);
  if (bytes[at] === CLOSE_OBJECT) return skipBlanks(bytes, at + 1) === bytes.length ? members : null;
  for (let pause = WINDOW; ;) {
    if (at >= pause) {
      yield;
      pause = at + WINDOW;
    }
    const nameEnd = skipString(bytes, at);
    if (nameEnd === INVALID) return null;
    const name = String(JSON.parse(bytes.toString('utf8', at, nameEnd)));
    const colon = skipBlanks(bytes, nameEnd);
    if (bytes[colon] !== COLON) return null;
    const start = skipBlanks(bytes, colon + 1);
    let end = skipValue(bytes, start, walk, start + WINDOW);
    while (end === PAUSED) {
      yield;
      end = resumeValue(bytes, walk, walk.at + WINDOW);
    }
    if (end === INVALID) return null;
    members.push({ name, value: bytes.subarray(start, end) });
    if (members.length > most) return members;
    at = skipBlanks(bytes, end);
    if (bytes[at] === CLOSE_OBJECT) return skipBlanks(bytes, at + 1) === bytes.length ? members : null;
    if (bytes[at] !== COMMA) return null;
    at = skipBlanks(bytes, at + 1);
  }
}

/**
 * Returns the bytes of the elements of a JSON array; null for any other text.
 * @param most largest number of elements; the scan ends after one more
 */
export function* elementsOfJson(bytes: Buffer, most: number): Work<readonly Buffer[] | null> {
  const elements: Buffer[] = [];
  const walk = newWalk();
  let at = skipBlanks(bytes, 0);
  if (bytes[at] !== OPEN_ARRAY) return null;
  at = skipBlanks(bytes, at + 1);
  if (bytes[at] === CLOSE_ARRAY) return skipBlanks(bytes, at + 1) === bytes.length ? elements : null;
  for (let pause = WINDOW; ;) {
    if (at >= pause) {
      yield;
      pause = at + WINDOW;
    }
    let end = skipValue(bytes, at, walk, at + WINDOW);
    while (end === PAUSED) {
      yield;
      end = resumeValue(bytes, walk, walk.at + WINDOW);
    }
    if (end === INVALID) return null;
    elements.push(bytes.subarray(at, end));
    if (elements.length > most) return elements;
    at = skipBlanks(bytes, end);
    if (bytes[at] === CLOSE_ARRAY) return skipBlanks(bytes, at + 1) === bytes.length ? elements : null;
    if (bytes[at] !== COMMA) return null;
    at = skipBlanks(bytes, at + 1);
  }
}

/** Returns the text of a JSON string that is valid and has its quotes. */
export function* textOfJson(string: Buffer): Work<string> {
  if (string.length <= WINDOW) return String(JSON.parse(string.toString('utf8')));
  const parts: string[] = [];
  const last = string.length - 1;
  for (let at = 1; at < last;) {
    const end = Math.min(endOfCharacters(string, at, at + WINDOW), last);
    parts.push(String(JSON.parse(`"${string.toString('utf8', at, end)}"`)));
    at = end;
    yield;
  }
  return parts.join('');
}
