import { expect } from 'chai';
import { once } from 'node:events';
import { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { bodyStream } from '../../../src/postgres/body-stream.js';

/** A reader that takes nothing until told, and a source that keeps count. */
function slowReader() {
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
  const source = { pause: () => paused++, resume: () => paused-- };
  return {
    target,
    taken,
    source,
    isPaused: () => paused > 0,
    pauses: () => paused,
    take: async () => {
      release();
      await nextTurn();
    },
  };
}

describe('bodyStream', () => {
  it('pauses the source while the target is full, once', async () => {
    const { target, source, taken, pauses, isPaused, take } = slowReader();
    const write = bodyStream(source, target, 10_000);
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
    expect(target.listenerCount('drain') + target.listenerCount('close')).to.equal(0);
    target.destroy();
  });

  it('goes on when the reader leaves, and drops the rest', async () => {
    const { target, source, taken, isPaused } = slowReader();
    const write = bodyStream(source, target, 10_000);
    write(Buffer.from('abcdef'));
    expect(isPaused()).to.equal(true);
    target.destroy();
    await once(target, 'close');
    expect(isPaused()).to.equal(false);
    write(Buffer.from('ghijkl'));
    expect(isPaused()).to.equal(false);
    expect(taken).to.deep.equal(['abcdef']);
  });

  it('gives up a reader that takes nothing', async () => {
    const { target, source, isPaused } = slowReader();
    bodyStream(source, target, 5)(Buffer.from('abcdef'));
    expect(isPaused()).to.equal(true);
    await once(target, 'close');
    expect(isPaused()).to.equal(false);
    expect(target.destroyed).to.equal(true);
  });
});
