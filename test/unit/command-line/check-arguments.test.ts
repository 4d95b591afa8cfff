import { expect } from 'chai';
import { CommandLineError, readArguments } from '../../../src/command-line/arguments.js';

describe('dbr check', () => {
  const DEFAULT = {
    ...{ name: 'check', config: undefined, format: 'text', users: undefined, rules: undefined },
    ...{ baseline: undefined, dump: undefined, seconds: 60, requests: 1_000_000, requestsOfRole: 10_000 },
    ...{ seed: 1, callFunctions: false },
  };

  it('takes files, limits, a seed and a form', () => {
    expect(readArguments(['check'])).to.deep.equal(DEFAULT);
    expect(
      readArguments([
        ...['check', 'dbr.conf', '--format', 'sarif', '--users', 'u', '--rules', 'r', '--baseline', 'b'],
        ...['--seconds', '5', '--requests', '100', '--seed', '9', '--call-functions'],
        ...['--dump', 'd', '--requests-of-role', '7'],
      ]),
    ).to.deep.equal({
      ...{ name: 'check', config: 'dbr.conf', format: 'sarif', users: 'u', rules: 'r', baseline: 'b' },
      ...{ seconds: 5, requests: 100, seed: 9, callFunctions: true, dump: 'd', requestsOfRole: 7 },
    });
  });

  for (const [option, value] of [
    ['seconds', '0'],
    ['seconds', '1.5'],
    ['requests', '-1'],
    ['seed', 'x'],
    ['seed', '1000000000'],
  ] as const)
    it(`refuses --${option} ${value}`, () =>
      expect(() => readArguments(['check', `--${option}=${value}`])).to.throw(
        CommandLineError,
        `--${option} takes a whole number from 1 to 999999999, not ${value}`,
      ));

  it('refuses another form', () =>
    expect(() => readArguments(['check', '--format', 'xml'])).to.throw(
      CommandLineError,
      '--format takes text, json or sarif',
    ));
});
