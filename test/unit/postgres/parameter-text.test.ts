import { expect } from 'chai';
import { parameterOf } from '../../../src/postgres/transaction.js';

describe('the text of a parameter', () => {
  for (const [value, text] of [
    [null, null],
    [undefined, null],
    ['', ''],
    ['a "quoted" \\ text', 'a "quoted" \\ text'],
    [7, '7'],
    [12n, '12'],
    [true, 'true'],
    [Buffer.from([0, 255]), '\\x00ff'],
    [Buffer.alloc(0), '\\x'],
    [[], '{}'],
    [['a', null, 'NULL', '', 'b,"c"\\'], '{"a",NULL,"NULL","","b,\\"c\\"\\\\"}'],
    [[1, 2], '{"1","2"}'],
    [[Buffer.from([1])], '{"\\\\x01"}'],
    [[['a'], ['b']], '{{"a"},{"b"}}'],
    [new Date('2026-01-02T03:04:05.006Z'), '2026-01-02T03:04:05.006Z'],
    [new Date('+010000-01-02T03:04:05.006Z'), '10000-01-02T03:04:05.006Z'],
    [new Date('0000-01-02T03:04:05.006Z'), '0001-01-02T03:04:05.006Z BC'],
    [new Date('-000099-01-02T03:04:05.006Z'), '0100-01-02T03:04:05.006Z BC'],
    [new Date(Number.NaN), 'Invalid Date'],
  ] as const) {
    it(`of ${JSON.stringify(typeof value === 'bigint' ? String(value) : value)} is ${JSON.stringify(text)}`, () => {
      expect(parameterOf(value)).to.equal(text);
    });
  }

  for (const value of [{}, Symbol('x'), () => 1])
    it(`does not exist for a value of type ${typeof value}`, () => {
      expect(() => parameterOf(value)).to.throw(TypeError, `a value of type ${typeof value} is no parameter`);
    });
});
