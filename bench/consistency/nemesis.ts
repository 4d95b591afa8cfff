/** Breaks parts of a cluster, one after the other, and mends them. */
import { setTimeout as delay } from 'node:timers/promises';
import { kill, type Cluster, type Machine, type Program } from './cluster.js';
import type { RunningInstance } from './instances.js';

export interface Nemesis {
  readonly cluster: Cluster | null;
  readonly instances: readonly RunningInstance[];
  readonly random: (below: number) => number;
  readonly report: (what: string) => void;
}

type Fault = (nemesis: Nemesis, cluster: Cluster) => Promise<void>;

/** How long a fault lasts, and the time of peace after it, in milliseconds. */
const SHORTEST_MS = 4000;
const LONGEST_MS = 20_000;
const PEACE_MS = 15_000;

/** Runs until it is over; what it broke is mended when it ends. */
export async function breakThings(nemesis: Nemesis, isOver: () => boolean): Promise<void> {
  const { cluster, random, report } = nemesis;
  const faults = cluster === null ? [] : cluster.busUri === null ? FAULTS : [...FAULTS, ...FAULTS_OF_NATS];
  let order: Fault[] = [];
  while (!isOver()) {
    await delay(PEACE_MS / 2 + random(PEACE_MS));
    if (order.length === 0) order = shuffled([...faults], random);
    const fault = order.pop();
    if (isOver()) return;
    if (cluster === null || fault === undefined) {
      await breakInstance(nemesis);
      continue;
    }
    await fault(nemesis, cluster);
    await cluster.untilHealthy();
    report('healthy');
  }
}

function shuffled<Value>(values: Value[], random: (below: number) => number): Value[] {
  return values
    .map((value) => ({ value, place: random(1e9) }))
    .sort((one, other) => one.place - other.place)
    .map(({ value }) => value);
}

const last = (random: (below: number) => number): Promise<void> =>
  delay(SHORTEST_MS + random(LONGEST_MS - SHORTEST_MS));

async function leaderOf(cluster: Cluster): Promise<Machine | undefined> {
  const leader = (await cluster.members()).find(({ role }) => role === 'leader');
  return cluster.machines.find(({ name }) => name === leader?.name);
}

/** The machine of the primary three times in five, otherwise any. */
async function chooseMachine({ random }: Nemesis, cluster: Cluster): Promise<Machine> {
  const leader = await leaderOf(cluster);
  const any = cluster.machines[random(cluster.machines.length)] as Machine;
  return random(5) < 3 ? (leader ?? any) : any;
}

const signalAll = async (
  machine: Machine,
  signal: NodeJS.Signals,
  program?: Program | 'postgres',
): Promise<void> => {
  for (const pid of await machine.pids(program)) kill(pid, signal);
};

const killMachine: Fault = async (nemesis, cluster) => {
  const machine = await chooseMachine(nemesis, cluster);
  nemesis.report(`kill -9 all of ${machine.name}`);
  await signalAll(machine, 'SIGKILL');
  await last(nemesis.random);
  await machine.start();
};

const freezeMachine: Fault = async (nemesis, cluster) => {
  const machine = await chooseMachine(nemesis, cluster);
  nemesis.report(`freeze all of ${machine.name}`);
  await signalAll(machine, 'SIGSTOP');
  await last(nemesis.random);
  await signalAll(machine, 'SIGCONT');
};

const cutMachine: Fault = async (nemesis, cluster) => {
  const machine = await chooseMachine(nemesis, cluster);
  nemesis.report(`cut ${machine.name} off`);
  await machine.cut();
  await last(nemesis.random);
  await machine.join();
};

/** The standbys receive nothing for a moment, and then the machine of the primary ends: what it alone has is lost. */
const killWhatIsAhead: Fault = async ({ random, report }, cluster) => {
  const leader = await leaderOf(cluster);
  if (leader === undefined) return;
  const others = cluster.machines.filter((machine) => machine !== leader);
  report(`cut the standbys off, and kill -9 all of ${leader.name}`);
  for (const machine of others) await machine.cut();
  await delay(SHORTEST_MS);
  await signalAll(leader, 'SIGKILL');
  for (const machine of others) await machine.join();
  await last(random);
  await leader.start();
};

const killProgram =
  (program: Program | 'postgres'): Fault =>
  async (nemesis, cluster) => {
    const machine = await chooseMachine(nemesis, cluster);
    nemesis.report(`kill -9 ${program} of ${machine.name}`);
    await signalAll(machine, 'SIGKILL', program);
    if (program !== 'postgres') await last(nemesis.random);
    await machine.start();
  };

const freezeProgram =
  (program: Program | 'postgres'): Fault =>
  async (nemesis, cluster) => {
    const machine = await chooseMachine(nemesis, cluster);
    nemesis.report(`freeze ${program} of ${machine.name}`);
    await signalAll(machine, 'SIGSTOP', program);
    await last(nemesis.random);
    await signalAll(machine, 'SIGCONT', program);
  };

const switchOver: Fault = async ({ random, report }, cluster) => {
  const members = await cluster.members();
  const leader = members.find(({ role }) => role === 'leader');
  const candidates = members.filter(({ role }) => /sync/.test(role));
  const candidate = candidates[random(candidates.length)] ?? members.find(({ role }) => role === 'replica');
  if (leader === undefined || candidate === undefined) return;
  const status = await cluster.switchover(leader.name, candidate.name);
  report(`switch over from ${leader.name} to ${candidate.name}: ${String(status)}`);
};

/** One of both instances: kills a worker or all of it, or freezes a worker. */
async function breakInstance({ instances, random, report }: Nemesis): Promise<void> {
  const place = random(instances.length);
  const instance = instances[place];
  if (instance === undefined) return;
  const name = `instance ${String(place + 1)}`;
  const workers = await instance.workers();
  const worker = workers[random(workers.length)] ?? 0;
  const kind = random(3);
  if (kind === 0) {
    report(`kill -9 ${name}`);
    await instance.restart();
  } else if (kind === 1 && worker !== 0) {
    report(`kill -9 a worker of ${name}`);
    kill(worker, 'SIGKILL');
  } else if (worker !== 0) {
    report(`freeze a worker of ${name}`);
    kill(worker, 'SIGSTOP');
    await last(random);
    kill(worker, 'SIGCONT');
  }
}

const FAULTS: readonly Fault[] = [
  ...[killMachine, killWhatIsAhead, freezeMachine, cutMachine, switchOver],
  ...[killProgram('postgres'), killProgram('patroni'), killProgram('etcd'), freezeProgram('postgres')],
  ...[breakInstance, breakInstance, breakInstance],
];
const FAULTS_OF_NATS: readonly Fault[] = [killProgram('nats'), freezeProgram('nats')];
