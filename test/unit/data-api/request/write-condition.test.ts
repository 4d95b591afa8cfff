import { expect } from 'chai';
import { readHeaders, type ReceivedHeaders } from '../../../../src/contract/request.js';
import type { Action } from '../../../../src/data-api/request/api-request.js';
import {
  httpDate,
  matchedDigests,
  unmodifiedBefore,
  writeConditionOf,
} from '../../../../src/data-api/request/read-request.js';

const UPDATE: Action = { kind: 'update' };
const UPSERT: Action = { kind: 'upsert' };
const DATE = 'Sun, 01 Mar 2026 09:30:00 GMT';

describe('the condition of a write (RFC 9110 §13)', () => {
  const of = (headers: Readonly<Record<string, string>>, action: Action = UPDATE, comparesTags = true) =>
    writeConditionOf(action, readHeaders('PUT', headers), comparesTags);

  it('is that of If-Match: a row that exists, or one with a tag', () => {
    expect(of({ 'if-match': '*' })).to.equal('exists');
    expect(of({ 'if-match': ' * ' })).to.equal('exists');
    expect(of({ 'if-match': '"a.b"' })).to.equal('tags');
    expect(of({ 'if-match': '*' }, { kind: 'delete' })).to.equal('exists');
    expect(of({ 'if-match': '"a"' }, UPSERT)).to.equal('tags');
  });

  it('is no row for If-None-Match: * of an upsert alone', () => {
    expect(of({ 'if-none-match': '*' }, UPSERT)).to.equal('absent');
    expect(of({ 'if-none-match': '"a"' }, UPSERT)).to.equal(null);
    expect(of({ 'if-none-match': '*' })).to.equal(null);
  });

  it('is the time of If-Unmodified-Since without the others', () => {
    expect(of({ 'if-unmodified-since': DATE })).to.equal('unmodified');
    expect(of({ 'if-unmodified-since': 'yesterday' })).to.equal(null);
    expect(of({ 'if-unmodified-since': DATE, 'if-match': '*' })).to.equal('exists');
    expect(of({ 'if-unmodified-since': DATE, 'if-none-match': '*' }, UPSERT)).to.equal('absent');
  });

  it('is none without headers, without comparing tags, and for a read or an insert', () => {
    expect(of({})).to.equal(null);
    expect(of({ 'if-match': '*' }, UPDATE, false)).to.equal(null);
    expect(of({ 'if-match': '*', 'if-unmodified-since': DATE }, UPDATE, false)).to.equal(null);
    expect(of({ 'if-none-match': '*' }, UPSERT, false)).to.equal(null);
    const others: readonly Action[] = [{ kind: 'read', headersOnly: false }, { kind: 'insert' }];
    for (const action of others) expect(of({ 'if-match': '*' }, action)).to.equal(null);
  });
});

describe('the time of If-Unmodified-Since', () => {
  const since = (headers: ReceivedHeaders) => unmodifiedBefore(readHeaders('PUT', headers));

  it('ends with its second', () => {
    expect(since({ 'if-unmodified-since': DATE })).to.equal('2026-03-01T09:30:01.000Z');
    expect(since({})).to.equal(null);
    expect(since({ 'if-unmodified-since': '2026-03-01' })).to.equal(null);
  });
});

describe('a date of HTTP', () => {
  it('has the form that senders must use', () => {
    expect(httpDate(DATE)).to.equal(Date.UTC(2026, 2, 1, 9, 30));
    expect(httpDate(` ${DATE} `)).to.equal(Date.UTC(2026, 2, 1, 9, 30));
    for (const text of [
      ...[undefined, '', 'x', '2026-03-01T09:30:00Z', 'Sunday, 01-Mar-26 09:30:00 GMT'],
      ...[
        'Sun Mar  1 09:30:00 2026',
        `${DATE} x`,
        'Sun, 01 Abc 2026 09:30:00 GMT',
        DATE.replace('GMT', 'UTC'),
      ],
    ])
      expect(httpDate(text), text).to.equal(null);
  });
});

describe('the digests of If-Match', () => {
  it('are those of strong tags of this service', () => {
    const digests = (tags: string): readonly string[] =>
      matchedDigests(readHeaders('PUT', { 'if-match': tags }));
    expect(digests('"0af1.c8"')).to.deep.equal(['0af1']);
    expect(digests('"0af1.c8", "b.1"')).to.deep.equal(['0af1', 'b']);
    expect(digests('W/"0af1.c8", "x.1", "0af1", 0af1.c8')).to.deep.equal([]);
    expect(matchedDigests(readHeaders('PUT', {}))).to.deep.equal([]);
  });
});
