/** Files from which settings are read. */
import { readFileSync, statSync } from 'node:fs';

/** Contents of pipes and terminals, such as `/dev/stdin`: they can be read once, and settings are read several times. */
const readOnce = new Map<string, Buffer>();

/** @throws the system's error when the file cannot be read */
export function readSource(path: string): Buffer {
  const known = readOnce.get(path);
  if (known !== undefined) return known;
  const content = readFileSync(path);
  if (!statSync(path).isFile()) readOnce.set(path, content);
  return content;
}
