/**
 * A network in this process. `SimulatedSocket` takes the place of `net.Socket`, so that the driver and the HTTP server
 * read and write as they do for users; servers are found by their port. Clients and backends of the simulation hold the
 * other ends as values.
 */
import net from 'node:net';
import type { Clock, Event } from './clock.js';
import { openPipe, WINDOW_BYTES, type Pipe, type Reader, type Weather } from './pipe.js';
import type { Random } from './random.js';
import { randomOf } from './random.js';

/** The other end of a connection, as a value. */
export interface Peer extends Reader {
  /** The connection was reset. */
  reset(): void;
}

/** One end of a connection. */
export interface End {
  write(chunk: Buffer, done?: () => void): void;
  end(): void;
  /** Resets the connection: both ends notice it. */
  reset(): void;
  setReading(isReading: boolean): void;
  /** Resets the connection when the peer has received that many further bytes. */
  resetAfterWritten(bytes: number): void;
  /** Resets the connection when this end has received that many further bytes. */
  resetAfterRead(bytes: number): void;
}

export type Accept = (end: End) => Peer;

export interface Network {
  readonly Socket: typeof net.Socket;
  readonly connect: (target: Target, listener?: () => void) => net.Socket;
  /** Listens with a function in place of a server. */
  accept(port: number, accept: Accept): void;
  /** Connects a value to a server of node:net. Throws if none listens at the port. */
  open(port: number, random: Random, peer: Peer, address?: string): End;
  /** The next connections have this weather and these random numbers. */
  setWeather(weather: Weather, random: Random): void;
  /** False refuses connections to the port. */
  setReachable(port: number, isReachable: boolean): void;
  isListening(port: number): boolean;
  /** Resets all connections of the server at a port, which reaches it no more. Another one may listen. */
  abandon(port: number): void;
  /** Open connections of servers of node:net. */
  connectionsOf(port: number): number;
}

interface Target {
  readonly port?: number | string | null;
  readonly host?: string | null;
}

interface ReceiveOptions {
  buffer(): Buffer;
  callback(bytes: number, buffer: Buffer): boolean;
}

interface SocketOptions {
  readonly allowHalfOpen?: boolean;
  readonly onread?: ReceiveOptions;
  /** Address of the other end. */
  readonly address?: string;
}

/** Joins two ends. Each has its own sequence of random numbers. */
function join(clock: Clock, random: Random, weather: Weather, peers: readonly [Peer, Peer]): [End, End] {
  const [first, second] = peers;
  const toSecond = openPipe(clock, random.of('there'), second, weather);
  const toFirst = openPipe(clock, random.of('back'), first, weather);
  let isReset = false;
  function reset(): void {
    if (isReset) return;
    isReset = true;
    toSecond.stop();
    toFirst.stop();
    first.reset();
    second.reset();
  }
  const endOf = (out: Pipe, into: Pipe): End => ({
    write: (chunk, done = () => undefined) => out.write(chunk, done),
    end: () => out.end(),
    reset,
    setReading: (isReading) => into.setReading(isReading),
    resetAfterWritten: (bytes) => out.afterBytes(bytes, reset),
    resetAfterRead: (bytes) => into.afterBytes(bytes, reset),
  });
  return [endOf(toSecond, toFirst), endOf(toFirst, toSecond)];
}

const errorOf = (code: string): Error => Object.assign(new Error(code), { code, syscall: 'read' });

