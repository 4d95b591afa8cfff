import { expect } from 'chai';
import { CommandLineError, readArguments } from '../../../src/command-line/arguments.js';

const URL = 'http://localhost:3000/openapi.json';

describe('dbr contract', () => {
  const DEFAULT = {
    ...{ url: URL, token: null, headers: {}, writes: false, requests: 10_000, seconds: 60, seed: 1 },
    ...{ refusals: [], format: 'text' },
  };
  const requestOf = (...args: readonly string[]): unknown => {
    const read = readArguments(['contract', URL, ...args]);
    return read.name === 'contract' ? read.request : null;
  };

  it('takes an address, bounds, a token and headers', () => {
    expect(requestOf()).to.deep.equal(DEFAULT);
    expect(
      requestOf(
        ...['--token', 't', '--header', 'A-B: c d', '--header', 'X:1', '--writes', '--format', 'json'],
        ...['--requests', '7', '--seconds', '8', '--seed', '9', '--refusals', '23514,P0'],
      ),
    ).to.deep.equal({
      ...DEFAULT,
      ...{ token: 't', headers: { 'A-B': 'c d', X: '1' }, writes: true, format: 'json' },
      ...{ requests: 7, seconds: 8, seed: 9, refusals: ['23514', 'P0'] },
    });
  });

  for (const [args, message] of [
    [[], 'contract needs URL'],
    [['file.json'], 'contract takes an address of http or https, not file.json'],
    [['ftp://x/y'], 'contract takes an address of http or https'],
    [[URL, URL], 'contract does not take the argument'],
    [[URL, '--header', 'A b: c'], '--header takes NAME:VALUE'],
    [[URL, '--header', 'A: b\r\nC: d'], '--header takes NAME:VALUE'],
    [[URL, '--requests', '0'], '--requests takes a whole number from 1'],
    [[URL, '--seed', '1.5'], '--seed takes a whole number from 1'],
    [[URL, '--seconds', '9999999999'], '--seconds takes a whole number'],
    [[URL, '--format', 'xml'], '--format takes text or json'],
  ] as const)
    it(`refuses ${JSON.stringify(args)}`, () => {
      expect(() => readArguments(['contract', ...args])).to.throw(CommandLineError, message);
    });
});
