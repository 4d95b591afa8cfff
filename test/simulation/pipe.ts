/**
 * One direction of a simulated connection: bytes are cut into pieces that arrive later, in order. A reader that does not
 * read fills the window, and then the writer waits, as with TCP.
 */
import type { Clock } from './clock.js';
import type { Random } from './random.js';

export interface Reader {
  /** Takes bytes. Returns how many of them; the others are offered again when the reader reads on. */
  data(chunk: Buffer): number;
  end(): void;
}

export interface Pipe {
  /** The bytes are read until `done`. @param done called when they are on their way */
  write(chunk: Buffer, done: () => void): void;
  /** The writer is at its end. */
  end(): void;
  /** Nothing more arrives. */
  stop(): void;
  setReading(isReading: boolean): void;
  /** Calls `run` when that many further bytes have arrived. */
  afterBytes(bytes: number, run: () => void): void;
}

export interface Weather {
  /** Longest time of a piece on its way, in milliseconds. */
  readonly latencyMs: number;
  /** Probability that bytes are cut into small pieces. */
  readonly cuts: number;
  /** Most bytes on their way and unread. */
  readonly window: number;
}

export const WINDOW_BYTES = 65_536;
const LONGEST_PIECE = 16_384;

/** Longest pieces into which bytes are cut: the pieces of a long body are larger, as there would be thousands of them. */
const PIECES = [1, 8, 64, 4096] as const;
const PIECES_OF_LONG = [8, 512, 4096, LONGEST_PIECE] as const;
const SHORT_BYTES = 4096;

interface Unsent {
  bytes: Buffer;
  readonly done: () => void;
}

export function openPipe(clock: Clock, random: Random, reader: Reader, weather: Weather): Pipe {
  const unsent: Unsent[] = [];
  const arrived: Buffer[] = [];
  let inWindow = 0;
  let lastAt = 0;
  let isReading = false;
  let hasEnded = false;
  let endSent = false;
  let endArrived = false;
  let endTold = false;
  let stopped = false;
  let trap: { left: number; readonly run: () => void } | null = null;

  function schedule(run: () => void): void {
    const latency = weather.latencyMs * (random.chance(0.9) ? 0.1 : 1);
    const at = Math.max(lastAt, clock.now() + (latency * random.below(1000)) / 1000);
    lastAt = at;
    clock.after(at - clock.now(), () => {
      if (!stopped) run();
    });
  }

  function pieceOf(length: number): number {
    const most = Math.min(length, LONGEST_PIECE, weather.window - inWindow);
    return random.chance(weather.cuts)
      ? random.between(1, Math.min(most, random.pick(length > SHORT_BYTES ? PIECES_OF_LONG : PIECES)))
      : most;
  }

  function send(): void {
    for (
      let first = unsent[0];
      first !== undefined && inWindow < weather.window && !stopped;
      first = unsent[0]
    ) {
      const length = first.bytes.length === 0 ? 0 : pieceOf(first.bytes.length);
      const piece = Buffer.from(first.bytes.subarray(0, length));
      first.bytes = first.bytes.subarray(length);
      inWindow += length;
      if (length > 0) schedule(() => arrive(piece));
      if (first.bytes.length > 0) continue;
      unsent.shift();
      process.nextTick(first.done);
    }
    if (!hasEnded || endSent || unsent.length > 0) return;
    endSent = true;
    schedule(() => {
      endArrived = true;
      pass();
    });
  }

  function arrive(piece: Buffer): void {
    const [current, left] = [trap, trap?.left ?? Infinity];
    if (left > 0) arrived.push(piece.subarray(0, Math.min(left, piece.length)));
    pass();
    if (current === null) return;
    current.left -= piece.length;
    if (current.left > 0) return;
    trap = null;
    current.run();
  }

  function pass(): void {
    for (let first = arrived[0]; first !== undefined && isReading && !stopped; first = arrived[0]) {
      const taken = reader.data(first);
      inWindow -= taken;
      if (taken < first.length) {
        arrived[0] = first.subarray(taken);
        break;
      }
      arrived.shift();
    }
    if (endArrived && !endTold && arrived.length === 0 && isReading && !stopped) {
      endTold = true;
      reader.end();
    }
    send();
  }

  return {
    write(chunk, done) {
      if (stopped || (chunk.length === 0 && unsent.length === 0)) return process.nextTick(done);
      unsent.push({ bytes: chunk, done });
      send();
    },
    end() {
      hasEnded = true;
      send();
    },
    stop() {
      stopped = true;
      for (const { done } of unsent.splice(0)) process.nextTick(done);
    },
    setReading(given) {
      if (isReading === given) return;
      isReading = given;
      if (isReading) process.nextTick(pass);
    },
    afterBytes: (bytes, run) => void (trap = { left: bytes, run }),
  };
}
