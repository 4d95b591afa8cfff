/**
 * Three machines as network namespaces on a bridge, each with PostgreSQL under Patroni, etcd and a NATS server of a JetStream
 * cluster, from the packages of Debian (patroni, etcd-server, nats-server, postgresql-15). Needs root.
 */
import { spawn, execFile } from 'node:child_process';
import { createWriteStream, type WriteStream } from 'node:fs';
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { DiscardPolicy, jetstreamManager, StorageType } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';

const run = promisify(execFile);

const BRIDGE = 'dbrc0';
const NETWORK = '10.77.0';
const NAMES = ['n1', 'n2', 'n3'] as const;
const SCOPE = 'dbr';
/** The stream of the mailboxes, and its subject for a client without dbr. */
export const MAILBOX_STREAM = 'DBR_ROUTER';
export const PROBE_SUBJECT = 'dbr.probe';
const BUS_BYTES = 1_073_741_824;
const PROGRAMS = '/usr/lib/postgresql/15/bin';
const START_MS = 180_000;

export type Program = 'etcd' | 'patroni' | 'nats';

export interface Machine {
  readonly name: string;
  readonly address: string;
  /** Processes of the machine, by program; `postgres` are all of the server. */
  readonly pids: (program?: Program | 'postgres') => Promise<readonly number[]>;
  /** Starts the programs of the list that do not run. */
  readonly start: (programs?: readonly Program[]) => Promise<void>;
  /** Takes the machine off the network, or puts it back. */
  readonly cut: () => Promise<void>;
  readonly join: () => Promise<void>;
}

export interface Cluster {
  readonly machines: readonly Machine[];
  /** `host:port` of the servers of PostgreSQL, with commas. */
  readonly hosts: string;
  readonly superuser: string;
  /** null without NATS */
  readonly busUri: string | null;
  /** Members as Patroni of any machine reports them. */
  readonly members: () => Promise<readonly Member[]>;
  readonly switchover: (leader: string, candidate: string) => Promise<number>;
  /** Waits until a primary and two standbys run, one of them synchronous where it should be. */
  readonly untilHealthy: () => Promise<void>;
  /** Copies the logs of all programs to a folder. */
  readonly saveLogs: (folder: string) => Promise<void>;
  readonly stop: () => Promise<void>;
}

export interface Member {
  readonly name: string;
  readonly role: string;
}

export interface ClusterOptions {
  /** `synchronous_mode` and `synchronous_mode_strict` of Patroni. */
  readonly synchronous: boolean;
  /** A server of NATS on each machine. */
  readonly nats: boolean;
}

export async function startCluster({ synchronous, nats }: ClusterOptions): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'dbr-cluster-'));
  await chmod(folder, 0o755);
  const machines: Machine[] = [];
  const stop = async (): Promise<void> => {
    await removeNetwork();
    await rm(folder, { recursive: true, force: true });
  };
  const saveLogs = async (place: string): Promise<void> => {
    const isLog = (path: string): boolean =>
      path === folder || /^n\d(\/[a-z]+\.log)?$/.test(relative(folder, path));
    await cp(folder, place, { recursive: true, filter: isLog });
  };
  await removeNetwork();
  try {
    await ip('link', 'add', BRIDGE, 'type', 'bridge');
    await ip('address', 'add', `${NETWORK}.1/24`, 'dev', BRIDGE);
    await ip('link', 'set', BRIDGE, 'up');
    for (const [place, name] of NAMES.entries())
      machines.push(await createMachine(folder, name, place, { synchronous, nats }));
    for (const machine of machines) await machine.start(nats ? ['etcd', 'nats'] : ['etcd']);
    for (const machine of machines) await machine.start();
    const cluster = handle(machines, { synchronous, nats }, saveLogs, stop);
    await cluster.untilHealthy();
    if (cluster.busUri !== null) await createStream(cluster.busUri);
    return cluster;
  } catch (error) {
    await stop();
    throw error;
  }
}

const ip = (...args: readonly string[]) => run('ip', args);
const spaceOf = (name: string): string => `dbrc-${name}`;

const pidsIn = async (space: string): Promise<readonly number[]> =>
  (await ip('netns', 'pids', space)).stdout.split('\n').map(Number).filter(Boolean);

/** Ends the machines of this run, or of one before that was killed. */
async function removeNetwork(): Promise<void> {
  for (const space of NAMES.map(spaceOf)) {
    for (const pid of await pidsIn(space).catch(() => [])) kill(pid, 'SIGKILL');
    await ip('netns', 'delete', space).catch(() => undefined);
    // It outlives its namespace for a moment.
    await ip('link', 'delete', space).catch(() => undefined);
  }
  await ip('link', 'delete', BRIDGE).catch(() => undefined);
}

