import { expect } from 'chai';
import { isKeyOfType } from '../../../../src/data-api/execute/lookup-key.js';
import type { LookupType } from '../../../../src/data-api/plan/sharing.js';

describe('keys of lookups that share a statement', () => {
  const cases: readonly (readonly [
    type: LookupType,
    values: readonly string[],
    others: readonly string[],
  ])[] = [
    [
      'int2',
      ['0', '-32768', '32767', '007'],
      ['', '-', '32768', '-32769', '1.0', '1e3', ' 7', '7 ', '0x7', '1_0'],
    ],
    ['int4', ['-2147483648', '2147483647'], ['2147483648', '-2147483649', 'x', '٧', '7\n']],
    [
      'int8',
      ['-9223372036854775808', '9223372036854775807'],
      ['9223372036854775808', '99999999999999999999'],
    ],
    ['uuid', ['0B9CAF7E-0f9b-4bbd-8b3a-111111111111'], ['', 'x', '{0b9caf7e-0f9b-4bbd-8b3a-111111111111}']],
    ['text', ['', 'any'], []],
    ['varchar', ['', 'any'], []],
  ];
  for (const [type, values, others] of cases)
    it(`are values of ${type} in its usual form`, () => {
      expect(values.filter((value) => !isKeyOfType(value, type))).to.deep.equal([]);
      expect(others.filter((value) => isKeyOfType(value, type))).to.deep.equal([]);
    });
});
