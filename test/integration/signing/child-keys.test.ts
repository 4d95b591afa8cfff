import { secp256k1 } from '@noble/curves/secp256k1.js';
import { expect } from 'chai';
import { createHash, createHmac } from 'node:crypto';
import type { Account, AccountChange, AccountRequest, SigningSession } from '../../../generated/types.js';
import { DbrError } from '../../../src/errors/dbr-error.js';
import {
  createSigningFixture,
  type SigningFixture,
  type TestParty,
} from '../../support/signing/signing-fixture.js';

const DIGEST = createHash('sha256').update('pay').digest();
const CHAIN_CODE = '07'.repeat(32);
const { Point, utils } = secp256k1;
const parent = utils.randomSecretKey();
const publicKey = Buffer.from(secp256k1.getPublicKey(parent));

/** CKDpriv of BIP 32: the private key of the parent plus a hash. */
function childOf(index: number): Uint8Array {
  const data = Buffer.concat([publicKey, Buffer.from([0, 0, 0, index])]);
  const hash = createHmac('sha512', Buffer.from(CHAIN_CODE, 'hex')).update(data).digest('hex').slice(0, 64);
  return Point.Fn.toBytes(Point.Fn.add(Point.Fn.fromBytes(parent), Point.Fn.create(BigInt(`0x${hash}`))));
}

const sign = (key: Uint8Array): Buffer => Buffer.from(secp256k1.sign(DIGEST, key, { prehash: false }));

async function refusal(work: Promise<unknown>): Promise<string> {
  return await work.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof DbrError)
        return [error.name, ...(error.problems ?? []).map(({ code }) => code)].join(' ');
      throw error;
    },
  );
}

describe('accounts with a chain code', function () {
  this.timeout(60_000);
  let fixture: SigningFixture;
  let parties: readonly TestParty[];
  before(async () => {
    fixture = await createSigningFixture();
    parties = [await fixture.createParty('node-a', 'server'), await fixture.createParty('node-b', 'server')];
  });
  after(() => fixture.drop());

  async function createAccount(more: Partial<AccountRequest> = {}): Promise<Account> {
    const body = {
      ...{ name: 'Chain', ownerUserId: 'ann', keyType: 'secp256k1' as const, threshold: 2 },
      ...{ publicKey: publicKey.toString('hex'), chainCode: CHAIN_CODE },
      shares: parties.map(({ identity: { partyId } }, index) => ({
        ...{ partyId, shareIndex: index + 1, shareType: 'server' as const },
      })),
      ...more,
    };
    const request = { path: {}, query: {}, headers: {}, body };
    return (await fixture.signing.handlers.createAccount(request, fixture.context())).body as Account;
  }
  async function createSession(
    accountId: string,
    derivationPath: readonly number[],
  ): Promise<SigningSession> {
    const body = { messageDigest: DIGEST.toString('hex'), derivationPath };
    const request = { path: { id: accountId }, query: {}, headers: {}, body };
    const { handlers, sessions } = fixture.signing;
    const session = (await handlers.createSigningSession(request, fixture.context())).body as SigningSession;
    for (const { identity } of parties) await sessions.join(identity, session.sessionId, 'i');
    return session;
  }
  async function report(session: SigningSession, signature: Buffer): Promise<string> {
    const [party] = parties;
    if (party === undefined) throw new Error('no party');
    const result = { kind: 'signature', signature } as const;
    return (await fixture.signing.sessions.reportResult(party.identity, session.sessionId, result)).state;
  }

  it('have signatures by child keys verified: one report completes a session, and a wrong one ends it', async () => {
    const { accountId, chainCode } = await createAccount();
    expect(chainCode).to.equal(CHAIN_CODE);
    expect(await report(await createSession(accountId, [5]), sign(childOf(5)))).to.equal('completed');
    expect(await report(await createSession(accountId, [5]), sign(childOf(6)))).to.equal('failed');
    expect(await report(await createSession(accountId, []), sign(parent))).to.equal('completed');
  });

  it('refuse paths that only the private key derives', async () => {
    const { accountId } = await createAccount();
    expect(await refusal(createSession(accountId, [0, 2 ** 31]))).to.equal('DerivationNotPossible');
  });

  it('get it once, for a kind of key that has child keys', async () => {
    expect(
      await refusal(
        createAccount({
          keyType: 'ed25519',
          publicKey: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
        }),
      ),
    ).to.equal('AccountInvalid no_derivation');
    const { accountId } = await createAccount();
    const change = (body: AccountChange): Promise<unknown> =>
      fixture.signing.handlers.updateAccount(
        { path: { id: accountId }, query: {}, headers: {}, body },
        fixture.context(),
      );
    expect(await refusal(change({ chainCode: CHAIN_CODE }))).to.equal('done');
    expect(await refusal(change({ chainCode: '08'.repeat(32) }))).to.equal('AccountInvalid chain_code_known');
  });
});
