import { expect } from 'chai';
import { EventEmitter } from 'node:events';
import { createLiveTickets } from '../../../src/auth/live-tickets.js';
import type { Identity } from '../../../src/contract/request.js';
import { DbrError } from '../../../src/errors/dbr-error.js';

const SECRET = Buffer.alloc(32, 1);
const START = Date.parse('2026-03-01T09:30:00.000Z');
const SENT = { authorization: 'Bearer of.its.maker', prefer: 'live=whole' };
const REQUEST = '/notes?list=eq.1&order=id';

const identityOf = (claims: object): Identity => ({
  role: 'reader',
  claims: JSON.stringify({ role: 'reader', ...claims }),
  authenticated: true,
});

/** A response, as far as tickets see it. */
const streamOf = (destroy = (): void => undefined, destroyed = false) =>
  Object.assign(new EventEmitter(), { destroy, destroyed });

describe('tickets of live reads', () => {
  let time = START;
  const tickets = createLiveTickets(SECRET, () => time);
  const ADA = identityOf({ sub: 'ada', exp: 4e9 });
  const marked = (identity = ADA) => ({ path: '/notes', query: 'list=eq.1&order=id', identity });
  const reconnects = { 'last-event-id': `${tickets.markOf(marked())}rest.7` };

  beforeEach(() => {
    time = START;
  });

  const open = (ticket: string, query = 'list=eq.1&order=id', headers: Record<string, string> = {}) => {
    const opened = tickets.open('/notes', `${query}&dbr-ticket=${ticket}`, headers);
    if (opened === null) throw new Error('the request has a ticket');
    return opened;
  };

  function refusal(run: () => unknown): unknown {
    try {
      return run();
    } catch (error) {
      if (!(error instanceof DbrError)) throw error;
      return [error.status, error.message];
    }
  }

  it('stand for the headers of their maker and for no others', () => {
    const { ticket, expiresAt } = tickets.create({ ...SENT, cookie: 'a=b' }, REQUEST);
    expect(expiresAt).to.equal('2026-03-01T09:30:30.000Z');
    const { query, headers } = open(ticket, undefined, { apikey: 'dbr_mine', accept: 'text/event-stream' });
    expect(query).to.equal('list=eq.1&order=id');
    expect({ ...headers }).to.deep.equal({
      ...SENT,
      ...{ apikey: undefined, 'accept-profile': undefined, accept: 'text/event-stream' },
    });
    expect(tickets.open('/notes', 'list=eq.1', {})).to.equal(null);
    expect(ticket).not.to.include('maker');
    expect(Buffer.from(ticket, 'base64url').toString('latin1')).not.to.include('maker');
  });

  it('open the one request, however its URL is spelt', () => {
    const { ticket } = tickets.create(SENT, REQUEST);
    expect(open(ticket, 'list=eq%2E1&order=id').query).to.equal('list=eq%2E1&order=id');
    const other = [401, 'The ticket is for another request'];
    for (const query of [
      'list=eq.2&order=id',
      'list=eq.1',
      'order=id&list=eq.1',
      'list=eq.1&order=id&limit=1',
    ])
      expect(refusal(() => open(ticket, query))).to.deep.equal(other);
    expect(refusal(() => tickets.open('/tags', `list=eq.1&order=id&dbr-ticket=${ticket}`, {}))).to.deep.equal(
      other,
    );
  });

  it('are refused if a character differs, and under another secret', () => {
    const { ticket } = tickets.create(SENT, REQUEST);
    const invalid = [401, 'The ticket is invalid'];
    for (const index of [0, 20, ticket.length - 3]) {
      const wrong = `${ticket.slice(0, index)}${ticket[index] === 'A' ? 'B' : 'A'}${ticket.slice(index + 1)}`;
      expect(refusal(() => open(wrong))).to.deep.equal(invalid);
    }
    for (const wrong of ['', 'eq.1', 'A'.repeat(37), 'A'.repeat(4000)])
      expect(refusal(() => open(wrong))).to.deep.equal(invalid);
    const others = createLiveTickets(Buffer.alloc(32, 2));
    expect(refusal(() => others.open('/notes', `dbr-ticket=${ticket}`, {}))).to.deep.equal(invalid);
  });

  it('open within 30 seconds, and later for a client that has an event of the same user', () => {
    const { ticket } = tickets.create(SENT, REQUEST);
    const admit = (headers = {}, identity = ADA) =>
      refusal(() => open(ticket, undefined, headers).admit(marked(identity), streamOf()).role);
    const expired = [401, 'The ticket has expired'];
    time = START + 30_000;
    expect(admit()).to.equal('reader');
    time += 1;
    expect(admit()).to.deep.equal(expired);
    expect(admit({ 'last-event-id': 'x.7' })).to.deep.equal(expired);
    expect(admit(reconnects)).to.equal('reader');
    // A later token of the user has another expiry.
    expect(admit(reconnects, identityOf({ sub: 'ada', exp: 5e9, iat: 1 }))).to.equal('reader');
    expect(admit(reconnects, identityOf({ sub: 'bob', exp: 4e9 }))).to.deep.equal(expired);
    time = START + 43_200_000;
    expect(admit(reconnects)).to.equal('reader');
    time += 1;
    expect(admit(reconnects)).to.deep.equal(expired);
  });

  it('end their stream with the token, after twelve hours, or with the next stream', () => {
    const { ticket } = tickets.create(SENT, REQUEST);
    const ended: string[] = [];
    const stream = (name: string, destroyed = false) => streamOf(() => void ended.push(name), destroyed);
    const admit = (one: ReturnType<typeof stream>, identity = ADA): unknown =>
      (JSON.parse(open(ticket).admit(marked(identity), one).claims) as { readonly exp: number }).exp;
    const first = stream('first');
    expect(admit(first)).to.equal(START / 1000 + 43_200);
    expect(admit(stream('second'), identityOf({ exp: START / 1000 + 60 }))).to.equal(START / 1000 + 60);
    expect(ended).to.deep.equal(['first']);
    first.emit('close');
    const third = stream('third');
    admit(third);
    third.emit('close');
    expect(ended).to.deep.equal(['first', 'second']);
    // The client left while its credentials were verified: nothing is kept of a stream that never closes.
    const gone = stream('gone', true);
    admit(gone);
    expect(gone.listenerCount('close')).to.equal(0);
    admit(stream('last'));
    expect(ended).to.deep.equal(['first', 'second']);
  });
});
