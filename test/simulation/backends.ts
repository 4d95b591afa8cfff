/**
 * Simulated backends of PostgreSQL over one PGlite, which is a single session. What belongs to a session is kept apart:
 *
 * - One transaction at a time: a backend has the database from the first message of a unit (what ends with Sync) until
 *   PostgreSQL reports that no transaction is open; the others wait in turn. Locks between transactions are therefore
 *   never seen.
 * - Prepared statements and portals: their names get a prefix of the backend, and are closed when it ends.
 * - LISTEN: the database listens for all, and a notification goes to the backends that asked for its channel.
 * - The user of the session changes with the backend that executes; the auditor works as the superuser, between transactions.
 *
 * A connection of replication gets the changes of the rooms (live-log.ts), each transaction some time after its commit, or
 * before a snapshot sees it: the auditor's change is then rolled back first, and sent with the number that it has later.
 *
 * Two servers, a primary and its synchronous standby, share the data: sessions of the standby are read-only, and hear no
 * notifications of the primary. A promoted standby has all that was committed.
 *
 * Before a unit is executed, time passes, in which it may be cancelled or its backend may end; `pause-80` in a parameter
 * adds 80 milliseconds. It is then executed in full; after that, its answer may still be lost.
 *
 * The start of the service reads the catalogue, which is the same after each reset. Its answers are kept: a backend that
 * has sent the same units since its beginning gets them again, and the units are executed only if another one follows.
 */
import { createHash } from 'node:crypto';
import type { PGlite } from '@electric-sql/pglite';
import type { Clock } from './clock.js';
import { KEEP_ALIVE, LOG_CHANNEL, logMessages, xidOf } from './live-log.js';
import type { End, Peer } from './network.js';
import type { Random } from './random.js';

/** Which answer of a backend something happens to. */
export interface Choice {
  /** Number of answers of this kind that are sent as usual before. */
  readonly skip: number;
  /** Least number of bytes; 0 by default. */
  readonly least?: number;
  /** The user of the backend; any by default. */
  readonly user?: string;
  /** A text in the answer; any by default. */
  readonly containing?: string;
}

export interface Cut extends Choice {
  /** Number of bytes of the answer that arrive, at most. */
  readonly bytes: number;
}

export interface Delay extends Choice {
  readonly milliseconds: number;
}

/** The primary at the start, and its standby. */
export type ServerName = 'first' | 'second';

export const otherServer = (server: ServerName): ServerName => (server === 'first' ? 'second' : 'first');

export interface Backends {
  /** @param process number of the process that connects */
  accept(end: End, server: ServerName, process: number): Peer;
  /** The server that accepts writes; null between two of them. */
  readonly primary: ServerName | null;
  /** From now on this server accepts writes; with null, none does. Connections stay open. */
  setPrimary(server: ServerName | null): void;
  /** Resets all connections of a server. */
  kill(server: ServerName): void;
  /** Resets all connections of a process. */
  loseProcess(process: number): void;
  /** Ends a backend as `pg_terminate_backend`. */
  terminate(choice: number): void;
  /**
   * Refuses one of the next connections of a process, as a server that has too many.
   * @param skip number of those of the same user before it
   */
  refuse(process: number, user: string, skip: number): void;
  /** Ends the backend that executes a unit. */
  terminateActive(): void;
  /** Resets a connection of replication in the middle of a message. */
  cutLog(bytes: number): void;
  /** Ends a backend that listens. */
  terminateListener(choice: number): void;
  /** Sends a notification, as NOTIFY of another session does. */
  notify(channel: string, payload: string): void;
  /** Resets the connection of a backend in the middle of an answer. */
  cut(cut: Cut): void;
  /** Ends a backend as `pg_terminate_backend`, in place of an answer. */
  endInstead(choice: Choice): void;
  /** Holds an answer, and those behind it on its connection, for some time. */
  delay(delay: Delay): void;
  /** Breaks nothing more. */
  heal(): void;
  /** Sets the longest time of bytes on their way, in milliseconds. */
  setLatency(milliseconds: number): void;
  /** The time that statements take is multiplied by this. */
  setSlowness(factor: number): void;
  /** The schedule's random numbers. */
  setRandom(random: Random): void;
  /** Executes a script as the superuser, when no transaction is open. */
  administer(script: string): Promise<readonly Record<string, unknown>[]>;
  /**
   * Executes a script as the superuser in a transaction of the log.
   * @param aheadMs how long before its commit the log has it, in milliseconds; null: it has it afterwards
   */
  change(script: string, aheadMs: number | null): Promise<void>;
  /** Answers units from memory until it is called with false. The data must be as after a reset. */
  setStarting(isStarting: boolean): void;
  /** Errors that PostgreSQL raises only if the protocol or the names of statements are used wrongly. */
  takeViolations(): readonly string[];
  /** Number of open backends. */
  readonly open: number;
  /** Number of units executed. */
  readonly units: number;
}

