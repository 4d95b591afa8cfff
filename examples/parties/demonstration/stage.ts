/** What the scenarios play on: the service, the parties as processes, an account, and those who call the service. */
import { mkdtemp, rm } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Account } from '../../../generated/types.js';
import { packageRoot } from '../../../src/base/package.js';
import { createAuthority } from '../certificates.js';
import { writePartyFile } from '../party-file.js';
import { certificateProof, identitySignature } from '../party-proofs.js';
import { deal, type Dealt, type DealtParty, type Holder } from './dealer.js';
import { createProcesses } from './processes.js';
import { connectService, type ServiceClient } from './service-client.js';
import { startService } from './service.js';

export interface Stage {
  readonly tenantId: string;
  readonly accountId: string;
  readonly dealt: Dealt;
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
/** Short, so that a dead party is not waited for long. */
const READY_SECONDS = 8;
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
    const readySeconds = READY_SECONDS;
    const service = await startService(processes, { folder, authority, jwtSecret, readySeconds });
    print(`dbr serves on ${service.url}, its router on ${service.router} for parties with certificates`);

    const dealt = await deal(authority, THRESHOLD, HOLDERS);
    const operator = await connectService(service.url, jwtSecret, {
      tenantId: TENANT,
      userId: 'operations',
      scope: 'parties:admin accounts:write',
    });
    const fileOf = (partyId: string): string => join(folder, `${partyId}.json`);
    for (const { holder, file } of dealt.parties)
      await writePartyFile(fileOf(holder.partyId), { ...file, router: service.router });
    const { accountId } = await register(operator, dealt);

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
async function register(operator: ServiceClient, { publicKey, parties }: Dealt): Promise<Account> {
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
  });
}
