/** The size of a room for the plan: `12 files, 1,700 lines`, or lines alone for a file. */
import type { Room } from './read-rooms.js';

/** Lines are rounded to two digits, so that the plan changes when rooms grow or shrink and not with every commit. */
export function roomSize({ files, lines }: Room): string {
  const rounded = `${Number(lines.toPrecision(2)).toLocaleString('en-US')} lines`;
  return files === 1 ? rounded : `${String(files)} files, ${rounded}`;
}
