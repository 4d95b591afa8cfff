import { expect } from 'chai';
import { parseRolePath, roleAt } from '../../../src/auth/role-claim.js';

describe('role claim path', () => {
  const claims = {
    role: 'staff',
    app: { roles: ['x', 'y', { a: 1 }], 'https://lantern.example/roles': ['n', 'golden'] },
    seven: 7,
    nothing: null,
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
  ];
  for (const [path, role] of cases) {
    it(`${path} → ${String(role)}`, () => {
      const parsed = parseRolePath(path);
      expect(parsed === null ? 'unreadable' : roleAt(claims, parsed)).to.equal(role);
    });
  }

  it('refuses malformed paths', () => {
    for (const path of ['', 'role', '.', '.a..b', '.a[x]', '."unended', '.a b'])
      expect(parseRolePath(path), path).to.equal(null);
  });
});
