/** The example parties in this process, over connections that a test may spoil. */
import { randomUUID } from 'node:crypto';
import type { DelegateUserShare, SigningRequest, SigningSession } from '../../../generated/types.js';
import { createAuthority } from '../../../examples/parties/certificates.js';
import { deal, type Dealt } from '../../../examples/parties/demonstration/dealer.js';
import type { PartyFile, PolicyFile } from '../../../examples/parties/party-file.js';
import { openParty, type Party } from '../../../examples/parties/party.js';
import type { RouterClient } from '../../../examples/parties/router-client.js';
import { runParty } from '../../../examples/parties/run-party.js';
import type { Account, TestParty } from '../signing/signing-fixture.js';
import type { RouterFixture } from './router-fixture.js';
import type { RouterHost } from './router-host.js';

export interface RunningParty {
  readonly party: Party;
  /** The reports that the party has sent. */
  readonly reports: readonly string[];
  stop(): Promise<void>;
}

export interface SigningParties {
  readonly account: Account;
  readonly dealt: Dealt;
  readonly registered: ReadonlyMap<string, TestParty>;
  open(partyId: string, spoil?: (router: RouterClient) => RouterClient): Promise<Party>;
  /** Resolves when the router knows the party. */
  run(partyId: string, spoil?: (router: RouterClient) => RouterClient): Promise<RunningParty>;
  createSession(choices?: SessionChoices): Promise<SigningSession>;
  /** Waits until the session has ended. */
  ended(sessionId: string): Promise<SigningSession>;
  stop(): Promise<void>;
}

export interface SessionChoices {
  readonly sessionId?: string;
  readonly delegateUserShare?: DelegateUserShare;
  readonly messageDigest?: string;
  readonly message?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly request?: SigningRequest;
  readonly parties?: readonly string[];
  readonly replaces?: string;
}

const HOLDERS = [
  { shareIndex: 1, role: 'server' },
  { shareIndex: 2, role: 'server' },
  { shareIndex: 3, role: 'delegate' },
] as const;

export const DIGEST = Buffer.alloc(32, 7);

export interface PartyOptions {
  readonly name?: string;
  /** Called when the party is opened. */
  readonly policyOf?: (partyId: string) => PolicyFile | null;
  readonly account?: Partial<Account>;
}

/** Two servers and a delegate, whose names begin with `name`, and the account whose key two of them sign with. */
export async function createSigningParties(
  fixture: RouterFixture,
  host: RouterHost,
  { name = randomUUID().slice(0, 8), policyOf = () => null, account: more = {} }: PartyOptions = {},
): Promise<SigningParties> {
  const holders = HOLDERS.map((holder) => ({ ...holder, partyId: `${name}-${String(holder.shareIndex)}` }));
  const registered = new Map<string, TestParty>();
  for (const { partyId, role } of holders) registered.set(partyId, await fixture.createParty(partyId, role));
  const dealt = await deal(createAuthority('authority'), 2, holders);
  const identityOf = (partyId: string): TestParty => {
    const found = registered.get(partyId);
    if (found === undefined) throw new Error(`no party ${partyId}`);
    return found;
  };
  // The parties of the fixture come with identity keys of their own.
  const peers = dealt.parties.map(({ peer }) => {
    const { identityPublicKey } = identityOf(peer.partyId).identity;
    return { ...peer, identityKey: identityPublicKey.toString('hex') };
  });
  const fileOf = (partyId: string): PartyFile => {
    const found = dealt.parties.find(({ holder }) => holder.partyId === partyId);
    if (found === undefined) throw new Error(`no party ${partyId}`);
    const identityKey = identityOf(partyId).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    return { ...found.file, router: 'unused', identityKey, peers, policy: policyOf(partyId) };
  };
  const publicKey = Buffer.from(dealt.publicKey).toString('hex');
  const account = await fixture.createAccount([...registered.values()], { publicKey, ...more });
  const running: RunningParty[] = [];

  const open = (partyId: string, spoil = (router: RouterClient) => router): Promise<Party> =>
    openParty(fileOf(partyId), spoil(host.connect(identityOf(partyId))));

  return {
    account,
    dealt,
    registered,
    open,
    async run(partyId, spoil) {
      const party = await open(partyId, spoil);
      const reports: string[] = [];
      const stopping = new AbortController();
      let life = Promise.resolve();
      await new Promise<void>((resolve, reject) => {
        life = runParty(party, {
          signal: stopping.signal,
          onReady: resolve,
          report: (text) => reports.push(text),
        });
        life.catch(reject);
      });
      const one: RunningParty = {
        party,
        reports,
        async stop() {
          stopping.abort();
          await life;
        },
      };
      running.push(one);
      return one;
    },
    async createSession(choices = {}) {
      const body =
        choices.message === undefined ? { messageDigest: DIGEST.toString('hex'), ...choices } : choices;
      const request = { path: { id: account.accountId }, query: {}, headers: {}, body };
      const answer = await fixture.signing.handlers.createSigningSession(request, fixture.context());
      return answer.body as SigningSession;
    },
    async ended(sessionId) {
      for (;;) {
        const request = { path: { id: sessionId }, query: {}, headers: {}, body: undefined };
        const answer = await fixture.signing.handlers.getSigningSession(request, fixture.context());
        const session = answer.body as SigningSession;
        if (session.endedAt !== null) return session;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
    async stop() {
      await Promise.all(running.map((one) => one.stop()));
    },
  };
}
