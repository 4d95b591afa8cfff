import { expect } from 'chai';
import { tenantIdOf, userIdOf } from '../../../src/base/identifiers.js';
import type { Principal } from '../../../src/contract/principal.js';
import { DbrError } from '../../../src/errors/dbr-error.js';
import { accountIdOf } from '../../support/identifiers.js';
import {
  actorOf,
  knowsOf,
  mayRead,
  readsAll,
  requireConfigure,
  requireOwner,
  requireSign,
} from '../../../src/signing/access.js';
import { requireVersion } from '../../../src/signing/versions.js';

const principal = (more: Partial<Principal> = {}): Principal => ({
  tenantId: tenantIdOf('acme'),
  userId: userIdOf('ann'),
  scopes: null,
  tenants: null,
  expiresAt: null,
  authenticatedAt: null,
  ...more,
});
const nameOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof DbrError) return error.name;
    throw error;
  }
  return 'allowed';
};

describe('authorization to change the signing configuration', () => {
  const configure = (given: Partial<Principal>, recent: number | null = null): string =>
    nameOf(() => {
      requireConfigure(principal(given), userIdOf('ann'), recent, 1_000_000);
    });

  it('allows the administrator, and the owner if a token with scopes has the required one', () => {
    expect(configure({})).to.equal('allowed');
    expect(configure({ scopes: new Set() })).to.equal('Forbidden');
    expect(configure({ scopes: new Set(['signing-config:write']) })).to.equal('allowed');
    expect(configure({ userId: userIdOf('bob'), scopes: new Set(['signing-config:write']) })).to.equal(
      'Forbidden',
    );
    expect(configure({ userId: userIdOf('bob'), scopes: new Set(['tenant:admin']) })).to.equal('allowed');
  });

  it('requires a recent authentication if the settings demand one', () => {
    expect(configure({}, 900)).to.equal('Forbidden');
    expect(configure({ authenticatedAt: 99_999 }, 900)).to.equal('Forbidden');
    expect(configure({ authenticatedAt: 100_000 }, 900)).to.equal('allowed');
    const admin = { userId: userIdOf('bob'), scopes: new Set(['tenant:admin']) };
    expect(configure(admin, 900)).to.equal('Forbidden');
  });
});

describe('authorization to read', () => {
  it('is for the owner, and for all of the tenant with the scope or as an administrator', () => {
    const bob = (...scopes: readonly string[]) =>
      principal({ userId: userIdOf('bob'), scopes: new Set(scopes) });
    const seen = (given: Principal) => [readsAll(given), mayRead(given, userIdOf('ann'))];
    expect(seen(principal())).to.deep.equal([false, true]);
    expect(seen(bob())).to.deep.equal([false, false]);
    expect(seen(bob('sign:create'))).to.deep.equal([false, false]);
    expect(seen(bob('accounts:read'))).to.deep.equal([true, true]);
    expect(seen(bob('tenant:admin'))).to.deep.equal([true, true]);
  });

  it('does not include supplying a share, which is for the owner alone', () => {
    const admin = principal({ userId: userIdOf('bob'), scopes: new Set(['tenant:admin']) });
    expect(nameOf(() => requireOwner(principal(), userIdOf('ann')))).to.equal('allowed');
    expect(nameOf(() => requireOwner(admin, userIdOf('ann')))).to.equal('Forbidden');
  });
});

describe('authorization to create sessions', () => {
  const account = {
    accountId: accountIdOf('0199a2f0-41c3-7d10-8f6e-2b7c9d0e1f23'),
    ownerUserId: userIdOf('ann'),
  };
  const sign = (given: Partial<Principal>): readonly [string, boolean] => [
    nameOf(() => {
      requireSign(principal(given), account);
    }),
    knowsOf(principal(given), account),
  ];
  const bob = userIdOf('bob');

  it('has the owner, and callers whose scope names all accounts or this one', () => {
    expect(sign({})).to.deep.equal(['allowed', true]);
    for (const scope of ['sign:create', `sign:create:${account.accountId}`, 'tenant:admin'])
      expect(sign({ userId: bob, scopes: new Set([scope]) }), scope).to.deep.equal(['allowed', true]);
    for (const scope of ['sign', 'sign:create:', 'sign:create:0199a2f0-41c3-7d10-8f6e-2b7c9d0e1f24'])
      expect(sign({ userId: bob, scopes: new Set([scope]) }), scope).to.deep.equal(['Forbidden', false]);
    expect(sign({ userId: bob })).to.deep.equal(['Forbidden', false]);
  });
});

describe('an actor', () => {
  it('is refused if the database cannot store its names', () => {
    expect(
      nameOf(() => actorOf({ principal: principal({ userId: userIdOf('\0') }), remoteAddress: '' })),
    ).to.equal('AuthInvalid');
    expect(
      nameOf(() => actorOf({ principal: principal({ tenantId: tenantIdOf('\ud800') }), remoteAddress: '' })),
    ).to.equal('AuthInvalid');
  });
});

describe('versions', () => {
  it('match by the part before the hyphen', () => {
    const matches = (header: string | undefined): string =>
      nameOf(() => {
        requireVersion(header, 3);
      });
    for (const header of [undefined, '*', '"3"', '"3-0af1"', '"1", "3"'])
      expect(matches(header)).to.equal('allowed');
    for (const header of ['"30"', 'W/"3"', 'W/"3-0af1"', '"3-gzip"', 'w/"3"', '3', '', '"1"', '"x-3"'])
      expect(matches(header), header).to.equal('VersionMismatch');
  });
});
