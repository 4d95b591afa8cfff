import { expect } from 'chai';
import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import { certificateProof, consentSignature } from '../../examples/parties/party-proofs.js';
import type { OperationId } from '../../generated/operations.js';
import type {
  Account,
  NotificationPage,
  Party,
  PartyKeyProposal,
  PartyKeys,
  SigningSession,
  SigningSessionEventPage,
} from '../../generated/types.js';
import { accountBody, partyBody, sessionBody } from '../support/contract/signing-bodies.js';
import { createSigningDatabase, type SigningDatabase } from '../support/signing/signing-database.js';
import { startTestService, untilReady, type TestService } from '../support/service/service.js';
import {
  createContractClient,
  type Call,
  type ContractClient,
  type ContractResponse,
} from '../support/contract/contract-client.js';

const SECRET = 'a secret for tests, of at least thirty-two bytes';

const sign = (claims: Readonly<Record<string, unknown>>): Promise<string> =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(SECRET));
const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();
const rawOf = (key: KeyObject): string => key.export({ type: 'spki', format: 'der' }).toString('hex', 12);
const sha256 = (hex: string): string => createHash('sha256').update(hex, 'hex').digest('hex');
const error = (code: string, message: string, details: string | null, hint: string | null): object => ({
  ...{ code, message, details, hint },
});