function handle(
  machines: readonly Machine[],
  { synchronous, nats }: ClusterOptions,
  saveLogs: Cluster['saveLogs'],
  stop: Cluster['stop'],
): Cluster {
  /**
   * Patroni of the machine itself says so, and that PostgreSQL answers: what is in etcd may be older than the fault, and the lease
   * of a primary that was killed lasts.
   */
  const isWell = async ({ name, role }: Member): Promise<boolean> => {
    const address = machines.find((machine) => machine.name === name)?.address ?? '';
    const url = `http://${address}:8008/${role === 'leader' ? 'primary' : 'replica'}`;
    return fetch(url, { signal: AbortSignal.timeout(2000) })
      .then(async (response) => {
        const { state } = (await response.json()) as { readonly state: string };
        return response.ok && state === 'running';
      })
      .catch(() => false);
  };
  const members = async (): Promise<readonly Member[]> => {
    for (const { address } of machines) {
      // A machine may be frozen in the middle of its answer, and Patroni without etcd knows of no members.
      const found = await fetch(`http://${address}:8008/cluster`, { signal: AbortSignal.timeout(2000) })
        .then(
          async (response) => ((await response.json()) as { readonly members?: readonly Member[] }).members,
        )
        .catch(() => undefined);
      if (found !== undefined && found.length > 0) return found;
    }
    return [];
  };
  return {
    machines,
    hosts: machines.map(({ address }) => `${address}:5432`).join(),
    superuser: 'postgres:postgres',
    busUri: nats ? `nats://${machines.map(({ address }) => `${address}:4222`).join()}` : null,
    members,
    async switchover(leader, candidate) {
      const address = machines.find(({ name }) => name === leader)?.address ?? '';
      const response = await fetch(`http://${address}:8008/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader, candidate }),
        signal: AbortSignal.timeout(30_000),
      }).catch(() => null);
      return response?.status ?? 0;
    },
    async untilHealthy() {
      const deadline = Date.now() + START_MS;
      for (;;) {
        const found = await members();
        const isWhole =
          found.length === 3 &&
          found.some(({ role }) => role === 'leader') &&
          (!synchronous || found.some(({ role }) => role === 'sync_standby'));
        if (isWhole && (await Promise.all(found.map(isWell))).every(Boolean)) return;
        if (Date.now() > deadline) {
          const answers = await Promise.all(machines.map(describe));
          throw new Error(`the cluster is not healthy: ${JSON.stringify(found)}, ${answers.join(', ')}`);
        }
        await delay(500);
      }
    },
    saveLogs,
    stop,
  };
}

/** What Patroni of a machine answers when it is asked for the cluster. */
async function describe({ name, address }: Machine): Promise<string> {
  const answer = await fetch(`http://${address}:8008/cluster`, { signal: AbortSignal.timeout(10_000) })
    .then(async (response) => `${String(response.status)} ${await response.text()}`)
    .catch((error: unknown) => String(error));
  return `${name}: ${answer}`;
}

export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
}

async function createMachine(
  folder: string,
  name: string,
  place: number,
  { synchronous, nats }: ClusterOptions,
): Promise<Machine> {
  const address = `${NETWORK}.${String(11 + place)}`;
  const [space, link, home] = [spaceOf(name), spaceOf(name), join(folder, name)];
  await ip('netns', 'add', space);
  await ip('link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space);
  await ip('link', 'set', link, 'master', BRIDGE, 'up');
  const inside = (...args: readonly string[]) => ip('-n', space, ...args);
  await inside('address', 'add', `${address}/24`, 'dev', 'eth0');
  await inside('link', 'set', 'eth0', 'up');
  await inside('link', 'set', 'lo', 'up');
  await writeFiles(home, name, address, synchronous);
  const logs = new Map<Program, WriteStream>();
  const commands = commandsOf(home, name, address);
  const pids: Machine['pids'] = async (program) => {
    const all = await pidsIn(space);
    if (program === undefined) return all;
    const named = await Promise.all(all.map(async (pid) => ((await isOf(pid, program)) ? [pid] : [])));
    return named.flat();
  };
  return {
    ...{ name, address, pids },
    async start(programs = nats ? ['etcd', 'nats', 'patroni'] : ['etcd', 'patroni']) {
      for (const program of programs) {
        if ((await pids(program)).length > 0) continue;
        const log = logs.get(program) ?? createWriteStream(join(home, `${program}.log`), { flags: 'a' });
        logs.set(program, log);
        const child = spawn('ip', ['netns', 'exec', space, ...commands[program]], {
          stdio: ['ignore', 'pipe', 'pipe'],
          detached: true,
        });
        child.stdout.pipe(log, { end: false });
        child.stderr.pipe(log, { end: false });
      }
    },
    cut: async () => void (await ip('link', 'set', link, 'down')),
    join: async () => void (await ip('link', 'set', link, 'up')),
  };
}

async function isOf(pid: number, program: Program | 'postgres'): Promise<boolean> {
  const words = await readFile(`/proc/${String(pid)}/cmdline`, 'utf8').catch(() => '');
  const text = words.replaceAll('\0', ' ');
  switch (program) {
    case 'postgres':
      return /^postgres:|^\/usr\/lib\/postgresql\/\S+\/postgres /.test(text);
    case 'etcd':
      return /(^|\/)etcd /.test(text);
    case 'patroni':
      return text.includes('/patroni ');
    case 'nats':
      return text.includes('nats-server ');
  }
}

function commandsOf(
  home: string,
  name: string,
  address: string,
): Readonly<Record<Program, readonly string[]>> {
  const asPostgres = ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'];
  const peers = NAMES.map((peer, place) => `${peer}=http://${NETWORK}.${String(11 + place)}:2380`);
  return {
    etcd: [
      ...['etcd', '--name', name, '--data-dir', join(home, 'etcd'), '--initial-cluster', peers.join()],
      ...[
        '--initial-advertise-peer-urls',
        `http://${address}:2380`,
        '--listen-peer-urls',
        `http://${address}:2380`,
      ],
      ...['--listen-client-urls', `http://${address}:2379,http://127.0.0.1:2379`],
      ...['--advertise-client-urls', `http://${address}:2379`, '--initial-cluster-token', SCOPE],
      ...['--heartbeat-interval', '250', '--election-timeout', '2500', '--log-level', 'warn'],
    ],
    nats: ['nats-server', '-c', join(home, 'nats.conf')],
    patroni: [...asPostgres, '/usr/bin/patroni', join(home, 'patroni.yml')],
  };
}

async function writeFiles(home: string, name: string, address: string, synchronous: boolean): Promise<void> {
  await mkdir(join(home, 'postgres'), { recursive: true });
  const { stdout } = await run('id', ['-u', 'postgres']);
  const { stdout: group } = await run('id', ['-g', 'postgres']);
  await chown(join(home, 'postgres'), Number(stdout), Number(group));
  await writeFile(join(home, 'nats.conf'), natsConfiguration(home, name, address));
  await writeFile(join(home, 'patroni.yml'), patroniConfiguration(home, name, address, synchronous));
}

const natsConfiguration = (home: string, name: string, address: string): string => `
server_name: ${name}
listen: ${address}:4222
jetstream { store_dir: "${join(home, 'nats')}", max_file_store: 4GB }
cluster {
  name: ${SCOPE}
  listen: ${address}:6222
  routes: [nats://${NETWORK}.11:6222, nats://${NETWORK}.12:6222, nats://${NETWORK}.13:6222]
}
`;

const patroniConfiguration = (home: string, name: string, address: string, synchronous: boolean): string => `
scope: ${SCOPE}
name: ${name}
restapi: { listen: '${address}:8008', connect_address: '${address}:8008' }
etcd3: { hosts: '${NETWORK}.11:2379,${NETWORK}.12:2379,${NETWORK}.13:2379' }
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 3
    retry_timeout: 5
    maximum_lag_on_failover: 1048576
    primary_start_timeout: 20
    synchronous_mode: ${String(synchronous)}
    synchronous_mode_strict: ${String(synchronous)}
    postgresql:
      use_pg_rewind: true
      use_slots: true
      parameters:
        max_connections: 200
        shared_buffers: 96MB
        wal_level: replica
        hot_standby: 'on'
        max_wal_size: 512MB
        wal_keep_size: 256MB
        synchronous_commit: 'on'
        hot_standby_feedback: 'on'
        wal_receiver_timeout: 5s
        wal_sender_timeout: 5s
        tcp_keepalives_idle: 5
        tcp_keepalives_interval: 2
        tcp_keepalives_count: 3
  initdb: [encoding: UTF8, data-checksums]
postgresql:
  # The primary may end while it is copied from.
  remove_data_directory_on_rewind_failure: true
  remove_data_directory_on_diverged_timelines: true
  listen: ${address}:5432
  connect_address: ${address}:5432
  data_dir: ${join(home, 'postgres', 'data')}
  bin_dir: ${PROGRAMS}
  pgpass: ${join(home, 'postgres', 'pgpass')}
  pg_hba:
    - local all all trust
    - host all all ${NETWORK}.0/24 trust
    - host all all 127.0.0.1/32 trust
    - host replication all ${NETWORK}.0/24 trust
  authentication:
    superuser: { username: postgres, password: postgres }
    replication: { username: replicator, password: replicator }
    rewind: { username: postgres, password: postgres }
  parameters: { unix_socket_directories: '${join(home, 'postgres')}' }
`;

/** The stream of the mailboxes with three replicas: dbr would create it with one. */
async function createStream(uri: string): Promise<void> {
  const connection = await connect({ servers: uri.replace('nats://', '').split(',') });
  try {
    const deadline = Date.now() + START_MS;
    for (;;) {
      try {
        const manager = await jetstreamManager(connection, { timeout: 2000 });
        await manager.streams.add({
          name: MAILBOX_STREAM,
          subjects: ['dbr.router.entries.*', 'dbr.router.payloads.*', PROBE_SUBJECT],
          storage: StorageType.File,
          num_replicas: 3,
          max_age: 2 * 3600 * 1e9,
          allow_direct: true,
          max_bytes: BUS_BYTES,
          discard: DiscardPolicy.New,
        });
        return;
      } catch (error) {
        // The cluster of JetStream has no leader yet.
        if (Date.now() > deadline) throw error;
        await delay(500);
      }
    }
  } finally {
    await connection.close();
  }
}
