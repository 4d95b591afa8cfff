import { expect } from 'chai';
import { partyIdOf, tenantIdOf, userIdOf } from '../../../src/base/identifiers.js';
import type { Account, AccountShare } from '../../../src/signing/accounts/account-store.js';
import {
  activeDelegate,
  chooseParties,
  configProblems,
  effectiveShares,
  readinessProblems,
  sameParties,
} from '../../../src/signing/accounts/signing-parties.js';
import type { PartyStatus } from '../../../src/signing/types.js';
import { accountIdOf } from '../../support/identifiers.js';

const share = (name: string, more: Partial<AccountShare> = {}): AccountShare => ({
  partyId: partyIdOf(name),
  shareIndex: 1,
  shareType: 'server',
  status: 'active',
  partyRole: 'server',
  partyStatus: 'active',
  online: true,
  ...more,
});
const A = share('a');
const B = share('b');
const DELEGATE = share('d', { shareType: 'delegate', partyRole: 'delegate' });
const BACKUP = share('backup', { shareType: 'backup' });
const SUSPENDED = share('suspended', { partyStatus: 'suspended' });
const RETIRED = share('retired', { status: 'retired' });

const account = (
  shares: readonly AccountShare[],
  configured: readonly string[] | null = null,
  more: Partial<Account> = {},
): Account => ({
  accountId: accountIdOf('018f0000-0000-7000-8000-000000000001'),
  tenantId: tenantIdOf('acme'),
  ownerUserId: userIdOf('ann'),
  name: 'savings',
  keyType: 'ed25519',
  publicKey: null,
  chainCode: null,
  threshold: 2,
  status: 'active',
  shares,
  signingParties: configured?.map(partyIdOf) ?? null,
  requests: 'optional',
  requestKeys: [],
  namedParties: 'refused',
  configVersion: 0,
  configUpdatedAt: null,
  configUpdatedBy: null,
  tenantFrozen: false,
  version: 1,
  createdAt: '2026-03-01T09:30:00.000Z',
  updatedAt: '2026-03-01T09:30:00.000Z',
  ...more,
});
const names = (shares: readonly AccountShare[]): readonly string[] => shares.map(({ partyId }) => partyId);

describe('a configuration of signing parties', () => {
  const all = [A, B, DELEGATE, BACKUP, SUSPENDED, RETIRED];
  const standings = new Map(
    ([...all, share('stranger'), share('revoked', { partyStatus: 'revoked' })] as const).map(
      ({ partyId, partyRole: role, partyStatus: status }) => [partyId as string, { partyId, role, status }],
    ),
  );
  const problems = (named: readonly string[], threshold = 2): readonly string[] =>
    configProblems(account(all, null, { threshold }), named, standings).map(
      ({ path, code }) => `${path} ${code}`,
    );

  it('names active holders of signing shares, as many as must sign or more', () => {
    expect(problems(['a', 'b'])).to.deep.equal([]);
    expect(problems(['b', 'a', 'd'])).to.deep.equal([]);
    expect(problems(['a'], 1)).to.deep.equal([]);
    expect(problems(['a'])).to.deep.equal(['/signingParties below_threshold']);
  });

  it('is refused with every problem at once, each at its place', () => {
    expect(
      problems(['a', 'unknown', 'a', 'backup', 'suspended', 'retired', 'stranger', 'revoked']),
    ).to.deep.equal([
      '/signingParties/1 unknown_party',
      '/signingParties/2 duplicate_party',
      '/signingParties/3 party_has_no_share',
      '/signingParties/4 party_not_active',
      '/signingParties/5 party_has_no_share',
      '/signingParties/6 party_has_no_share',
      '/signingParties/7 party_not_active',
      '/signingParties/7 party_has_no_share',
    ]);
  });

  it('counts a party that is named twice once', () => {
    expect(problems(['a', 'a'])).to.deep.equal([
      '/signingParties/1 duplicate_party',
      '/signingParties below_threshold',
    ]);
  });

  it('says how a party stands and how many must sign', () => {
    const messages = configProblems(account(all), ['suspended'], standings).map(({ message }) => message);
    expect(messages).to.deep.equal(['the party is suspended', '2 parties must sign together']);
  });

  it('names 1 to 64 parties', () => {
    const many = Array.from({ length: 64 }, (_, index) => `p${String(index)}`);
    const known = new Map(
      many.map((name) => {
        const status: PartyStatus = 'active';
        return [name, { partyId: partyIdOf(name), role: 'server' as const, status }];
      }),
    );
    const shares = many.map((name) => share(name));
    expect(configProblems(account(shares), many, known)).to.deep.equal([]);
    expect(configProblems(account(shares), [...many, 'a'], known)).to.deep.equal([
      { path: '/signingParties', code: 'too_many', message: 'at most 64 parties may be named' },
    ]);
    expect(problems([])).to.deep.equal(['/signingParties empty']);
  });

  it('is the same in another order', () => {
    expect(sameParties(['a', 'b'], ['b', 'a'])).to.equal(true);
    expect(sameParties([], [])).to.equal(true);
    for (const other of [['a'], ['a', 'c'], ['a', 'b', 'c'], []])
      expect(sameParties(['a', 'b'], other), other.join()).to.equal(false);
  });
});

