import { expect } from 'chai';
import { readHeaders } from '../../../../src/contract/request.js';
import { runAtOnce } from '../../../../src/base/turns.js';
import {
  filled,
  headersOfItem,
  type Mark,
  readBatchPreferences,
  requireMarksInValues,
  withoutMarks,
} from '../../../../src/data-api/batch/batch-item.js';

const reference = { item: 0, pointer: [], spelled: '{a}' };
const mark = (number: number): Mark => ({
  text: `dbr${'0'.repeat(18)}n1n${String(number)}z`,
  reference: { ...reference, spelled: `{a/${String(number)}}` },
});

describe('preferences of a batch', () => {
  it('are the first token of each kind', () => {
    const header =
      'isolation=serializable, isolation=read-committed, retry=10, tx=rollback, handling=lenient, other';
    expect(readBatchPreferences(header, true)).to.deep.equal({
      isolation: 'serializable',
      retries: 10,
      tx: 'rollback',
      applied: ['isolation=serializable', 'retry=10', 'tx=rollback', 'handling=lenient'],
    });
    expect(readBatchPreferences(header, false)).to.deep.include({ tx: null });
    expect(readBatchPreferences('', true)).to.deep.equal({
      isolation: null,
      retries: 0,
      tx: null,
      applied: [],
    });
  });

  it('have bounds, which only strict handling enforces', () => {
    expect(readBatchPreferences('retry=11', true)).to.deep.include({ retries: 0, applied: [] });
    for (const token of ['retry=11', 'retry=100', 'retry=x', 'other'])
      expect(() => readBatchPreferences(`handling=strict, ${token}`, true), token)
        .to.throw()
        .with.deep.property('details', `Invalid preferences: ${token}`);
    expect(readBatchPreferences('handling=strict, tx=commit, retry=0', false).applied).to.deep.equal([
      'retry=0',
      'handling=strict',
    ]);
  });
});

describe('headers of an item', () => {
  it('are those of the caller without those of the message, and its own', () => {
    const batch = {
      headers: readHeaders('POST', {
        ...{ host: 'h', 'content-length': '5', prefer: 'tx=commit', cookie: 'c', accept: 'a' },
      }),
      rawHeaders: ['Host', 'h', 'Content-Length', '5', 'Prefer', 'tx=commit', 'Cookie', 'c', 'Accept', 'a'],
    };
    expect(headersOfItem(batch, { method: 'GET', headers: { prefer: 'count=exact' } })).to.deep.equal({
      headers: readHeaders('GET', { host: 'h', cookie: 'c', prefer: 'count=exact' }),
      rawHeaders: ['Host', 'h', 'Cookie', 'c', 'prefer', 'count=exact'],
    });
  });

  it('have the schema of the batch, unless they name one', () => {
    const batch = {
      headers: readHeaders('POST', { 'content-profile': 'x' }),
      rawHeaders: ['Content-Profile', 'x'],
    };
    expect(headersOfItem(batch, { method: 'GET', headers: { 'accept-profile': 'y' } })).to.deep.equal({
      headers: readHeaders('GET', { 'accept-profile': 'y', 'content-profile': 'x' }),
      rawHeaders: ['accept-profile', 'y', 'content-profile', 'x'],
    });
  });
});

describe('marks of references', () => {
  it('must be in values', () => {
    const [one, other] = [mark(0), mark(1)];
    requireMarksInValues([`x${one.text}y`, ['a', other.text]], [one, other]);
    requireMarksInValues([], []);
    expect(() => {
      requireMarksInValues([one.text], [one, other]);
    })
      .to.throw()
      .with.property('message')
      .that.includes('{a/1}');
  });

  it('give way to the values of the answers, which links encode', () => {
    const one = mark(0);
    const pair = { key: 'id', value: `eq.${one.text}`, rawKey: 'id', rawValue: `eq.${one.text}` };
    const values = [`eq.${one.text}`, ['a', one.text, 'dbrother']];
    expect(
      withoutMarks({ values, pairs: null, linkPairs: [pair] }, new Map([[one.text, 'a&b']])),
    ).to.deep.equal({
      values: ['eq.a&b', ['a', 'a&b', 'dbrother']],
      pairs: null,
      linkPairs: [{ ...pair, value: 'eq.a&b', rawValue: 'eq.a%26b' }],
    });
  });
});

describe('slots of a body', () => {
  it('are filled in their order, with the bytes between them', () => {
    const json = Buffer.from('[XX,1,YY]');
    const slots = [
      { start: 1, end: 3, reference },
      { start: 6, end: 8, reference: { ...reference, item: 1 } },
    ];
    const text = runAtOnce(
      filled(json, slots, function* ({ reference: { item } }) {
        yield;
        return Buffer.from(item === 0 ? '"a"' : 'null');
      }),
    );
    expect(text.toString()).to.equal('["a",1,null]');
  });
});
