import { expect } from 'chai';
import {
  embeddedRows,
  intersectRows,
  readInteger,
  unsatisfiable,
} from '../../../../src/data-api/request/ranges.js';
import { DbrError } from '../../../../src/errors/dbr-error.js';

const LARGEST = 2n ** 63n - 1n;

describe('an integer of the query string', () => {
  for (const [text, integer] of [
    ['0', 0n],
    ['-0', 0n],
    ['007', 7n],
    [' 12\t', 12n],
    ['-5', -5n],
    ['9'.repeat(40), BigInt('9'.repeat(40))],
    ['9'.repeat(41), null],
    ['', null],
    ['-', null],
    ['+1', null],
    ['1.0', null],
    ['1e3', null],
    ['1 2', null],
    ['0x1', null],
  ] as const)
    it(`${JSON.stringify(text)} is ${String(integer)}`, () => {
      expect(readInteger(text)).to.equal(integer);
    });
});

describe('the rows of a resource', () => {
  type Case = readonly [
    limit: bigint | null,
    offset: bigint | null,
    header: string | undefined,
    rows: unknown,
  ];
  const rows = (limit: bigint | null, offset: bigint) => ({ limit, offset });
  const cases: readonly Case[] = [
    [null, null, undefined, rows(null, 0n)],
    [0n, null, undefined, rows(0n, 0n)],
    [0n, 7n, '5-2', rows(0n, 0n)],
    [1n, null, undefined, rows(1n, 0n)],
    [-1n, null, undefined, 'negativeLimit'],
    [null, -1n, undefined, rows(null, 0n)],
    [2n, -1n, undefined, rows(1n, 0n)],
    [1n, -1n, undefined, 'negativeLimit'],
    [5n, 3n, undefined, rows(5n, 3n)],
    [null, null, '0-0', rows(1n, 0n)],
    [null, null, '2-2', rows(1n, 2n)],
    [null, null, '3-2', 'lowerAboveUpper'],
    [null, null, '2-', rows(null, 2n)],
    [null, 4n, '2-', rows(null, 4n)],
    [null, 1n, '2-', rows(null, 2n)],
    [3n, 2n, '2-4', rows(3n, 2n)],
    [3n, 2n, '2-3', rows(2n, 2n)],
    [2n, 2n, '2-4', rows(2n, 2n)],
    [2n, 2n, '3-4', rows(1n, 3n)],
    [2n, 2n, '4-5', 'negativeLimit'],
    [2n, 6n, '4-5', 'negativeLimit'],
    [null, 5n, '4-5', rows(1n, 5n)],
    [null, 6n, '4-5', 'negativeLimit'],
    [null, null, '', rows(null, 0n)],
    [null, null, '1', rows(null, 0n)],
    [null, null, `${'9'.repeat(41)}-`, rows(null, 0n)],
    [null, null, `0-${'9'.repeat(40)}`, rows(LARGEST, 0n)],
    [LARGEST, LARGEST, undefined, rows(LARGEST, LARGEST)],
    [LARGEST + 1n, LARGEST + 1n, undefined, rows(LARGEST, LARGEST)],
    [null, LARGEST + 1n, undefined, rows(null, LARGEST)],
  ];
  for (const [limit, offset, header, expected] of cases)
    it(`with limit ${String(limit)}, offset ${String(offset)} and Range ${String(header)}`, () => {
      expect(intersectRows({ limit, offset }, header)).to.deep.equal(expected);
    });

  it('are those of the parameters in an embed', () => {
    for (const [limit, offset, expected] of [
      [null, null, rows(null, 0n)],
      [0n, null, rows(0n, 0n)],
      [3n, 2n, rows(3n, 2n)],
      [null, -2n, rows(null, 0n)],
      [LARGEST + 1n, LARGEST + 1n, rows(LARGEST, LARGEST)],
    ] as const)
      expect(embeddedRows({ limit, offset })).to.deep.equal(expected);
    expect(() => embeddedRows({ limit: -1n, offset: null }))
      .to.throw(DbrError)
      .that.deep.includes(unsatisfiableAs('Limit should be greater than or equal to zero.'));
  });

  const unsatisfiableAs = (details: string) => ({
    code: 'DBR103',
    status: 416,
    details,
    headers: { 'Content-Range': '*/*', 'Range-Unit': 'items' },
  });

  it('are refused without a total', () => {
    expect(unsatisfiable('lowerAboveUpper')).to.deep.include(
      unsatisfiableAs(
        'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
      ),
    );
  });
});
