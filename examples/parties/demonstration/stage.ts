/** What the scenarios play on: the service, the parties as processes, an account, and those who call the service. */
import { mkdtemp, rm } from 'node:fs/promises';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Account, RequestKey, RequestSignature } from '../../../generated/types.js';
import { packageRoot } from '../../../src/base/package.js';
import { createAuthority } from '../certificates.js';
import { rawPublicKey } from '../identity-key.js';
import { writePartyFile } from '../party-file.js';
import { certificateProof, identitySignature } from '../party-proofs.js';
import { signRequest } from '../request-keys.js';
import { deal, type Dealt, type DealtParty, type Holder } from './dealer.js';
import { createProcesses } from './processes.js';
import { connectService, type ServiceClient } from './service-client.js';
import { startService } from './service.js';

export interface Approver {
  readonly registered: RequestKey;
  sign(content: Uint8Array): RequestSignature;
}

export interface Stage {
  readonly tenantId: string;
  readonly accountId: string;
  readonly dealt: Dealt;
  /** The owner first. */
  readonly approvers: readonly Approver[];
  /** Owns the account. */
  readonly owner: ServiceClient;
  party(partyId: string): DealtParty;
  /** Ends the party's process. */
  stop(partyId: string, signal: NodeJS.Signals): Promise<void>;
  /** Starts a process in the name of the party: its own program, or one that misbehaves. */
  start(partyId: string, program?: string, ...args: readonly string[]): Promise<void>;
  /** What the service and the parties printed. */
  output(): string;
  /** Ends everything, and leaves nothing behind. */
  close(): Promise<void>;
}

const TENANT = 'acme';
const OWNER = 'ada';
const THRESHOLD = 2;
/** People who sign requests: the owner, who creates sessions, and others, and how many the parties ask for. */
const APPROVERS = [OWNER, 'bea', 'cem'];
const NEEDED = 2;
const HOLDERS: readonly Holder[] = [
  { partyId: 'node-a', shareIndex: 1, role: 'server' },
  { partyId: 'node-b', shareIndex: 2, role: 'server' },
  { partyId: 'helper', shareIndex: 3, role: 'delegate' },
];

/** @param print receives each step as one line */
export async function openStage(print: (line: string) => void): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'dbr-signing-'));
  const processes = createProcesses();
  const close = async (): Promise<void> => {
    await processes.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const authority = createAuthority('dbr example authority');
    const jwtSecret = randomBytes(32).toString('hex');
    const service = await startService(processes, { folder, authority, jwtSecret });
    print(`dbr serves on ${service.url}, its router on ${service.router} for parties with certificates`);

    const dealt = await deal(authority, THRESHOLD, HOLDERS);
    const operator = await connectService(service.url, jwtSecret, {
      tenantId: TENANT,
      userId: 'operations',
      scope: 'parties:admin accounts:write',
    });
    const fileOf = (partyId: string): string => join(folder, `${partyId}.json`);
    const approvers = APPROVERS.map(createApprover);
    const keys = approvers.map(({ registered }) => registered);
    const { accountId } = await register(operator, dealt, keys);
    for (const { holder, file } of dealt.parties) {
      const nonces = join(folder, `${holder.partyId}.nonces`);
      const policy = { tenantId: TENANT, accountId, keys, needed: NEEDED, nonces };
      await writePartyFile(fileOf(holder.partyId), { ...file, router: service.router, policy });
    }

    const startParty = async (partyId: string, program = 'main.ts', ...args: readonly string[]) => {
      const path = join(packageRoot(), 'examples', 'parties', program);
      await processes.start(partyId, {
        args: ['--import', 'tsx', path, fileOf(partyId), ...args],
        readyWhen: [/is ready/],
      });
    };
    await Promise.all(HOLDERS.map(({ partyId }) => startParty(partyId)));
    print(`${HOLDERS.map(({ partyId }) => partyId).join(', ')} are ready: ${String(THRESHOLD)} of them sign`);

    return {
      tenantId: TENANT,
      accountId,
      dealt,
      approvers,
      owner: await connectService(service.url, jwtSecret, { tenantId: TENANT, userId: OWNER }),
      party(partyId) {
        const found = dealt.parties.find(({ holder }) => holder.partyId === partyId);
        if (found === undefined) throw new Error(`no party ${partyId}`);
        return found;
      },
      stop: (partyId, signal) => processes.stop(partyId, signal),
      start: startParty,
      output: () => processes.output(),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What an operator does once: the parties, and the account with who holds which share. */
async function register(
  operator: ServiceClient,
  { publicKey, parties }: Dealt,
  requestKeys: readonly RequestKey[],
): Promise<Account> {
  for (const { holder, file, peer, certified } of parties) {
    const { partyId, role } = holder;
    const proven = { tenantId: TENANT, partyId, identityKey: peer.identityKey };
    await operator.call('POST', '/api/v1/parties', {
      partyId,
      name: partyId,
      role,
      identityPublicKey: peer.identityKey,
      identitySignature: identitySignature(file.identityKey, proven),
      certificate: certificateProof(certified.key, proven),
    });
  }
  return await operator.call<Account>('POST', '/api/v1/accounts', {
    ownerUserId: OWNER,
    name: 'Treasury',
    keyType: 'ed25519',
    publicKey: Buffer.from(publicKey).toString('hex'),
    threshold: THRESHOLD,
    shares: parties.map(({ holder: { partyId, shareIndex, role } }) => ({
      partyId,
      shareIndex,
      shareType: role,
    })),
    requests: 'required',
    requestKeys,
  });
}

/** The key of a person, which stays with that person. */
function createApprover(keyId: string): Approver {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const algorithm = 'ed25519' as const;
  return {
    registered: { keyId, algorithm, publicKey: rawPublicKey(publicKey).toString('hex') },
    sign: (content) => signRequest(keyId, algorithm, privateKey, content),
  };
}
