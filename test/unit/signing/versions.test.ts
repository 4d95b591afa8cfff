import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { DbrError } from '../../../src/errors/dbr-error.js';
import { requireVersion, versionTag, volatileTag } from '../../../src/signing/versions.js';

describe('the tag of a version', () => {
  it('is its number, and a hash of eight bytes of the volatile members', () => {
    expect(versionTag(7)).to.equal('"7"');
    expect(volatileTag(7, null)).to.equal('"7"');
    for (const volatile of [[], ['a', true]])
      expect(volatileTag(7, volatile)).to.equal(
        `"7-${createHash('sha256').update(JSON.stringify(volatile)).digest('hex').slice(0, 16)}"`,
      );
  });

  for (const [header, matches] of [
    [undefined, true],
    ['"7"', true],
    ['"7-0a"', true],
    ['"6", "7"', true],
    ['*', true],
    [' * ', true],
    ['', false],
    ['"8"', false],
    ['"77"', false],
    ['7', false],
    ['W/"7"', false],
    ['"7-"', false],
    ['"7-xy"', false],
  ] as const)
    it(`${matches ? 'matches' : 'does not match'} ${String(header)}`, () => {
      const check = (): void => requireVersion(header, 7);
      if (matches) expect(check).not.to.throw();
      else expect(check).to.throw(DbrError).with.property('name', 'VersionMismatch');
    });
});
