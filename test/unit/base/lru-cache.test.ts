import { expect } from 'chai';
import fc from 'fast-check';
import { lruCache } from '../../../src/base/lru-cache.js';

const numbers = (maxEntries: number, maxBytes = 1_000_000) =>
  lruCache<number>({ maxEntries, maxBytes, bytesOf: () => 8 });
const texts = (maxBytes: number) =>
  lruCache<string>({ maxEntries: 1_000_000, maxBytes, bytesOf: (text) => 2 * text.length });

describe('the bounded cache', () => {
  it('keeps used entries and evicts the least recently used ones', () => {
    const cache = numbers(4);
    cache.set('wanted', 0);
    for (let number = 1; number <= 20; number += 1) {
      cache.set(`n${String(number)}`, number);
      expect(cache.get('wanted')).to.equal(0);
      expect(cache.size).to.be.at.most(4);
    }
    expect(cache.get('n20')).to.equal(20);
    expect(cache.get('n1')).to.equal(undefined);
    cache.clear();
    expect(cache.get('wanted')).to.equal(undefined);
    expect(cache).to.include({ size: 0, bytes: 0 });
  });

  it('holds the newest value of a key', () => {
    const cache = numbers(4);
    for (const value of [1, 2, 3]) {
      cache.set('a', value);
      for (const other of ['x', 'y']) cache.set(`${other}${String(value)}`, value);
    }
    expect(cache.get('a')).to.equal(3);
    cache.delete('a');
    expect(cache.get('a')).to.equal(undefined);
  });

  it('holds at most its bytes, keys included', () => {
    const cache = texts(100_000);
    for (let number = 0; number < 1000; number += 1) {
      cache.set(`${'k'.repeat(500)}${String(number)}`, 'v'.repeat(1000));
      expect(cache.bytes).to.be.at.most(100_000);
    }
    expect(cache.size).to.be.within(10, 32);
  });

  it('does not keep a value larger than half of its bytes, nor the previous value of its key', () => {
    const cache = texts(10_000);
    cache.set('a', 'small');
    cache.set('a', 'x'.repeat(5000));
    expect(cache.get('a')).to.equal(undefined);
    expect(cache).to.include({ size: 0, bytes: 0 });
  });

  it('keeps a long key as its digest', () => {
    const cache = numbers(100);
    const long = 'k'.repeat(2_000_000);
    cache.set(long, 1);
    cache.set(`${long}!`, 2);
    expect(cache.bytes).to.be.below(1000);
    expect([cache.get(long), cache.get(`${long}!`), cache.get(`${long}?`)]).to.deep.equal([1, 2, undefined]);
  });

  it('never confuses a short key with the digest of a long one', () => {
    const cache = numbers(100);
    const long = 'k'.repeat(2000);
    cache.set(long, 1);
    // SHA-256 of the long key, in the form in which it is kept.
    expect(cache.get('sha256 HIEjMUvnlP7NRiLdM2yTLIwVkvjjqhLuvy6Yq6ku/RE=')).to.equal(undefined);
    cache.set('sha256 x', 2);
    expect(cache.get('sha256 x')).to.equal(2);
  });

  it('drops entries when they expire', () => {
    let now = 1000;
    const cache = lruCache<number>({ maxEntries: 10, maxBytes: 10_000, bytesOf: () => 8, now: () => now });
    cache.set('a', 1, 2000);
    cache.set('b', 2);
    now = 1999;
    expect(cache.get('a')).to.equal(1);
    now = 2000;
    expect(cache.get('a')).to.equal(undefined);
    expect(cache.size).to.equal(1);
    now = Number.MAX_SAFE_INTEGER;
    expect(cache.get('b')).to.equal(2);
  });

  it('keeps its bounds and returns the last value of a key after any sequence of operations', () => {
    const step = fc.record({
      key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'x'.repeat(1500), 'y'.repeat(900)),
      length: fc.option(fc.integer({ min: 0, max: 3000 })),
      deletes: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const cache = lruCache<string>({
          maxEntries: 6,
          maxBytes: 12_000,
          bytesOf: ({ length }) => 2 * length,
        });
        const last = new Map<string, string>();
        for (const [index, { key, length, deletes }] of steps.entries()) {
          if (length === null) {
            if (deletes) cache.delete(key);
            if (deletes) last.delete(key);
          } else {
            const value = `${String(index)} ${'v'.repeat(length)}`;
            cache.set(key, value);
            last.set(key, value);
          }
          const found = cache.get(key);
          if (found !== undefined) expect(found).to.equal(last.get(key));
          expect(cache.size).to.be.at.most(6);
          expect(cache.bytes).to.be.within(0, 12_000);
        }
      }),
    );
  });
});
