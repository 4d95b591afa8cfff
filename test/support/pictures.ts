/**
 * Pictures of the manual: a test takes them again and compares. `UPDATE_PICTURES=1` writes them. Fonts and their rendering
 * differ between machines, so that a share of the pixels may differ.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { packageRoot } from '../../src/base/package.js';

/** Share of the pixels that may differ. */
export const TOLERANCE = 0.06;

/**
 * Returns the share of pixels that differ from the picture of the manual; 1 for a picture of another size.
 * @param name path below docs/, without its ending
 */
export function differenceFrom(name: string, taken: Buffer): number {
  const path = join(packageRoot(), 'docs', `${name}.png`);
  if (process.env['UPDATE_PICTURES'] !== undefined || !existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, taken);
    return 0;
  }
  const before = PNG.sync.read(readFileSync(path));
  const after = PNG.sync.read(taken);
  const { width, height } = before;
  if (after.width !== width || after.height !== height) return 1;
  return pixelmatch(before.data, after.data, undefined, width, height, { threshold: 0.2 }) / (width * height);
}
