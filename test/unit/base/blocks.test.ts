import { expect } from 'chai';
import { BLOCK_BYTES, giveBackBlock, takeBlock } from '../../../src/base/blocks.js';

describe('blocks', () => {
  it('are used again once they are given back, and not before', () => {
    const first = takeBlock(100);
    const second = takeBlock(BLOCK_BYTES);
    expect(first.length).to.equal(100);
    expect(second.length).to.equal(BLOCK_BYTES);
    expect(second.buffer).not.to.equal(first.buffer);
    giveBackBlock(first);
    expect(takeBlock(7).buffer).to.equal(first.buffer);
  });

  it('are given back once, however often that is said', () => {
    const block = takeBlock(10);
    giveBackBlock(block);
    giveBackBlock(block);
    const [first, second] = [takeBlock(10), takeBlock(10)];
    expect(first.buffer).to.equal(block.buffer);
    expect(second.buffer).not.to.equal(block.buffer);
  });

  it('are never memory that belongs to another buffer', () => {
    const own = Buffer.from('memory of the pool of Node.js');
    giveBackBlock(own);
    expect(takeBlock(10).buffer).not.to.equal(own.buffer);
  });

  it('are kept up to 4 MB', () => {
    const blocks = Array.from({ length: 100 }, () => takeBlock(BLOCK_BYTES));
    const known = new Set(blocks.map(({ buffer }) => buffer));
    for (const block of blocks) giveBackBlock(block);
    const again = Array.from({ length: 100 }, () => takeBlock(BLOCK_BYTES));
    expect(again.filter(({ buffer }) => known.has(buffer))).to.have.length(64);
  });
});
