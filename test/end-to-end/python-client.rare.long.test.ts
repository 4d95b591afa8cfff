/** examples/parties/custody_client.py, which is written from the manual alone, with a service and three parties as processes. */
import { expect } from 'chai';
import { build } from 'esbuild';
import { spawn, spawnSync, type ChildProcessByStdio } from 'node:child_process';
import { createPublicKey, verify } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { createAuthority } from '../../examples/parties/certificates.js';
import { makeKeys } from '../../examples/parties/demonstration/dealer.js';
import { createProcesses, type Processes } from '../../examples/parties/demonstration/processes.js';
import { connectService, mint } from '../../examples/parties/demonstration/service-client.js';
import { startService } from '../../examples/parties/demonstration/service.js';
import { writePartyFile } from '../../examples/parties/party-file.js';
import { certificateProof, identitySignature } from '../../examples/parties/party-proofs.js';
import type { RequestKey } from '../../generated/types.js';
import { packageRoot } from '../../src/base/package.js';

const TENANT = 'acme';
const MESSAGE = 'Pay invoice 17: 1,200 EUR to the supplier.';
const PROGRAM = join(packageRoot(), 'examples', 'parties', 'custody_client.py');
const PARTY_PROGRAM = join(packageRoot(), 'examples', 'parties', 'main.ts');
/** CommonJS packages in an ES module call this for the modules of Node. */
const REQUIRE =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";
const JWT_SECRET = 'a secret of thirty-two bytes or more';
/** With Debian's packages, where there is another Python beside it. */
const PATH = `/usr/bin:/bin:${process.env['PATH'] ?? ''}`;
const SPKI_OF_ED25519 = Buffer.from('302a300506032b6570032100', 'hex');

/** One file, which three processes read in a fifth of the processor time that the sources take. */
async function bundleParty(outfile: string): Promise<string> {
  await build({
    ...{ entryPoints: [PARTY_PROGRAM], outfile, bundle: true },
    ...{ format: 'esm', platform: 'node', banner: { js: REQUIRE }, logLevel: 'warning' },
  });
  return outfile;
}

