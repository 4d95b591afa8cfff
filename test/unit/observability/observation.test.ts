import { expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOG_LINES } from '../../../src/observability/log-lines.js';
import { packageRoot } from '../../../src/base/package.js';

/** The sources of the service without the consumers of observations. Their type has each kind once. */
function sources(): string {
  const root = join(packageRoot(), 'src');
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .filter((path) => path === 'observability/observation.ts' || !path.startsWith('observability/'))
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n');
}

describe('the kinds of observations', () => {
  it('are each observed by a part of the service', () => {
    const text = sources();
    const isObserved = (kind: string): boolean => text.split(`'${kind}'`).length > 2;
    expect(Object.keys(LOG_LINES).filter((kind) => !isObserved(kind))).to.deep.equal([]);
  });
});