export function createNetwork(clock: Clock): Network {
  const listeners = new Map<number, Accept>();
  const servers = new Map<number, net.Server>();
  const unreachable = new Set<number>();
  const openSockets = new Map<net.Server, Map<net.Socket, End>>();
  let weather: Weather = { latencyMs: 0, cuts: 0, window: WINDOW_BYTES };
  let random: Random = randomOf('network');
  let count = 0;
  let lastPort = 40_000;

  class SimulatedSocket extends net.Socket {
    #end: End | null = null;
    #onread: ReceiveOptions | null;
    #timer: Event | null = null;
    #timeoutMs = 0;
    #received = 0;
    #isReset = false;
    #port: number | undefined;

    constructor(given: SocketOptions = {}) {
      super({ allowHalfOpen: given.allowHalfOpen === true });
      this.#onread = given.onread ?? null;
      Object.defineProperties(this, {
        bytesRead: { get: () => this.#received },
        remoteAddress: { value: given.address ?? '192.0.2.1' },
        remotePort: { get: () => this.#port },
      });
    }

    /** Gives the socket its end of a connection, and returns what the other end talks to. */
    connectTo(give: (peer: Peer) => End): void {
      this.#end = give({
        data: (chunk) => this.#receive(chunk),
        end: () => {
          this.push(null);
          this.read(0);
        },
        reset: () => void this.destroy(errorOf('ECONNRESET')),
      });
      if (this.#onread !== null && !this.isPaused()) this.#end.setReading(true);
    }

    #receive(chunk: Buffer): number {
      this.#received += chunk.length;
      this.#touch();
      if (this.#onread === null) {
        if (!this.push(chunk)) this.#end?.setReading(false);
        return chunk.length;
      }
      let taken = 0;
      while (taken < chunk.length && !this.isPaused() && !this.destroyed) {
        const space = this.#onread.buffer();
        const length = chunk.copy(space, 0, taken, Math.min(chunk.length, taken + space.length));
        taken += length;
        if (this.#onread.callback(length, space)) continue;
        this.#end?.setReading(false);
        break;
      }
      return taken;
    }

    override connect(...given: readonly unknown[]): this {
      const [first] = given;
      const port = Number(typeof first === 'object' && first !== null ? Reflect.get(first, 'port') : first);
      this.#port = port;
      const listener = given.find((each) => typeof each === 'function');
      if (typeof listener === 'function') this.once('connect', () => void Reflect.apply(listener, this, []));
      Reflect.set(this, 'connecting', true);
      const own = random.of(`connection ${String(count++)}`);
      clock.after((weather.latencyMs * own.below(1000)) / 1000, () => {
        if (this.destroyed) return;
        Reflect.set(this, 'connecting', false);
        const accept = listeners.get(port) ?? acceptOf(port);
        if (unreachable.has(port) || accept === undefined)
          return void this.destroy(
            Object.assign(new Error(`connect ECONNREFUSED`), { code: 'ECONNREFUSED', syscall: 'connect' }),
          );
        this.connectTo((peer) => {
          let other: Peer | null = null;
          const [end, back] = join(clock, own, weather, [
            peer,
            {
              data: (chunk) => other?.data(chunk) ?? chunk.length,
              end: () => other?.end(),
              reset: () => other?.reset(),
            },
          ]);
          other = accept(back);
          back.setReading(true);
          return end;
        });
        this.emit('connect');
        this.emit('ready');
        if (!this.isPaused()) this.read(0);
      });
      return this;
    }

    override _read(): void {
      if (this.#onread !== null) return;
      if (this.#end === null) this.once('connect', () => this._read());
      else this.#end.setReading(true);
    }

    override _write(chunk: Buffer | string, encoding: BufferEncoding, done: () => void): void {
      this.#touch();
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;
      if (this.#end === null) this.once('connect', () => this.#end?.write(bytes, done));
      else this.#end.write(bytes, done);
    }

    override _writev(
      chunks: readonly { readonly chunk: Buffer | string; readonly encoding: BufferEncoding }[],
      done: () => void,
    ): void {
      const last = chunks.length - 1;
      for (const [at, { chunk, encoding }] of chunks.entries())
        this._write(chunk, encoding, at === last ? done : () => undefined);
    }

    override _final(done: () => void): void {
      this.#end?.end();
      // As in libuv, the shutdown ends in a later turn.
      clock.immediate(done);
    }

    override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
      this.#clearTimer();
      if (this.#isReset) this.#end?.reset();
      else {
        this.#end?.end();
        this.#end?.setReading(true);
      }
      this.#onread = { buffer: () => Buffer.alloc(65_536), callback: () => true };
      super._destroy(error, done);
    }

    override pause(): this {
      if (this.#onread !== null) this.#end?.setReading(false);
      return super.pause();
    }

    override resume(): this {
      if (this.#onread !== null) this.#end?.setReading(true);
      return super.resume();
    }

    override resetAndDestroy(): this {
      this.#isReset = true;
      return this.destroy();
    }

    override setTimeout(milliseconds: number, listener?: () => void): this {
      this.#timeoutMs = milliseconds;
      if (listener !== undefined) {
        if (milliseconds === 0) this.off('timeout', listener);
        else this.once('timeout', listener);
      }
      this.#touch();
      return this;
    }

    #clearTimer(): void {
      if (this.#timer !== null) this.#timer.cancelled = true;
      this.#timer = null;
    }

    #touch(): void {
      this.#clearTimer();
      if (this.#timeoutMs > 0 && !this.destroyed)
        this.#timer = clock.after(this.#timeoutMs, () => void this.emit('timeout'));
    }

    override setNoDelay(): this {
      return this;
    }

    override setKeepAlive(): this {
      return this;
    }

    override ref(): this {
      return this;
    }

    override unref(): this {
      return this;
    }
  }

  /** Accepts connections that the service opens to its own port. */
  function acceptOf(port: number): Accept | undefined {
    const server = servers.get(port);
    if (server === undefined) return undefined;
    return (end) => {
      const socket = new SimulatedSocket({ allowHalfOpen: true });
      let peer: Peer | null = null;
      socket.connectTo((other) => {
        peer = other;
        return end;
      });
      enter(server, socket, end);
      const accepted: Peer | null = peer;
      if (accepted === null) throw new Error('the connection has no end');
      return accepted;
    };
  }

  function enter(server: net.Server, socket: net.Socket, end: End): void {
    const sockets = openSockets.get(server);
    sockets?.set(socket, end);
    socket.once('close', () => sockets?.delete(socket));
    server.emit('connection', socket);
  }

  function serve(server: net.Server, port: number): void {
    servers.set(port, server);
    openSockets.set(server, new Map());
  }

  Object.assign(net.Server.prototype, {
    listen(this: net.Server, ...given: readonly unknown[]) {
      const [first] = given;
      const asked = Number(typeof first === 'object' && first !== null ? Reflect.get(first, 'port') : first);
      const port = asked === 0 ? ++lastPort : asked;
      serve(this, port);
      const listener = given.find((each) => typeof each === 'function');
      if (typeof listener === 'function')
        this.once('listening', () => void Reflect.apply(listener, this, []));
      process.nextTick(() => this.emit('listening'));
      return this;
    },
    address(this: net.Server) {
      for (const [port, server] of servers)
        if (server === this) return { port, address: '127.0.0.1', family: 'IPv4' };
      return null;
    },
    close(this: net.Server, done?: () => void) {
      for (const [port, server] of servers) if (server === this) servers.delete(port);
      const open = openSockets.get(this) ?? new Map<net.Socket, End>();
      const finish = (): void => {
        if (open.size > 0) return;
        this.emit('close');
        done?.();
      };
      for (const socket of open.keys()) socket.once('close', () => process.nextTick(finish));
      process.nextTick(finish);
      return this;
    },
  });

  return {
    Socket: SimulatedSocket,
    connect: (target, listener) => {
      const socket = new SimulatedSocket();
      if (listener !== undefined) socket.once('connect', listener);
      return socket.connect(target);
    },
    accept: (port, accept) => void listeners.set(port, accept),
    open(port, own, peer, address) {
      const server = servers.get(port);
      if (server === undefined) throw new Error(`no server listens at ${String(port)}`);
      const socket = new SimulatedSocket({
        allowHalfOpen: true,
        ...(address === undefined ? {} : { address }),
      });
      let mine: End | null = null;
      socket.connectTo((other) => {
        const [here, there] = join(clock, own, weather, [peer, other]);
        mine = here;
        return there;
      });
      const opened: End | null = mine;
      if (opened === null) throw new Error('the connection has no end');
      enter(server, socket, opened);
      return opened;
    },
    setWeather(given, sequence) {
      weather = given;
      random = sequence;
      count = 0;
    },
    setReachable: (port, isReachable) =>
      void (isReachable ? unreachable.delete(port) : unreachable.add(port)),
    isListening: (port) => servers.has(port),
    abandon(port) {
      const server = servers.get(port);
      servers.delete(port);
      for (const end of [...(server === undefined ? [] : (openSockets.get(server)?.values() ?? []))])
        end.reset();
    },
    connectionsOf: (port) => {
      const server = servers.get(port);
      return server === undefined ? 0 : (openSockets.get(server)?.size ?? 0);
    },
  };
}
