import { expect } from 'chai';
import { isTrustedClaimPath, parseClaimPath, roleAt } from '../../../src/auth/claim-path.js';

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
      const parsed = parseClaimPath(path);
      expect(parsed === null ? 'unreadable' : roleAt(claims, parsed, null)).to.equal(role);
    });
  }

  it('takes the first allowed role of a list, and a list as JSON if it has none', () => {
    const path = parseClaimPath('.app.roles') ?? expect.fail();
    const roles = { app: { roles: ['offline_access', 'clerk', 'admin'] } };
    expect(roleAt(roles, path, ['admin', 'clerk'])).to.equal('clerk');
    expect(roleAt(roles, path, ['staff'])).to.equal('["offline_access","clerk","admin"]');
    expect(roleAt({ app: { roles: 'clerk' } }, path, ['staff'])).to.equal('clerk');
    expect(roleAt({}, path, ['staff'])).to.equal(null);
  });

  it('trusts no path to what users write themselves', () => {
    for (const path of [
      '.user_metadata.tenant_id',
      '$.unsafe_metadata.org',
      "$['user_metadata'].x",
      'x',
      '$',
    ])
      expect(isTrustedClaimPath(path), path).to.equal(false);
    expect(isTrustedClaimPath('.app_metadata.tenant_id')).to.equal(true);
  });

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
    for (const path of [...wrong, ...literals]) expect(parseClaimPath(path), path).to.equal(null);
  });

  it('refuses malformed paths', () => {
    const filters = ['.a[?(@ ~ "x")]', '.a[?(@ == x)]', '.a[?(@ == "x")].b', '[?(@ == "x")]'];
    for (const path of ['', 'role', '.', '.a..b', '.a[x]', '."unended', '.a b', ...filters])
      expect(parseClaimPath(path), path).to.equal(null);
  });
});