/** Longest time from a commit to its messages, in milliseconds. */
const LONGEST_LOG_MS = 40;

/** Longest time after which a cancel request has an effect, in milliseconds. */
const CANCEL_MS = 80;

/** What the open transaction has reported. */
const REPORTS = `select regexp_split_to_table(nullif(current_setting('simulation.reports', true), ''), '\\n(?=.)') as report`;
const NEXT_XID = 'select pg_snapshot_xmax(pg_current_snapshot())::text as xid';

const CANCEL = 80_877_102;
const SSL = 80_877_103;

function message(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 0, 'latin1');
  head.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}

const text = (...texts: readonly string[]): Buffer =>
  Buffer.from(texts.map((each) => `${each}\0`).join(''), 'utf8');

const errorMessage = (severity: string, code: string, words: string): Buffer =>
  message('E', text(`S${severity}`, `V${severity}`, `C${code}`, `M${words}`, ''));

const ready = (state: string): Buffer => message('Z', Buffer.from(state, 'latin1'));

const ROLLBACK = message('Q', text('rollback'));
const FAIL = message('Q', text('this is an error'));

/** Splits whole messages off the front of the bytes. */
function* messagesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at + 5 <= bytes.length;) {
    const length = bytes.readInt32BE(at + 1) + 1;
    if (at + length > bytes.length) return;
    yield bytes.subarray(at, at + length);
    at += length;
  }
}

const typeOf = (bytes: Buffer): string => String.fromCharCode(bytes[0] ?? 0);

/** In Close, for a statement: `S`. */
const STATEMENT = 0x53;

/** Most statements that a connection of the data API keeps, in the simulation (build.ts). */
const MOST_STATEMENTS = 24;

/** Puts the prefix of a backend before the names of statements and portals. */
function renamed(bytes: Buffer, prefix: string, names: Set<string>): Buffer {
  const type = typeOf(bytes);
  const content = bytes.subarray(5);
  const nameAt = (from: number): [name: string, end: number] => {
    const end = content.indexOf(0, from);
    return [content.toString('utf8', from, end), end + 1];
  };
  const own = (name: string): string => (name === '' ? '' : `${prefix}${name}`);
  switch (type) {
    case 'P': {
      const [name, end] = nameAt(0);
      if (name !== '') names.add(own(name));
      return message(type, Buffer.concat([text(own(name)), content.subarray(end)]));
    }
    case 'B': {
      const [portal, next] = nameAt(0);
      const [name, end] = nameAt(next);
      return message(type, Buffer.concat([text(own(portal), own(name)), content.subarray(end)]));
    }
    case 'D':
    case 'C': {
      const [name, end] = nameAt(1);
      if (type === 'C' && content[0] === STATEMENT) names.delete(own(name));
      return message(type, Buffer.concat([content.subarray(0, 1), text(own(name)), content.subarray(end)]));
    }
    case 'E': {
      const [portal, end] = nameAt(0);
      return message(type, Buffer.concat([text(own(portal)), content.subarray(end)]));
    }
    default:
      return bytes;
  }
}

