/** The processes of the service: one, or two that are restarted and killed while the other one serves. */
import type { Service } from '../../src/service.js';
import type { ServerName } from './backends.js';
import { clock, network } from './globals.js';
import type { Random } from './random.js';
import type { Schedule } from './schedule.js';
import { PLACES, startSimulatedService, type DatabasePorts, type Place, type World } from './world.js';

export interface Process {
  /** In the order of the starts. */
  readonly number: number;
  readonly place: Place;
  readonly databasePorts: DatabasePorts;
  /** Null while it starts. */
  service: Service | null;
  /** The load balancer sends it new connections. */
  isInRotation: boolean;
  /** When its stop began; Infinity before. */
  stopsAt: number;
  isKilled: boolean;
}

export interface Processes {
  /** Those that run or start. */
  readonly running: readonly Process[];
  /** Chooses the process of a new connection. @param avoided is chosen if there is no other one */
  choose(random: Random, avoided?: Process | null): Process;
  /** Chooses one whose start has ended. */
  chooseStarted(choice: number): Process | undefined;
  /**
   * Stops a process as a signal does, and starts another one in its place.
   * @param drainMs time from the signal to the stop
   * @param pauseMs time from its end to the start of the other one
   * @param onStart called when the start of the other one begins
   */
  restart(choice: number, drainMs: number, pauseMs: number, onStart?: () => void): Promise<void>;
  /** Resets all connections of a process, which reaches nothing any more, and starts another one in its place. */
  kill(choice: number, pauseMs: number): Promise<void>;
  /** Resets the connections of a process to the database, and refuses others for some time. */
  isolate(choice: number, milliseconds: number): Promise<void>;
  /** False refuses connections of all processes to a server. */
  setReachable(server: ServerName, isReachable: boolean): void;
  stop(): Promise<void>;
}

export type Probe = (process: Process, path: '/ready' | '/live') => Promise<number | null>;

interface State {
  readonly world: World;
  readonly schedule: Schedule;
  readonly lines: string[];
  /** Returns the status with which the admin port of a process responds; null without a response. */
  readonly probe: Probe;
  readonly failures: string[];
  readonly running: Process[];
  /** Ends of processes that were killed. */
  readonly ends: Promise<void>[];
  readonly away: Set<ServerName>;
  /** One process at a time leaves the rotation. */
  turn: Promise<void>;
  started: number;
}

const SERVERS: readonly ServerName[] = ['first', 'second'];

const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => clock.after(milliseconds, resolve));

async function start(state: State, place: Place): Promise<Process> {
  const number = state.started++;
  const process: Process = {
    ...{ number, place, databasePorts: state.world.openDatabasePorts(number) },
    ...{ service: null, isInRotation: false, stopsAt: Infinity, isKilled: false },
  };
  for (const server of SERVERS) network.setReachable(process.databasePorts[server], !state.away.has(server));
  state.running[place.number] = process;
  process.service = await startSimulatedService(state.schedule, place, process.databasePorts, state.lines);
  return process;
}

/** Interval of the load balancer, in milliseconds. */
const PROBE_MS = 50;

async function replace(state: State, { place }: Process): Promise<void> {
  const process = await start(state, place);
  while ((await state.probe(process, '/ready')) !== 200) await sleep(PROBE_MS);
  process.isInRotation = true;
}

/** Runs the work when no other process is out of rotation, on the process that is then at the place. */
function inTurn(state: State, choice: number, work: (process: Process) => Promise<void>): Promise<void> {
  const turn = state.turn.then(async () => {
    const process = state.running[choice % state.running.length];
    if (process !== undefined) await work(process);
  });
  state.turn = turn.catch(() => undefined);
  return turn;
}

/** What the admin port says of a process that drains or stops (docs/operating/start-and-stop.md). */
async function expectLeaving(
  { probe, failures }: State,
  process: Process,
  live: readonly (number | null)[],
  ready: readonly (number | null)[],
): Promise<void> {
  for (const [path, expected] of [
    ['/live', live],
    ['/ready', ready],
  ] as const) {
    const status = await probe(process, path);
    if (!expected.includes(status)) failures.push(`${path} of a process that leaves: ${String(status)}`);
  }
}

