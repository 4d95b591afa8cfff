import { expect } from 'chai';
import { once } from 'node:events';
import { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  bodyStream,
  createBodyBuffer,
  ReaderTooSlow,
  type BodyLimits,
} from '../../../src/postgres/body-stream.js';

const NO_LIMITS: BodyLimits = { timeoutMs: 0, minimumRate: 0 };
const NO_ROOM = createBodyBuffer(0);

/** A reader that takes a piece when asked, and a source that keeps count. */
function longReader(mayHold: (urgent: boolean) => boolean = () => true) {
  const taken: string[] = [];
  let release: () => void = () => undefined;
  const target = new Writable({
    highWaterMark: 4,
    write(chunk: Buffer, _encoding, done) {
      taken.push(chunk.toString());
      release = done;
    },
  });
  let paused = 0;
  let held = false;
  const source = {
    pause: () => void paused++,
    resume: () => void paused--,
    hold: (urgent: boolean) => (held = mayHold(urgent)),
    endHold: () => void (held = false),
  };
  return {
    target,
    taken,
    source,
    isPaused: () => paused > 0 && held,
    pauses: () => paused,
    take: async () => {
      release();
      await nextTurn();
    },
  };
}

describe('bodyStream', () => {
  it('pauses the source while the target is full, once', async () => {
    const { target, source, taken, pauses, isPaused, take } = longReader();
    const write = bodyStream(source, target, 8, NO_ROOM, NO_LIMITS);
    write(Buffer.from('ab'));
    expect(isPaused()).to.equal(false);
    write(Buffer.from('cdef'));
    write(Buffer.from('gh'));
    expect(pauses()).to.equal(1);
    await take();
    expect(isPaused()).to.equal(true);
    await take();
    await take();
    expect(isPaused()).to.equal(false);
    expect(taken.join('')).to.equal('abcdefgh');
    target.destroy();
  });

  it('continues after the reader leaves and drops the rest', async () => {
    const { target, source, taken, isPaused } = longReader();
    const write = bodyStream(source, target, 12, NO_ROOM, NO_LIMITS);
    write(Buffer.from('abcdef'));
    expect(isPaused()).to.equal(true);
    target.destroy();
    await once(target, 'close');
    expect(isPaused()).to.equal(false);
    write(Buffer.from('ghijkl'));
    expect(isPaused()).to.equal(false);
    expect(taken).to.deep.equal(['abcdef']);
  });

  it('accepts a body at once if there is room, and releases the room at its end', async () => {
    const buffer = createBodyBuffer(10);
    const { target, source, isPaused } = longReader();
    const write = bodyStream(source, target, 8, buffer, NO_LIMITS);
    write(Buffer.from('abcdefgh'));
    expect(isPaused()).to.equal(false);
    expect(buffer.reserve(8, false), 'room for another').to.equal(false);
    target.destroy();
    await once(target, 'close');
    expect(buffer.reserve(8, false)).to.equal(true);
  });

  it('takes the body of the last connection from the reserve, and ends it where there is none', () => {
    const buffer = createBodyBuffer(6);
    buffer.reserve(4, false);
    const first = longReader(() => false);
    bodyStream(first.source, first.target, 8, buffer, NO_LIMITS)(Buffer.from('abcdef'));
    expect([first.isPaused(), first.target.destroyed]).to.deep.equal([false, false]);
    const second = longReader(() => false);
    bodyStream(second.source, second.target, 8, buffer, NO_LIMITS)(Buffer.from('abcdef'));
    expect(second.target.destroyed).to.equal(true);
    const only = longReader((urgent) => urgent);
    bodyStream(only.source, only.target, 8, buffer, NO_LIMITS)(Buffer.from('abcdef'));
    expect([only.isPaused(), only.target.destroyed]).to.deep.equal([true, false]);
    for (const { target } of [first, only]) target.destroy();
  });

  it('ends a body that takes too long, however steadily it is read, also without a listener for its error', async () => {
    const { target, source, isPaused, take } = longReader();
    const write = bodyStream(source, target, 1000, NO_ROOM, { timeoutMs: 20, minimumRate: 0 });
    const closed = new Promise((resolve) => target.once('close', resolve));
    while (!target.destroyed) {
      write(Buffer.from('abcdef'));
      await take();
    }
    await closed;
    expect(isPaused()).to.equal(false);
    expect(target.errored).to.be.instanceOf(ReaderTooSlow);
  });

  it('ends a body whose reader is waited for and takes less than the minimum', async () => {
    const { target, source, isPaused, take } = longReader();
    const limits = { timeoutMs: 0, minimumRate: 1_000_000, periodMs: 20 };
    const write = bodyStream(source, target, 1000, NO_ROOM, limits);
    target.on('error', () => undefined);
    const closed = new Promise((resolve) => target.once('close', resolve));
    while (!target.destroyed) {
      write(Buffer.from('abcdef'));
      write(Buffer.from('abcdef'));
      await take();
    }
    await closed;
    expect(isPaused()).to.equal(false);
    expect(target.errored).to.be.instanceOf(ReaderTooSlow);
  });

  it('keeps a reader that reads at the minimum rate', async () => {
    const { target, source, take } = longReader();
    const limits = { timeoutMs: 0, minimumRate: 1, periodMs: 5 };
    const write = bodyStream(source, target, 1000, NO_ROOM, limits);
    const until = performance.now() + 30;
    while (performance.now() < until) {
      write(Buffer.from('abcdefabcdef'));
      await take();
    }
    expect(target.destroyed).to.equal(false);
    target.destroy();
  });
});