/** Codes of errors that no client causes: unknown and repeated names of statements and portals, violations of the protocol. */
const VIOLATIONS: ReadonlySet<string> = new Set(['26000', '34000', '42P03', '42P05', '08P01']);

/** Returns the SQLSTATE of an ErrorResponse. */
function codeOf(each: Buffer): string {
  const field = each
    .toString('latin1', 5)
    .split('\0')
    .find((one) => one.startsWith('C'));
  return field?.slice(1) ?? '';
}

/** Returns the time that a parameter asks for, in milliseconds. */
function pauseOf(unit: Buffer): number {
  const at = unit.indexOf('pause-');
  return at < 0 ? 0 : parseInt(unit.toString('latin1', at + 6, at + 12), 10);
}

/** Chooses answers of backends, each once. */
function createChoices<Chosen extends Choice>() {
  let open: { readonly chosen: Chosen; skip: number }[] = [];
  return {
    add: (chosen: Chosen): void => void open.push({ chosen, skip: chosen.skip }),
    clear: (): void => void (open = []),
    /** Returns what happens to an answer; null for nothing. */
    take({ user: own }: Pick<Backend, 'user'>, answer: Buffer): Chosen | null {
      const first = open.find(
        ({ chosen: { least = 0, user = own, containing = '' } }) =>
          answer.length >= least && user === own && answer.includes(containing),
      );
      if (first === undefined || first.skip-- > 0) return null;
      open = open.filter((each) => each !== first);
      return first.chosen;
    },
  };
}

/** Reads a NotificationResponse. */
function notificationOf(each: Buffer): { readonly channel: string; readonly payload: string } {
  const end = each.indexOf(0, 9);
  return { channel: each.toString('utf8', 9, end), payload: each.toString('utf8', end + 1, each.length - 1) };
}

const LISTEN = /^listen\s+"?(\w+)"?/i;

interface Unit {
  readonly bytes: Buffer;
  readonly at: number;
}

interface Backend {
  readonly id: number;
  readonly server: ServerName;
  readonly process: number;
  readonly end: End;
  readonly names: Set<string>;
  readonly channels: Set<string>;
  readonly units: Unit[];
  user: string;
  /** Of the transaction that is open, or comes next. */
  isReadOnly: boolean;
  /** When the present unit has arrived, and when the last error was sent, in milliseconds. */
  unitAt: number;
  errorAt: number;
  /** The messages of a unit that is not complete. */
  unit: Buffer[];
  bytes: Buffer;
  /** Digest of all units. */
  history: string;
  /** Units that were answered from memory; null once one was executed. */
  unexecuted: Buffer[] | null;
  isStarted: boolean;
  /** Whether it is a connection of replication, and receives changes. */
  isReplicating: boolean;
  receivesLog: boolean;
  isRunning: boolean;
  isCancelled: boolean;
  /** No more answers are sent. */
  isGone: boolean;
  /** No more units are executed. */
  isEnded: boolean;
  state: string;
}

