import { expect } from 'chai';
import { parseRolePath, roleAt } from '../../../src/auth/role-claim.js';

describe('role claim path', () => {
  const claims = {
    role: 'staff',
    app: { roles: ['x', 'y', { a: 1 }], 'https://lantern.example/roles': ['n', 'golden'] },
    seven: 7,
    nothing: null,
    größe: 'groß',
    'it\'s "so"': 'quoted',
  };
  const cases: readonly (readonly [string, string | null])[] = [
    ['.role', 'staff'],
    ['.app.roles[1]', 'y'],
    ['.app.roles[2]', '{"a":1}'],
    ['.app.roles[9]', null],
    ['.app."https://lantern.example/roles"[1]', 'golden'],
    ['.seven', '7'],
    ['.nothing', 'null'],
    ['.missing', null],
    ['.role[0]', null],
    ['.__proto__', null],
    ['.constructor', null],
    ['$.role', 'staff'],
    ['$.app.roles[1]', 'y'],
    ['$.app.roles[-1]', '{"a":1}'],
    ['$.app.roles[-4]', null],
    [`$['app']["https://lantern.example/roles"][ 0 ]`, 'n'],
    [`$ .app ['roles'] [0]`, 'x'],
    [String.raw`$['it\'s "so"']`, 'quoted'],
    [String.raw`$["it's \"so\""]`, 'quoted'],
    [String.raw`$["\u0072ole"]`, 'staff'],
    ['$.größe', 'groß'],
    ['$.__proto__', null],
  ];
  for (const [path, role] of cases) {
    it(`${path} → ${String(role)}`, () => {
      const parsed = parseRolePath(path);
      expect(parsed === null ? 'unreadable' : roleAt(claims, parsed)).to.equal(role);
    });
  }

  it('refuses JSONPath that is malformed or may select several values', () => {
    const wrong = ['$', '$role', '$.', '$.*', '$..role', '$[*]', '$[0:1]', '$[0,1]', '$.roles[?(@ == "x")]'];
    const literals = [
      '$[-0]',
      '$[01]',
      '$[x]',
      '$.a-b',
      "$['a]",
      String.raw`$['\x']`,
      String.raw`$['\"']`,
      '$.role ',
    ];
    for (const path of [...wrong, ...literals]) expect(parseRolePath(path), path).to.equal(null);
  });

  it('refuses malformed paths', () => {
    for (const path of ['', 'role', '.', '.a..b', '.a[x]', '."unended', '.a b'])
      expect(parseRolePath(path), path).to.equal(null);
  });
});
