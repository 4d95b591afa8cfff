import { expect } from 'chai';
import { SETTINGS } from '../../../src/settings/table.js';
import * as kinds from '../../../src/settings/kinds.js';
import type { Kind } from '../../../src/settings/kinds.js';

/** The value of a text; what was expected, if it is refused. */
const read = <T>(kind: Kind<T>, text: string): unknown => {
  const parsed = kind.parse(text);
  return parsed.ok ? parsed.value : parsed.expected;
};

/** Checks that values are read, and that their printed form is read again as the same. */
function takes<T>(kind: Kind<T>, values: Readonly<Record<string, T>>): void {
  for (const [text, value] of Object.entries(values)) {
    expect(read(kind, text), text).to.deep.equal(value);
    expect(read(kind, kind.print(value)), `${text}, printed`).to.deep.equal(value);
  }
}

function refuses<T>(kind: Kind<T>, expected: string, texts: readonly string[]): void {
  for (const text of texts) expect(read(kind, text), JSON.stringify(text)).to.equal(expected);
}

describe('kinds of settings', () => {
  it('integers have bounds', () => {
    const kind = kinds.integer(-2, 10);
    takes(kind, { '-2': -2, ' 10 ': 10, '0': 0, '007': 7 });
    refuses(kind, 'a whole number from -2 to 10', [
      '-3',
      '11',
      '',
      '1.0',
      '1e0',
      '0x1',
      '１',
      '1'.repeat(16),
    ]);
  });

  it('ratios are decimal', () => {
    takes(kinds.ratio, { '0': 0, '1': 1, '0.25': 0.25, ' 1.000 ': 1 });
    refuses(kinds.ratio, 'a number from 0 to 1', ['', '1.1', '-0', '.5', '1.', '1e-1', 'NaN']);
  });

  it('headers have values that are percent-encoded', () => {
    takes(kinds.headerPairs, { 'a=b, x-y=c%20d': ['a=b', 'x-y=c%20d'], 'a=': ['a='] });
    const expected = 'headers as name=value, separated by commas, with values percent-encoded';
    refuses(kinds.headerPairs, expected, [
      'a',
      '=b',
      'a b=c',
      'a=b c',
      'a=%0a',
      'a=%7f',
      'a=%',
      'a=%C3%A4',
      'ä=b',
    ]);
  });

  it('file modes are octal', () => {
    const kind = kinds.octal(0o600, 0o777);
    takes(kind, { '600': 0o600, '0777': 0o777, ' 660 ': 0o660 });
    refuses(kind, 'an octal file mode from 600 to 777', ['577', '778', '66', '00660', '0o660', '1000', '']);
  });

  it('some of several words are one at least', () => {
    const kind = kinds.someOf('a', 'b', 'c');
    takes(kind, { a: ['a'], 'c, a': ['c', 'a'] });
    for (const text of ['d', 'a,d', 'A']) expect(read(kind, text)).to.equal('some of a, b, c');
  });

  it('addresses are of http or https, without a user', () => {
    takes(kinds.optionalUrl, { '': null, 'http://a': 'http://a', 'HTTPS://a/b?c': 'HTTPS://a/b?c' });
    refuses(kinds.optionalUrl, 'an absolute http or https address', [
      'a',
      '/a',
      'ftp://a',
      'xhttp://a',
      'http://',
    ]);
    refuses(kinds.optionalUrl, 'an address without a user name and a password', [
      'http://u@a',
      'http://:p@a',
      'http://u:p@a',
    ]);
  });

  it('words of a boolean have any case, and numbers above zero are true', () => {
    takes(kinds.boolean, {
      true: true,
      ON: true,
      False: false,
      ' off ': false,
      '"on"': true,
      '1': true,
      '-1': false,
      '0': false,
    });
    refuses(kinds.boolean, 'true or false', ['', 'yes', 'tru', '1.5']);
  });

  it('lists have items between single commas', () => {
    takes(kinds.list, { '': [], '[]': [], ' a , b ': ['a', 'b'] });
    refuses(kinds.list, 'items separated by single commas', ['a,,b', ',a', 'a,', ',']);
    takes(kinds.optionalList, { ' ': null, '[]': [], a: ['a'] });
    refuses(kinds.nonEmpty(kinds.list), 'at least one item', ['', '[]']);
    const notX = (item: string): boolean => item !== 'x';
    refuses(kinds.listOf(notX, 'no x'), 'no x', ['x', 'a,x']);
    refuses(kinds.listOf(notX, 'no x'), 'items separated by single commas', ['a,,x']);
    takes(kinds.listOf(notX, 'no x'), { '': [], a: ['a'] });
  });

  it('words, numbers of processes and texts may be limited', () => {
    takes(kinds.oneOf('a', 'b'), { a: 'a', ' b ': 'b' });
    refuses(kinds.oneOf('a', 'b'), 'one of a, b', ['', 'A', 'ab']);
    takes(kinds.processes(4), { auto: 'auto', '1': 1, '4': 4 });
    refuses(kinds.processes(4), 'a whole number from 1 to 4', ['0', '5', 'Auto', '']);
    takes(kinds.optionalInteger(1, 2), { '': null, '2': 2 });
    refuses(kinds.optionalInteger(1, 2), 'a whole number from 1 to 2', ['0', '3', 'x']);
    const even = (value: string): boolean => value.length % 2 === 0;
    takes(kinds.textThat(even, 'even'), { '': '', ab: 'ab' });
    refuses(kinds.textThat(even, 'even'), 'even', ['a']);
    takes(kinds.optionalTextThat(even, 'even'), { '': null, ab: 'ab' });
    refuses(kinds.optionalTextThat(even, 'even'), 'even', ['a']);
  });
});

describe('settings with a kind of their own', () => {
  it('are the areas, of which there is one at least', () => {
    takes(kinds.someOf('a', 'b'), { a: ['a'], 'b, a': ['b', 'a'] });
    refuses(kinds.someOf('a', 'b'), 'some of a, b', ['', '[]', 'c', 'a, c']);
    refuses(kinds.someOf('a', 'b'), 'items separated by single commas', ['a,,b', ',']);
  });

  it('are the proxies: addresses, networks and unix', () => {
    const kind = SETTINGS['server-trusted-proxies'].kind;
    takes(kind, {
      '': [],
      unix: ['unix'],
      '10.0.0.0/8': ['10.0.0.0/8'],
      'unix, ::1, 127.0.0.1': ['unix', '::1', '127.0.0.1'],
    });
    refuses(kind, 'addresses, networks such as 10.0.0.0/8, and unix', [
      'host',
      'unix, host',
      '10.0.0.0/33',
      'Unix',
    ]);
    refuses(kind, 'items separated by single commas', ['unix,,unix']);
  });

  it('are the key of webhooks, of 32 characters', () => {
    const { kind } = SETTINGS['webhooks-key'];
    takes(kind, { '': null, ['k'.repeat(32)]: 'k'.repeat(32) });
    refuses(kind, 'at least 32 characters', ['k', 'k'.repeat(31)]);
  });
});