export function openBackends(database: PGlite, clock: Clock): Backends {
  const open = new Map<number, Backend>();
  let count = 0;
  let units = 0;
  let slowness = 1;
  let latencyMs = 0;
  let primary: ServerName | null = 'first';
  /** What the session of PGlite is set to. */
  let session = '';
  let random: Random | null = null;
  let isStarting = false;
  let refusal: { readonly process: number; readonly user: string; skip: number } | null = null;
  const memory = new Map<string, Buffer>();
  const violations: string[] = [];
  /** When the last transaction of the log is sent. */
  let loggedAt = 0;
  /** The number of a transaction that was sent before its commit. */
  let announced: string | null = null;
  const cuts = createChoices<Cut>();
  const delays = createChoices<Delay>();
  const ends = createChoices<Choice>();
  let owner: Backend | 'administrator' | null = null;
  const waiting: { readonly by: Backend | 'administrator'; readonly go: () => void }[] = [];

  function release(): void {
    const next = waiting.shift();
    owner = next?.by ?? null;
    next?.go();
  }

  const own = (by: Backend | 'administrator'): Promise<void> =>
    new Promise((resolve) => {
      if (owner === null || owner === by) {
        owner = by;
        resolve();
      } else waiting.push({ by, go: resolve });
    });

  /** Does the work of the auditor when no transaction is open. */
  async function alone<Value>(work: () => Promise<Value>): Promise<Value> {
    await own('administrator');
    try {
      return await work();
    } finally {
      release();
    }
  }

  async function become(user: string, isReadOnly: boolean): Promise<void> {
    const wanted = `set session authorization ${user}; set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`;
    if (wanted === session) return;
    // RESET ALL of a connection ends the read-only session.
    session = isReadOnly ? '' : wanted;
    await clock.awaited(database.execProtocolRaw(message('Q', text(wanted))));
  }

  const execute = async (bytes: Buffer): Promise<Buffer> => {
    units++;
    return Buffer.from(await clock.awaited(database.execProtocolRaw(bytes)));
  };

  function write(backend: Backend, bytes: Buffer): void {
    if (!backend.isGone && bytes.length > 0) backend.end.write(bytes);
  }

  function cutWithin(backend: Backend, answer: Buffer): void {
    const cut = cuts.take(backend, answer);
    if (cut !== null) backend.end.resetAfterWritten(Math.min(cut.bytes, answer.length - 1));
  }

  /**
   * Whether the service may have sent the present unit before it knew of the last error. What it has sent then names
   * statements that PostgreSQL has not parsed.
   */
  const isBehindError = ({ unitAt, errorAt }: Backend): boolean => unitAt - errorAt < 3 * latencyMs + 2;

  /** Sends messages of transactions in the order of their commits. */
  function sendLog(messages: readonly Buffer[], afterMs: number): void {
    if (messages.length === 0) return;
    loggedAt = Math.max(loggedAt, clock.now() + afterMs);
    clock.after(loggedAt - clock.now(), () => {
      for (const backend of open.values())
        if (backend.receivesLog) for (const each of messages) write(backend, message('d', each));
    });
  }

  /** Sends what an answer reports. */
  function sendReports(answer: Buffer): void {
    const reports: string[] = [];
    for (const each of messagesOf(answer)) {
      if (typeOf(each) !== 'A') continue;
      const { channel, payload } = notificationOf(each);
      if (channel === LOG_CHANNEL && xidOf(payload) !== announced) reports.push(payload);
    }
    sendLog(logMessages(reports), random?.below(LONGEST_LOG_MS) ?? 0);
  }

  /** Executes a script. @returns the rows of its last statement */
  async function runScript(script: string): Promise<readonly Record<string, unknown>[]> {
    await become('postgres', false);
    const results = await clock.awaited(database.exec(script));
    return (results.at(-1)?.rows ?? []).map((row) => ({ ...row }));
  }

  /** Sends the changes of the next transaction, which are made and rolled back to know them. */
  async function announce(script: string): Promise<void> {
    const reports = await runScript(`begin; ${script}; ${REPORTS}`);
    const [next] = await runScript(`rollback; ${NEXT_XID}`);
    announced = String(next?.['xid']);
    sendLog(
      logMessages(
        reports.map(({ report }) => String(report)),
        announced,
      ),
      0,
    );
  }

  /** Executes a script in a transaction of the log. */
  async function change(script: string): Promise<void> {
    await become('postgres', false);
    const answer = await execute(message('Q', text(script)));
    const error = [...messagesOf(answer)].find((each) => typeOf(each) === 'E');
    if (error !== undefined) throw new Error(`the change of the auditor: ${error.toString('utf8', 5)}`);
    sendReports(answer);
  }

  /** What a connection of replication asks for: a slot, and the log. */
  function replicate(backend: Backend, statement: string): void {
    backend.receivesLog = statement.startsWith('START_REPLICATION');
    write(
      backend,
      backend.receivesLog
        ? message('W', Buffer.alloc(3))
        : Buffer.concat([message('C', text('CREATE_REPLICATION_SLOT')), ready('I')]),
    );
  }

  /** Passes notifications to those who listen, and returns the other messages. */
  function withoutNotifications(backend: Backend, answer: Buffer): Buffer {
    const rest: Buffer[] = [];
    sendReports(answer);
    for (const each of messagesOf(answer)) {
      if (typeOf(each) === 'A') {
        const { channel } = notificationOf(each);
        for (const other of open.values())
          if (other.server === backend.server && other.channels.has(channel)) write(other, each);
      } else {
        if (typeOf(each) === 'Z') backend.state = String.fromCharCode(each[5] ?? 0);
        if (typeOf(each) === 'E' && VIOLATIONS.has(codeOf(each)) && !isBehindError(backend))
          violations.push(`PostgreSQL reports ${each.toString('utf8', 5).replaceAll('\0', ' ')}`);
        rest.push(each);
      }
    }
    return Buffer.concat(rest);
  }

  async function cancelledAnswer(backend: Backend): Promise<Buffer> {
    await catchUp(backend);
    if (backend.state !== 'I') await execute(FAIL);
    if (backend.state === 'T') backend.state = 'E';
    return Buffer.concat([
      errorMessage('ERROR', '57014', 'canceling statement due to user request'),
      ready(backend.state),
    ]);
  }

  const executeUnit = async (backend: Backend, unit: Buffer): Promise<Buffer> => {
    await become(backend.user, backend.isReadOnly);
    const prefix = `b${String(backend.id)}_`;
    return await execute(
      Buffer.concat([...messagesOf(unit)].map((each) => renamed(each, prefix, backend.names))),
    );
  };

  /** Executes what was answered from memory: a transaction that is open, and statements that have names. */
  async function catchUp(backend: Backend): Promise<void> {
    const { unexecuted } = backend;
    backend.unexecuted = null;
    for (const unit of unexecuted ?? []) await executeUnit(backend, unit);
  }

  async function answerOf(backend: Backend, unit: Buffer): Promise<Buffer> {
    backend.history = createHash('sha256').update(backend.history).update(unit).digest('hex');
    // The other areas read positions of the log of transactions, which are never the same.
    const isRemembered = isStarting && backend.user === 'authenticator';
    const known = isRemembered && backend.unexecuted !== null ? memory.get(backend.history) : undefined;
    if (known !== undefined) {
      backend.unexecuted?.push(unit);
      return known;
    }
    await catchUp(backend);
    const answer = await executeUnit(backend, unit);
    if (isRemembered) memory.set(backend.history, answer);
    return answer;
  }

  async function runUnits(backend: Backend): Promise<void> {
    backend.isRunning = true;
    for (let unit = backend.units.shift(); unit !== undefined; unit = backend.units.shift()) {
      backend.isCancelled = false;
      const time = ((random?.chance(0.9) ?? true) ? 0.3 : 3) * slowness * ((random?.below(100) ?? 50) / 100);
      const pause = pauseOf(unit.bytes);
      await new Promise<void>((resolve) => clock.after(time + pause, resolve));
      await own(backend);
      if (backend.isEnded) break;
      if (backend.state === 'I') backend.isReadOnly = backend.server !== primary;
      backend.unitAt = unit.at;
      if (backend.user === 'authenticator' && backend.names.size > MOST_STATEMENTS)
        violations.push(`a connection has ${String(backend.names.size)} prepared statements`);
      const answer = backend.isCancelled
        ? await cancelledAnswer(backend)
        : withoutNotifications(backend, await answerOf(backend, unit.bytes));
      if ([...messagesOf(answer)].some((each) => typeOf(each) === 'E')) backend.errorAt = clock.now();
      if (backend.state === 'I') release();
      const delay = delays.take(backend, answer);
      if (delay !== null) await new Promise<void>((resolve) => clock.after(delay.milliseconds, resolve));
      if (ends.take(backend, answer) !== null) {
        terminate(backend);
        break;
      }
      cutWithin(backend, answer);
      write(backend, answer);
    }
    backend.isRunning = false;
    if (backend.isEnded || backend.isGone) await finish(backend);
  }

  /** Leaves nothing of the session in the database. */
  async function finish(backend: Backend): Promise<void> {
    backend.isEnded = true;
    if (!open.delete(backend.id)) return;
    await own(backend);
    if (backend.state !== 'I' && backend.unexecuted === null) await execute(ROLLBACK);
    if (backend.names.size > 0) {
      const closes = [...backend.names].map((name) =>
        message('C', Buffer.concat([Buffer.from('S'), text(name)])),
      );
      await execute(Buffer.concat([...closes, message('S', Buffer.alloc(0))]));
    }
    release();
  }

  function leave(backend: Backend): void {
    backend.isGone = true;
    if (!backend.isRunning) void finish(backend);
  }

  function start(backend: Backend, packet: Buffer): void {
    backend.isStarted = true;
    const words = packet.toString('utf8', 8).split('\0');
    backend.user = words[words.indexOf('user') + 1] ?? '';
    backend.isReplicating = words.includes('replication');
    if (refusal?.process === backend.process && refusal.user === backend.user && refusal.skip-- === 0) {
      refusal = null;
      write(backend, errorMessage('FATAL', '53300', 'sorry, too many clients already'));
      backend.end.end();
      return leave(backend);
    }
    const parameter = (name: string, value: string): Buffer => message('S', text(name, value));
    const key = Buffer.alloc(8);
    key.writeInt32BE(backend.id, 0);
    key.writeInt32BE(backend.id * 7919, 4);
    write(
      backend,
      Buffer.concat([
        message('R', Buffer.alloc(4)),
        parameter('server_version', '18.6'),
        parameter('client_encoding', 'UTF8'),
        parameter('standard_conforming_strings', 'on'),
        parameter('in_hot_standby', 'off'),
        parameter('default_transaction_read_only', 'off'),
        message('K', key),
        ready('I'),
      ]),
    );
  }

  /** Takes the first packet, which has no type. Returns whether it is whole. */
  function takeStartup(backend: Backend): boolean {
    const { bytes } = backend;
    const length = bytes.length < 8 ? Infinity : bytes.readInt32BE(0);
    if (bytes.length < length) return false;
    const code = bytes.readInt32BE(4);
    backend.bytes = bytes.subarray(length);
    if (code === SSL) write(backend, Buffer.from('N'));
    else if (code === CANCEL) {
      const target = open.get(bytes.readInt32BE(8));
      clock.after(random?.below(CANCEL_MS) ?? 0, () => {
        if (target?.isRunning === true) target.isCancelled = true;
        backend.end.end();
        leave(backend);
      });
    } else start(backend, bytes.subarray(0, length));
    return true;
  }

  function takeMessages(backend: Backend): void {
    let taken = 0;
    for (const each of messagesOf(backend.bytes)) {
      taken += each.length;
      const type = typeOf(each);
      if (type === 'X') {
        backend.end.end();
        return leave(backend);
      }
      const statement =
        type === 'Q' ? each.toString('utf8', 5) : type === 'P' ? each.toString('utf8', 6) : '';
      if (backend.isReplicating) {
        if (type === 'Q') replicate(backend, statement);
        else if (type === 'd') write(backend, message('d', KEEP_ALIVE));
        continue;
      }
      const [, channel] = LISTEN.exec(statement) ?? [];
      if (channel !== undefined) backend.channels.add(channel);
      backend.unit.push(Buffer.from(each));
      if (type !== 'S' && type !== 'Q') continue;
      backend.units.push({ bytes: Buffer.concat(backend.unit), at: clock.now() });
      backend.unit = [];
    }
    backend.bytes = backend.bytes.subarray(taken);
    if (backend.units.length > 0 && !backend.isRunning) void runUnits(backend);
  }

  function terminate(backend: Backend | undefined): void {
    if (backend === undefined) return;
    write(backend, errorMessage('FATAL', '57P01', 'terminating connection due to administrator command'));
    backend.end.end();
    backend.isEnded = true;
    leave(backend);
  }

  const chosen = (choice: number, isChosen: (backend: Backend) => boolean): Backend | undefined => {
    const some = [...open.values()].filter(isChosen);
    return some[choice % Math.max(1, some.length)];
  };

  return {
    get primary() {
      return primary;
    },
    setPrimary: (server) => void (primary = server),
    kill(server) {
      for (const backend of open.values()) if (backend.server === server) backend.end.reset();
    },
    loseProcess(process) {
      for (const backend of open.values()) if (backend.process === process) backend.end.reset();
    },
    accept(end, server, process) {
      const backend: Backend = {
        id: ++count,
        server,
        process,
        end,
        names: new Set(),
        channels: new Set(),
        units: [],
        user: '',
        isReadOnly: server !== primary,
        unitAt: 0,
        errorAt: -Infinity,
        unit: [],
        bytes: Buffer.alloc(0),
        history: '',
        unexecuted: [],
        isStarted: false,
        isReplicating: false,
        receivesLog: false,
        isRunning: false,
        isCancelled: false,
        isGone: false,
        isEnded: false,
        state: 'I',
      };
      open.set(backend.id, backend);
      return {
        data(chunk) {
          backend.bytes = Buffer.concat([backend.bytes, chunk]);
          while (!backend.isStarted && !backend.isGone && takeStartup(backend));
          if (backend.isStarted && !backend.isGone) takeMessages(backend);
          return chunk.length;
        },
        end() {
          end.end();
          leave(backend);
        },
        reset: () => leave(backend),
      };
    },
    terminate: (choice) => terminate(chosen(choice, ({ isStarted }) => isStarted)),
    refuse: (process, user, skip) => void (refusal = { process, user, skip }),
    cutLog(bytes) {
      for (const { receivesLog, end } of open.values()) if (receivesLog) end.resetAfterWritten(bytes);
    },
    terminateListener: (choice) => terminate(chosen(choice, ({ channels }) => channels.size > 0)),
    notify(channel, payload) {
      const notification = message('A', Buffer.concat([Buffer.alloc(4), text(channel, payload)]));
      for (const backend of open.values())
        if (backend.server === primary && backend.channels.has(channel)) write(backend, notification);
    },
    terminateActive: () => terminate([...open.values()].findLast(({ isRunning }) => isRunning)),
    cut: cuts.add,
    delay: delays.add,
    endInstead: ends.add,
    heal() {
      slowness = 1;
      refusal = null;
      primary ??= 'first';
      cuts.clear();
      delays.clear();
      ends.clear();
      for (const { receivesLog, end } of open.values()) if (receivesLog) end.resetAfterWritten(Infinity);
    },
    setLatency: (milliseconds) => void (latencyMs = milliseconds),
    setSlowness: (factor) => void (slowness = factor),
    setRandom(given) {
      random = given;
      // The clock begins again.
      loggedAt = 0;
    },
    setStarting: (given) => void (isStarting = given),
    takeViolations: () => violations.splice(0),
    administer: (script) => alone(() => runScript(script)),
    async change(script, aheadMs) {
      if (aheadMs !== null) {
        await alone(() => announce(script));
        await new Promise<void>((resolve) => clock.after(aheadMs, resolve));
      }
      await alone(() => change(script));
      announced = null;
    },
    get open() {
      return open.size;
    },
    get units() {
      return units;
    },
  };
}