interface Program {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  /** Resolves with what the program prints first. @throws with all that it printed, if it ends before */
  first(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves with the exit code and all that it printed. */
  end(): Promise<readonly [number | null, string]>;
}

function startPython(args: readonly string[], environment: Readonly<Record<string, string>>): Program {
  const child = spawn('python3', args, {
    env: { PATH, PYTHONDONTWRITEBYTECODE: '1', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const closed = once(child, 'close') as Promise<[number | null]>;
  return {
    child,
    async first(pattern) {
      for (;;) {
        const found = pattern.exec(output);
        if (found !== null) return found;
        if (child.exitCode !== null) throw new Error(`the program ended: ${output}`);
        await Promise.race([once(child.stdout, 'data'), closed]);
      }
    },
    end: async () => [(await closed)[0], output],
  };
}

describe('the client in Python (needs python3 with the package cryptography)', function () {
  this.timeout(200_000);
  let folder: string;
  let processes: Processes;
  let program: Program | null = null;
  before(function () {
    const found = spawnSync('python3', ['-c', 'import cryptography'], { env: { PATH } });
    if (found.status !== 0) this.skip();
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dbr-custody-'));
    processes = createProcesses();
  });
  afterEach(async () => {
    program?.child.kill();
    await processes.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** What the operators of the parties do: three parties with certificates, which hold no key yet. */
  async function openParties() {
    const authority = createAuthority('authority');
    const partyProgram = await bundleParty(join(folder, 'party.mjs'));
    const service = await startService(processes, { folder, authority, jwtSecret: JWT_SECRET });
    const caller = { tenantId: TENANT, userId: 'ops', scope: 'parties:admin' };
    const operator = await connectService(service.url, JWT_SECRET, caller);
    const made = await Promise.all(
      ['node-a', 'node-b', 'node-c'].map((partyId) => makeKeys({ partyId, shareIndex: 0, role: 'server' })),
    );
    const peers = made.map(({ peer }) => peer);
    const parties = made.map(({ peer: { partyId, identityKey: publicKey }, identityKey, sealingKey }) => ({
      ...{ partyId, publicKey, identityKey, sealingKey },
      certified: authority.issue(partyId),
    }));
    for (const { partyId, publicKey, identityKey, certified } of parties) {
      const proven = { tenantId: TENANT, partyId, identityKey: publicKey };
      await operator.call('POST', '/api/v1/parties', {
        ...{ partyId, name: partyId, role: 'server', identityPublicKey: publicKey },
        identitySignature: identitySignature(identityKey, proven),
        certificate: certificateProof(certified.key, proven),
      });
    }
    return {
      url: service.url,
      known: parties.map(({ partyId, publicKey }) => ({ partyId, identityPublicKey: publicKey })),
      /** They sign what both keys ask for, and nothing else. */
      start: async (accountId: string, keys: readonly RequestKey[]): Promise<void> => {
        const starts = parties.map(async ({ partyId, identityKey, sealingKey, certified }) => {
          const path = join(folder, `${partyId}.json`);
          await writePartyFile(path, {
            ...{ partyId, router: service.router, authority: authority.certificate },
            ...{ certificate: certified.certificate, certificateKey: certified.key, identityKey, sealingKey },
            ...{ publicPackage: null, signingShare: null, peers },
            policy: {
              ...{ tenantId: TENANT, accountId, keys, needed: 2 },
              nonces: join(folder, `${partyId}.nonces`),
            },
          });
          await processes.start(partyId, { args: [partyProgram, path], readyWhen: [/is ready/] });
        });
        await Promise.all(starts);
      },
    };
  }

  it('has a key made, and a message signed that an altered approval does not release', async () => {
    const { url, known, start } = await openParties();
    const partiesPath = join(folder, 'parties.json');
    await writeFile(partiesPath, JSON.stringify(known));
    const tokenOf = (userId: string, scope?: string): Promise<string> =>
      mint(JWT_SECRET, { tenantId: TENANT, userId, ...(scope === undefined ? {} : { scope }) });
    program = startPython([PROGRAM, url, TENANT, partiesPath, MESSAGE], {
      OPERATOR_TOKEN: await tokenOf('ops', 'accounts:write'),
      OWNER_TOKEN: await tokenOf('ada'),
      APPROVER_TOKEN: await tokenOf('bea', 'sign:approve'),
    });
    const [, accountId = '', ada = '', bea = ''] = await program.first(
      /^the account (\S+) is for requests of ada (\S+) and bea (\S+)\n/,
    );
    await start(
      accountId,
      Object.entries({ ada, bea }).map(([keyId, publicKey]) => ({ keyId, algorithm: 'ed25519', publicKey })),
    );

    const [code, printed] = await program.end();
    const [, publicKey = ''] = /^the key (\S+) is/m.exec(printed) ?? [];
    const [, signature = ''] = /^the signature (\S+) of/m.exec(printed) ?? [];
    expect(printed.split('\n'), processes.output()).to.deep.equal([
      `the account ${accountId} is for requests of ada ${ada} and bea ${bea}`,
      'ada asks node-a, node-b, node-c to make a key',
      'bea approves',
      `the key ${publicKey} is certified by node-a, node-b, node-c`,
      `ada asks node-a, node-c to sign ${String(MESSAGE.length)} bytes`,
      'an altered approval is refused: 422 DBR523 Invalid signed request: ' +
        '/signature must be by this key over the content of the request',
      'bea approves',
      `the signature ${signature} of node-a, node-c verifies under the key`,
      '',
    ]);
    expect(code).to.equal(0);
    // By Node, as another implementation.
    const der = Buffer.concat([SPKI_OF_ED25519, Buffer.from(publicKey, 'hex')]);
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    const verifies = (text: string): boolean =>
      verify(null, Buffer.from(text), key, Buffer.from(signature, 'hex'));
    expect([verifies(MESSAGE), verifies(`${MESSAGE} `)]).to.deep.equal([true, false]);
  });
});
