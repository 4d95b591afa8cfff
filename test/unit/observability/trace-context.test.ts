import { expect } from 'chai';
import {
  isInShare,
  newSpanId,
  newTraceId,
  readTraceContext,
  traceparentOf,
} from '../../../src/observability/trace-context.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const GOOD = `00-${TRACE}-${SPAN}-01`;

describe('the trace context of a request', () => {
  it('is read from traceparent and tracestate', () => {
    expect(readTraceContext(GOOD, 'congo=t61rcWkgMzE,rojo=00f067aa0ba902b7')).to.deep.equal({
      traceId: TRACE,
      spanId: SPAN,
      isSampled: true,
      traceState: 'congo=t61rcWkgMzE,rojo=00f067aa0ba902b7',
    });
    expect(readTraceContext(`00-${TRACE}-${SPAN}-00`, undefined)?.isSampled).to.equal(false);
    expect(readTraceContext(`00-${TRACE}-${SPAN}-03`, undefined)?.isSampled).to.equal(true);
  });

  it('of a later version is read as far as it is known', () => {
    expect(readTraceContext(`cc-${TRACE}-${SPAN}-01-what-comes`, undefined)?.traceId).to.equal(TRACE);
    expect(readTraceContext(`cc-${TRACE}-${SPAN}-01`, undefined)?.traceId).to.equal(TRACE);
  });

  for (const [what, value] of [
    ['an empty text', ''],
    ['version ff', `ff-${TRACE}-${SPAN}-01`],
    ['upper case', GOOD.toUpperCase()],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['a span id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['more members in version 00', `${GOOD}-more`],
    ['a member without its separator', `cc-${TRACE}-${SPAN}-01x`],
    ['a short trace id', `00-${TRACE.slice(1)}-${SPAN}-01`],
    ['two values', `${GOOD}, ${GOOD}`],
    ['a line end', `${GOOD}\n`],
    ['a quote', `00-${TRACE}-${SPAN.slice(1)}'-01`],
  ] as const)
    it(`is ignored with ${what} in traceparent`, () => {
      expect(readTraceContext(value, 'congo=1')).to.equal(null);
    });

  for (const [what, value] of [
    ['a member without a value', 'congo'],
    ['a key with upper case', 'Congo=1'],
    ['a repeated key', 'a=1,a=2'],
    ['33 members', Array.from({ length: 33 }, (_, index) => `k${String(index)}=1`).join(',')],
    ['more than 512 characters', `a=${'x'.repeat(512)}`],
    ['a character that is not printable', 'a=\u0007b'],
  ] as const)
    it(`ignores tracestate with ${what}, and keeps the parent`, () => {
      const context = readTraceContext(GOOD, value);
      expect([context?.traceId, context?.traceState]).to.deep.equal([TRACE, null]);
    });

  it('joins the lines of tracestate, without empty members', () => {
    expect(readTraceContext(GOOD, ['a=1', ' b@c=2 ,,'])?.traceState).to.equal('a=1,b@c=2');
  });

  it('is written as traceparent', () => {
    expect(traceparentOf({ traceId: TRACE, isSampled: true }, SPAN)).to.equal(GOOD);
  });
});

describe('ids of traces', () => {
  it('are random, of the length of the standard', () => {
    const ids = Array.from({ length: 1000 }, newTraceId);
    expect(ids.every((id) => /^[0-9a-f]{32}$/.test(id))).to.equal(true);
    expect(new Set(ids).size).to.equal(1000);
    expect(newSpanId()).to.match(/^[0-9a-f]{16}$/);
  });

  it('decide about the share alike everywhere', () => {
    const last = (digits: string): string => '0'.repeat(20) + digits;
    expect(isInShare(last('7fffffffffff'), 0.5)).to.equal(true);
    expect(isInShare(last('800000000000'), 0.5)).to.equal(false);
    expect(isInShare(last('ffffffffffff'), 1)).to.equal(true);
    expect(isInShare(last('000000000000'), 0)).to.equal(false);
  });
});