describe('the parties of a session', () => {
  const chosen = (of: Account, withShare = false) => {
    const { partySource, shares, delegate } = chooseParties(of, withShare);
    return { partySource, parties: names(shares), delegate: delegate?.partyId ?? null };
  };
  const refused = (of: Account, code: string, withShare = false) =>
    expect(() => chooseParties(of, withShare))
      .to.throw()
      .with.property('name', code);

  it('are all active holders of signing shares without a configuration', () => {
    const of = account([A, BACKUP, SUSPENDED, RETIRED, B, DELEGATE]);
    expect(chosen(of)).to.deep.equal({ partySource: 'all_active', parties: ['a', 'b'], delegate: null });
    expect(names(effectiveShares(of))).to.deep.equal(['a', 'b']);
  });

  it('include the delegate without a configuration if the user supplies a share', () => {
    expect(chosen(account([A, DELEGATE]), true)).to.deep.equal({
      partySource: 'all_active',
      parties: ['a', 'd'],
      delegate: 'd',
    });
    refused(account([A, DELEGATE]), 'NotEnoughActiveParties');
    refused(account([A, B]), 'DelegateShareUnexpected', true);
    refused(account([A, B, { ...DELEGATE, partyStatus: 'suspended' }]), 'DelegateShareUnexpected', true);
  });

  it('are exactly the configured ones, in their order', () => {
    const of = account([A, B, share('c')], ['c', 'a']);
    expect(chosen(of)).to.deep.equal({ partySource: 'configured', parties: ['c', 'a'], delegate: null });
    expect(chosen(account([A, B, DELEGATE], ['d', 'b']), true)).to.deep.equal({
      partySource: 'configured',
      parties: ['d', 'b'],
      delegate: 'd',
    });
    refused(of, 'DelegateShareUnexpected', true);
  });

  it('are not replaced if a configured one is not available', () => {
    for (const missing of [SUSPENDED, RETIRED])
      expect(() => chooseParties(account([A, B, missing], ['a', 'b', missing.partyId]), false))
        .to.throw()
        .with.property('details', `Not available: ${missing.partyId}.`);
    const two = account([A, SUSPENDED, RETIRED], ['suspended', 'retired', 'a']);
    expect(() => chooseParties(two, false))
      .to.throw()
      .that.includes({ name: 'SigningPartyUnavailable', details: 'Not available: suspended, retired.' });
  });

  it('are as many as must sign, of an account that is active', () => {
    expect(chosen(account([A, B, share('c')], null, { threshold: 3 })).parties).to.have.length(3);
    refused(account([A, SUSPENDED]), 'NotEnoughActiveParties');
    for (const status of ['pending', 'frozen', 'archived'] as const)
      refused(account([A, B], null, { status }), 'AccountNotActive');
  });
});

describe('the delegate of an account', () => {
  it('holds an active share of the type, and is active', () => {
    expect(activeDelegate(account([A, DELEGATE]))).to.equal(DELEGATE);
    expect(activeDelegate(account([A, B]))).to.equal(null);
    for (const more of [{ status: 'retired' }, { partyStatus: 'suspended' }] as const)
      expect(activeDelegate(account([A, { ...DELEGATE, ...more }]))).to.equal(null);
  });
});

describe('what prevents a session', () => {
  const problems = (of: Account): readonly string[] =>
    readinessProblems(of).map(
      ({ code, partyId, message }) => `${code} ${partyId ?? 'of the account'}: ${message}`,
    );

  it('is nothing if enough parties are active', () => {
    expect(problems(account([A, B]))).to.deep.equal([]);
    expect(problems(account([A, B, SUSPENDED], ['a', 'b']))).to.deep.equal([]);
  });

  it('is a share that the delegate lacks only where the user cannot supply it', () => {
    expect(problems(account([A, DELEGATE]))).to.deep.equal([]);
    expect(problems(account([A, DELEGATE], ['a']))).to.deep.equal([
      'below_threshold of the account: 1 of 2 are active.',
    ]);
    expect(problems(account([A, DELEGATE], null, { threshold: 3 }))).to.deep.equal([
      'below_threshold of the account: 2 of 3 are active.',
    ]);
  });

  it('is listed at once: the account, each party, each share, the number', () => {
    const of = account([SUSPENDED, { ...RETIRED, partyStatus: 'revoked' }], ['suspended', 'retired'], {
      status: 'frozen',
      threshold: 3,
    });
    expect(problems(of)).to.deep.equal([
      'account_not_active of the account: The account is frozen.',
      'party_not_active suspended: The party is suspended.',
      'party_not_active retired: The party is revoked.',
      'party_has_no_share retired: The share of the party is retired.',
      'below_threshold of the account: 2 of 3 are active.',
    ]);
  });
});