async function restart(
  state: State,
  process: Process,
  drainMs: number,
  pauseMs: number,
  onStart: () => void,
): Promise<void> {
  if (drainMs > 0) {
    process.service?.drain();
    const drained = sleep(drainMs);
    await expectLeaving(state, process, [200], [503]);
    await drained;
  }
  process.isInRotation = false;
  process.stopsAt = clock.now();
  const stopped = process.service?.stop();
  // The stop may end before.
  await expectLeaving(state, process, [200, null], [503, null]);
  await stopped;
  await sleep(pauseMs);
  onStart();
  await replace(state, process);
}

async function kill(state: State, process: Process, pauseMs: number): Promise<void> {
  process.isInRotation = false;
  process.isKilled = true;
  const { place, databasePorts, number, service } = process;
  for (const port of Object.values(databasePorts)) network.setReachable(port, false);
  state.world.backends.loseProcess(number);
  for (const port of [place.port, place.adminPort, place.routerPort]) network.abandon(port);
  if (service !== null) state.ends.push(service.stop());
  await sleep(pauseMs);
  await replace(state, process);
}

function setAllReachable({ running, away }: State, server: ServerName, isReachable: boolean): void {
  if (isReachable) away.delete(server);
  else away.add(server);
  for (const { databasePorts } of running) network.setReachable(databasePorts[server], isReachable);
}

/** A load balancer that has not noticed the stop still sends connections while the port is open. */
const isOpen = ({ isInRotation, stopsAt, isKilled, place }: Process): boolean =>
  network.isListening(place.port) && (isInRotation || (stopsAt < Infinity && !isKilled));

function choose({ running }: State, random: Random, avoided: Process | null): Process {
  const [first] = running;
  if (first === undefined) throw new Error('no process runs');
  if (running.length === 1) return first;
  const open = running.filter(isOpen);
  const others = open.filter((process) => process !== avoided);
  const some = others.length > 0 ? others : open;
  return some[random.below(some.length)] ?? first;
}

export async function startProcesses(
  world: World,
  schedule: Schedule,
  { lines, failures, probe }: Pick<State, 'lines' | 'failures' | 'probe'>,
): Promise<Processes> {
  const state: State = {
    ...{ world, schedule, lines, failures, probe },
    ...{ running: [], ends: [], away: new Set(), turn: Promise.resolve(), started: 0 },
  };
  for (const place of PLACES.slice(0, schedule.processes ?? 1))
    (await start(state, place)).isInRotation = true;
  return {
    running: state.running,
    choose: (random, avoided = null) => choose(state, random, avoided),
    chooseStarted(choice) {
      const started = state.running.filter(
        ({ service, stopsAt, isKilled }) => service !== null && stopsAt === Infinity && !isKilled,
      );
      return started[choice % Math.max(1, started.length)];
    },
    restart: (choice, drainMs, pauseMs, onStart = () => undefined) =>
      inTurn(state, choice, (process) => restart(state, process, drainMs, pauseMs, onStart)),
    kill: (choice, pauseMs) => inTurn(state, choice, (process) => kill(state, process, pauseMs)),
    async isolate(choice, milliseconds) {
      const process = state.running[choice % state.running.length];
      if (process === undefined) return;
      for (const server of SERVERS) network.setReachable(process.databasePorts[server], false);
      world.backends.loseProcess(process.number);
      await sleep(milliseconds);
      if (process.isKilled) return;
      for (const server of SERVERS)
        network.setReachable(process.databasePorts[server], !state.away.has(server));
    },
    setReachable: (server, isReachable) => setAllReachable(state, server, isReachable),
    async stop() {
      await Promise.all(state.running.map(async ({ service }) => await service?.stop()));
      await Promise.all(state.ends);
    },
  };
}
