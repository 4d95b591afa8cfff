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
    ['$.app.roles[?@ == "y"]', 'y'],
    ['$.app.roles[?search(@, "^[yz]")]', 'y'],
    ['$.app.roles[?match(@, "[a-z]")]', 'x'],
    ['$.app.roles[?@ == "z"]', null],
    ['$.app.roles[1:]', 'y'],
    ['$..a', '1'],
    ['$.app.*[0]', 'x'],
    ['$.role[?@ == "x"]', null],
    ['.app.roles[?(@ == "y")]', 'y'],
    ['.app.roles[?(@ != "x")]', 'y'],
    ['.app."https://lantern.example/roles"[?(@ ^== "go")]', 'golden'],
    ['.app."https://lantern.example/roles"[?(@ ==^ "en")]', 'golden'],
    ['.app."https://lantern.example/roles"[?(@ *== "old")]', 'golden'],
    ['.app.roles[?(@ == "z")]', null],
    ['.role[?(@ == "staff")]', null],
  ];
  for (const [path, role] of cases) {
    it(`${path} → ${String(role)}`, () => {
      const parsed = parseRolePath(path);
      expect(parsed === null ? 'unreadable' : roleAt(claims, parsed)).to.equal(role);
    });
  }

  it('refuses JSONPath that is malformed or selects the claims as a whole', () => {
    const wrong = [
      '$',
      '$role',
      '$.',
      '$.roles[?',
      '$.roles[?unknown(@)]',
      '$.roles[?count(@)]',
      '$[?@.a in "b"]',
    ];
    const literals = ['$[-0]', '$[01]', '$[x]', "$['a]", String.raw`$['\x']`, String.raw`$['\"']`, '$.role '];
    for (const path of [...wrong, ...literals]) expect(parseRolePath(path), path).to.equal(null);
  });

  it('refuses malformed paths', () => {
    const filters = ['.a[?(@ ~ "x")]', '.a[?(@ == x)]', '.a[?(@ == "x")].b', '[?(@ == "x")]'];
    for (const path of ['', 'role', '.', '.a..b', '.a[x]', '."unended', '.a b', ...filters])
      expect(parseRolePath(path), path).to.equal(null);
  });
});
