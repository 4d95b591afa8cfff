import { expect } from 'chai';
import { tenantIdOf, userIdOf } from '../../../src/base/identifiers.js';
import {
  requireStorableBody,
  requireStorablePrincipal,
  storableText,
} from '../../../src/operations/storable-text.js';

describe('a body with text that PostgreSQL cannot store', () => {
  const cases: readonly (readonly [unknown, string])[] = [
    [{ name: 'a\0' }, '/name'],
    [{ metadata: { 'a/b': ['\ud800'] } }, '/metadata/a~1b/0'],
    [{ metadata: { 'a\0': 1 } }, '/metadata/'],
  ];
  for (const [body, path] of cases)
    it(`is refused, naming ${path}`, () => {
      try {
        requireStorableBody(body);
      } catch (error) {
        expect(error).to.have.nested.property('problems[0].path', path);
        return;
      }
      expect.fail('it was accepted');
    });
});

describe('storable text', () => {
  it('is accepted in every place of a body', () => {
    requireStorableBody({ name: 'whole 😀', list: [null, 1, true] });
  });

  it('remains after characters that cannot be stored are removed', () => {
    expect(storableText('a\0b\ud800c😀')).to.equal('abc😀');
  });
});

describe('a token with text that PostgreSQL cannot store', () => {
  const principal = (tenant: string, user: string) => ({
    tenantId: tenantIdOf(tenant),
    userId: userIdOf(user),
    scopes: null,
    tenants: null,
    expiresAt: null,
    authenticatedAt: null,
  });

  for (const [tenant, user] of [
    ['a\0', 'ann'],
    ['acme', '\ud800'],
  ] as const)
    it(`is refused: ${JSON.stringify([tenant, user])}`, () => {
      expect(() => requireStorablePrincipal(principal(tenant, user)))
        .to.throw()
        .with.property('name', 'AuthInvalid');
    });

  it('is returned as it is otherwise', () => {
    const given = principal('acme', 'ann 😀');
    expect(requireStorablePrincipal(given)).to.equal(given);
  });
});