describe('contract of area B: other keys of a party', function () {
  this.timeout(120_000);
  let database: SigningDatabase;
  let service: TestService;
  let client: ContractClient;
  let [rita, sven, other, ann] = ['', '', '', ''];
  let count = 0;

  const start = () =>
    startTestService({
      areas: 'signing,notifications',
      'db-uri': database.serviceUri,
      'service-jwt-secret': SECRET,
      'signing-session-limit': '0',
    });

  before(async () => {
    database = await createSigningDatabase();
    service = await start();
    await untilReady(service);
    const scope = 'parties:admin accounts:write accounts:read audit:read';
    rita = await sign({ tenantId: 'acme', sub: 'rita', scope });
    sven = await sign({ tenantId: 'acme', sub: 'sven', scope });
    other = await sign({ tenantId: 'other', sub: 'sven', scope });
    ann = await sign({ tenantId: 'acme', sub: 'ann' });
    client = createContractClient(() => service.url, ann);
    for (const partyId of ['node-a', 'node-b']) await register(partyId);
  });
  after(async () => {
    await service.stop();
    await database.drop();
  });

  const call = (operation: OperationId, given: Call = {}): Promise<ContractResponse> =>
    client.call(operation, { token: rita, ...given });

  async function register(partyId: string) {
    const keys = generateKeyPairSync('ed25519');
    const body = partyBody(partyId, 'server', 'acme', keys);
    const created = await call('createParty', { body });
    expect(created.status).to.equal(201);
    return { partyId, keys, path: { id: partyId }, party: created.body as Party };
  }
  const newParty = () => register(`node-${String(count++)}`);
  type Registered = Awaited<ReturnType<typeof newParty>>;

  /** Another identity key, with its proof. */
  function otherKey(partyId: string) {
    const keys = generateKeyPairSync('ed25519');
    const { identityPublicKey, identitySignature } = partyBody(partyId, 'server', 'acme', keys);
    return { keys, body: { identityPublicKey, identitySignature } };
  }

  /** The change with the consent of the identity key in force. */
  function consented(
    { partyId, keys }: Registered,
    next: ReturnType<typeof otherKey>,
    formerKeysSeconds = 0,
  ) {
    const currentSignature = consentSignature(pemOf(keys.privateKey), {
      ...{ tenantId: 'acme', partyId, identityKey: next.body.identityPublicKey },
      ...{ currentKey: rawOf(keys.publicKey), certificateSha256: null, formerKeysSeconds },
    });
    return { ...next.body, formerKeysSeconds, currentSignature };
  }

  async function propose({ partyId, path }: Registered, token = rita) {
    const next = otherKey(partyId);
    const answer = await call('updateParty', { token, path, body: next.body });
    expect(answer.status, JSON.stringify(answer.body)).to.equal(202);
    const { proposal } = answer.body as PartyKeys;
    if (proposal === null) throw new Error('no proposal');
    return { ...next, proposal };
  }

  const confirm = ({ path }: Registered, { proposalId }: PartyKeyProposal, token = sven) =>
    call('confirmPartyKeys', { token, path, body: { proposalId } });
  const age = (partyId: string): Promise<null> =>
    database.superuser.none(
      `update dbr_signing.party_key_proposals set proposed_at = proposed_at - interval '1 day' where party_id = $1`,
      [partyId],
    );
  const keysOf = async ({ path }: Registered): Promise<PartyKeys> =>
    (await call('listPartyKeys', { path })).body as PartyKeys;
  const identityOf = async ({ path }: Registered): Promise<string> =>
    ((await call('getParty', { path })).body as Party).identityPublicKey;

  it('are proposed by one user, and in force when another confirms them a day later', async () => {
    const party = await newParty();
    const { proposal, body } = await propose(party);
    expect(proposal).to.include({
      ...{ identityPublicKey: body.identityPublicKey, certificateSha256: null, formerKeysSeconds: 0 },
      proposedBy: 'rita',
    });
    const delay = Date.parse(proposal.confirmableFrom) - Date.parse(proposal.proposedAt);
    expect(delay).to.equal(86_400_000);
    expect(await identityOf(party)).to.equal(party.party.identityPublicKey);

    const early = await confirm(party, proposal);
    expect([early.status, early.body]).to.deep.equal([
      409,
      error(
        ...(['DBR532', 'The proposed keys may not be confirmed yet'] as const),
        ...([`They may be confirmed from ${proposal.confirmableFrom}.`, null] as const),
      ),
    ]);
    await age(party.partyId);
    const alone = await confirm(party, proposal, rita);
    expect([alone.status, alone.body]).to.deep.equal([
      403,
      error(
        ...(['DBR402', 'Not allowed'] as const),
        ...(['Another user than the one who proposed the keys must confirm them.', null] as const),
      ),
    ]);
    expect((await confirm(party, proposal, ann)).status).to.equal(403);
    const foreign = await confirm(party, proposal, other);
    expect([foreign.status, foreign.body]).to.deep.equal([
      404,
      error('DBR501', 'Party not found', null, null),
    ]);

    const confirmed = await confirm(party, proposal);
    expect([confirmed.status, confirmed.body]).to.deep.equal([
      200,
      { ...party.party, identityPublicKey: body.identityPublicKey, version: 2 },
    ]);
    expect(confirmed.headers.get('etag')).to.equal('"2"');
    const keys = await keysOf(party);
    expect(keys.proposal).to.equal(null);
    expect(keys.items.map(({ publicKey, status }) => [publicKey, status])).to.deep.equal([
      [body.identityPublicKey, 'current'],
      [party.party.identityPublicKey, 'revoked'],
    ]);
    const again = await confirm(party, proposal);
    expect([again.status, again.body]).to.deep.equal([
      404,
      error('DBR531', 'Key or proposal not found', null, null),
    ]);
  });

  it('are in force at once if the key in force signs them, and the former ones are accepted for the time it names', async () => {
    const party = await newParty();
    const next = otherKey(party.partyId);
    const forged = { ...consented(party, next, 60), formerKeysSeconds: 61 };
    const refused = await call('updateParty', { path: party.path, body: forged });
    expect(refused.status).to.equal(422);
    expect((refused.body as { readonly errors: readonly object[] }).errors).to.deep.equal([
      {
        path: '/currentSignature',
        code: 'signature',
        message: 'must be by the current identity key over these keys',
      },
    ]);
    const changed = await call('updateParty', { path: party.path, body: consented(party, next, 60) });
    expect([changed.status, (changed.body as Party).identityPublicKey]).to.deep.equal([
      ...[200, next.body.identityPublicKey],
    ]);
    const { items } = await keysOf(party);
    expect(items.map(({ status }) => status)).to.deep.equal(['current', 'former']);
    const [current, former] = items;
    expect(Date.parse(former?.acceptedUntil ?? '') - Date.parse(current?.since ?? '')).to.equal(60_000);

    const revoke = (hash: string) => call('revokePartyKey', { path: { ...party.path, sha256: hash } });
    const inForce = await revoke(sha256(next.body.identityPublicKey));
    expect([inForce.status, inForce.body]).to.deep.equal([
      409,
      error('DBR533', 'The key is the current one', null, 'Replace the key, or suspend the party.'),
    ]);
    expect((await revoke(sha256(party.party.identityPublicKey))).status).to.equal(204);
    expect((await revoke(sha256(party.party.identityPublicKey))).status).to.equal(204);
    expect((await keysOf(party)).items.map(({ status }) => status)).to.deep.equal(['current', 'revoked']);
  });

  it('are never keys that were replaced or revoked, for no party', async () => {
    const party = await newParty();
    const next = otherKey(party.partyId);
    await call('updateParty', { path: party.path, body: consented(party, next) });
    const ended = error(
      ...(['DBR530', 'The key is not accepted again'] as const),
      ...(['The identity key was replaced or revoked.', 'Make a new key.'] as const),
    );
    const { identityPublicKey, identitySignature } = partyBody(party.partyId, 'server', 'acme', party.keys);
    const back = { identityPublicKey, identitySignature };
    const own = await call('updateParty', { path: party.path, body: back });
    expect([own.status, own.body]).to.deep.equal([409, ended]);
    const elsewhere = await call('createParty', { body: partyBody('thief', 'server', 'acme', party.keys) });
    expect([elsewhere.status, elsewhere.body]).to.deep.equal([409, ended]);
    const inDer = await call('createParty', {
      body: partyBody('thief', 'server', 'acme', party.keys, 'der'),
    });
    expect([inDer.status, inDer.body]).to.deep.equal([409, ended]);
    expect(await identityOf(party)).to.equal(next.body.identityPublicKey);

    const withdrawn = await propose(party);
    const path = { ...party.path, sha256: sha256(withdrawn.body.identityPublicKey) };
    expect((await call('revokePartyKey', { path: { ...path, id: 'node-a' } })).status).to.equal(404);
    expect((await call('revokePartyKey', { token: other, path })).status).to.equal(404);
    expect((await call('revokePartyKey', { token: sven, path })).status).to.equal(204);
    expect((await keysOf(party)).proposal).to.equal(null);
    const repeated = await call('updateParty', { path: party.path, body: withdrawn.body });
    expect([repeated.status, repeated.body]).to.deep.equal([409, ended]);
  });

  it('include the first certificate of a party, and one that another tenant has is refused', async () => {
    const party = await newParty();
    const key = pemOf(generateKeyPairSync('ed25519').privateKey);
    const proofFor = (tenantId: string, partyId: string, identityKey: string) =>
      certificateProof(key, { tenantId, partyId, identityKey });
    const certificate = proofFor('acme', party.partyId, party.party.identityPublicKey);
    const proposed = await call('updateParty', { path: party.path, body: { certificate } });
    expect([proposed.status, (proposed.body as PartyKeys).proposal?.certificateSha256]).to.deep.equal([
      ...[202, sha256(certificate.publicKey)],
    ]);
    const bare = partyBody('theirs', 'server', 'other');
    const theirs = { ...bare, certificate: proofFor('other', 'theirs', bare.identityPublicKey) };
    expect((await call('createParty', { token: other, body: theirs })).status).to.equal(201);
    const taken = error(
      ...(['DBR515', 'The party exists already'] as const),
      ...(['Another party has this certificate.', 'Use PATCH to change it.'] as const),
    );
    const again = await call('updateParty', { path: party.path, body: { certificate } });
    expect([again.status, again.body]).to.deep.equal([409, taken]);
    await age(party.partyId);
    const { proposal } = await keysOf(party);
    if (proposal === null) throw new Error('no proposal');
    const late = await confirm(party, proposal);
    expect([late.status, late.body]).to.deep.equal([409, taken]);
  });

  it('are reported to the owner, the open sessions and the audit log when they are proposed', async () => {
    const party = await newParty();
    const shares = [
      { partyId: 'node-a', shareIndex: 1, shareType: 'server' },
      { partyId: party.partyId, shareIndex: 2, shareType: 'server' },
    ];
    const account = (await call('createAccount', { body: { ...accountBody(), shares } })).body as Account;
    const at = { path: { id: account.accountId } };
    const session = (await call('createSigningSession', { ...at, token: ann, body: sessionBody() }))
      .body as SigningSession;
    const { body } = await propose(party);
    const data = { identityPublicKey: body.identityPublicKey, certificateSha256: null };
    const { items } = (await call('listSigningSessionEvents', { path: { id: session.sessionId } }))
      .body as SigningSessionEventPage;
    expect(items.at(-1)).to.deep.include({
      ...{ type: 'party-keys-proposed', state: 'created', partyId: party.partyId, data },
    });
    const inbox = (await call('listNotifications', { token: ann, query: 'category=signing&limit=1' }))
      .body as NotificationPage;
    expect(inbox.items[0]).to.deep.include({
      type: 'signing.party.keys_proposed',
      title: `Other keys proposed for party ${party.partyId}`,
      data: { partyId: party.partyId, ...data },
    });
    // The same keys again are the same proposal, and reported once.
    const before = await keysOf(party);
    expect((await call('updateParty', { path: party.path, body })).status).to.equal(202);
    expect(await keysOf(party)).to.deep.equal(before);
    const log = await database.superuser.any<{ readonly action: string }>(
      `select action from dbr_signing.audit_log where subject = $1 order by audit_id`,
      [`party:${party.partyId}`],
    );
    expect(log.map(({ action }) => action)).to.deep.equal(['party.create', 'party.propose-keys']);
  });

  it('are confirmed after a restart, and not after the erasure of the user who proposed them', async () => {
    const party = await newParty();
    const tom = await sign({ tenantId: 'acme', sub: 'tom', scope: 'parties:admin users:erase' });
    const { proposal, body } = await propose(party, tom);
    await age(party.partyId);
    await service.stop();
    service = await start();
    await untilReady(service);
    const own = await confirm(party, proposal, tom);
    expect(own.status).to.equal(403);
    const erased = await propose(await newParty(), tom);
    expect((await confirm(party, proposal)).status).to.equal(200);
    expect(await identityOf(party)).to.equal(body.identityPublicKey);
    expect((await call('eraseUser', { token: tom, path: { id: 'tom' } })).status).to.be.lessThan(300);
    expect((await confirm(await partyOf(erased.proposal), erased.proposal, tom)).status).to.equal(404);
  });

  async function partyOf({ identityPublicKey }: PartyKeyProposal): Promise<Registered> {
    const { party_id: id } = await database.superuser.one<{ readonly party_id: string }>(
      `select party_id from dbr_signing.party_key_proposals where identity_public_key = $1`,
      [Buffer.from(identityPublicKey, 'hex')],
    );
    const party = (await call('getParty', { path: { id } })).body as Party;
    return { partyId: id, path: { id }, party, keys: generateKeyPairSync('ed25519') };
  }

  it('are confirmed once by two users at a time', async () => {
    for (let round = 0; round < 4; round++) {
      const party = await newParty();
      const { proposal } = await propose(party);
      await age(party.partyId);
      const tim = await sign({ tenantId: 'acme', sub: 'tim', scope: 'parties:admin' });
      const answers = await Promise.all([confirm(party, proposal), confirm(party, proposal, tim)]);
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 404]);
      expect((await keysOf(party)).items.length).to.equal(2);
    }
  });

  it('are confirmed or revoked, and not both, at a time', async () => {
    for (let round = 0; round < 4; round++) {
      const party = await newParty();
      const { proposal, body } = await propose(party);
      await age(party.partyId);
      const path = { ...party.path, sha256: sha256(body.identityPublicKey) };
      const [confirmed, revoked] = await Promise.all([
        confirm(party, proposal),
        call('revokePartyKey', { path }),
      ]);
      const key = (await keysOf(party)).items.find(({ publicKey }) => publicKey === body.identityPublicKey);
      const outcome = [confirmed.status, revoked.status, key?.status];
      expect([
        [200, 409, 'current'],
        [404, 204, 'revoked'],
      ]).to.deep.include(outcome);
    }
  });
});
