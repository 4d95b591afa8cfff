import { expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOG_LINES } from '../../../src/observability/log-lines.js';
import { packageRoot } from '../../../src/package.js';

/** All of the service except the definition and the consumer of observations. */
function sources(): string {
  const root = join(packageRoot(), 'src');
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.startsWith('observability/'))
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n');
}

describe('the kinds of observations', () => {
  it('are each observed by a part of the service', () => {
    const text = sources();
    expect(Object.keys(LOG_LINES).filter((kind) => !text.includes(`'${kind}'`))).to.deep.equal([]);
  });
});
