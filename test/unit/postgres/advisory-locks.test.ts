import { expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/base/package.js';

const NUMBER = /\b(5_?347_?1\d\d)\b/g;
/** The locks of this file are in a database of their own. */
const ELSEWHERE = join('embedded-postgres', 'start-embedded.ts');

describe('the advisory locks of the database', () => {
  it('have a number each, so that no work waits for other work', () => {
    const folder = join(packageRoot(), 'src');
    const numbers = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && name !== ELSEWHERE)
      .flatMap((name) => [...readFileSync(join(folder, name), 'utf8').matchAll(NUMBER)])
      .map(([, number = '']) => Number(number.replaceAll('_', '')));
    expect(numbers).to.include.members([5347114, 5347116, 5347118, 5347124, 5347125]);
    expect([...new Set(numbers)]).to.deep.equal(numbers);
  });
});
