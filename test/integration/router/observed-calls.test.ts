import { Metadata, status } from '@grpc/grpc-js';
import { expect } from 'chai';
import type { Observation, RouterCallFinished } from '../../../src/observability/observation.js';
import type { RequestTrace } from '../../../src/contract/timings.js';
import { createRouterFixture, type RouterFixture } from '../../support/router/router-fixture.js';
import { hostRouter, refusal, type RouterHost } from '../../support/router/router-host.js';
import { until } from '../../support/until.js';

const TRACE: RequestTrace = {
  traceId: '0af7651916cd43dd8448eb211c80319c',
  spanId: '1111111111111111',
  parentId: 'b7ad6b7169203331',
  traceState: null,
  isSampled: true,
};

describe('calls of the router', function () {
  this.timeout(120_000);
  let fixture: RouterFixture;
  let host: RouterHost;
  const observed: Observation[] = [];
  const begun: unknown[] = [];
  before(async () => {
    fixture = await createRouterFixture();
    host = await hostRouter(fixture, {}, false, {
      observe: (observation) => void observed.push(observation),
      traces: {
        begin(...headers) {
          begun.push(headers);
          return TRACE;
        },
      },
    });
  });
  after(async () => {
    await host.stop();
    await fixture.drop();
  });
  beforeEach(() => void (observed.length = begun.length = 0));

  const calls = (): readonly RouterCallFinished[] =>
    observed.flatMap((each) => (each.kind === 'router-call-finished' ? [each] : []));

  it('are observed with their status, the class of the party, and their trace', async () => {
    const [party] = fixture.parties;
    await host.connect(party).registerParty({ instanceId: 'i' });
    await until(() => calls().length === 1);
    const [{ startedAt: _start, durationSeconds: _duration, ...call } = {}] = calls();
    expect(call).to.deep.equal({
      kind: 'router-call-finished',
      method: 'RegisterParty',
      code: 'OK',
      codeNumber: 0,
      party: 'server',
      isStream: false,
      trace: TRACE,
    });
    expect(begun).to.deep.equal([[undefined, undefined]]);
  });

  it('begin with the trace of their client', async () => {
    const metadata = new Metadata();
    metadata.set('traceparent', 'parent');
    metadata.add('tracestate', 'a=1');
    metadata.add('tracestate', 'b=2');
    const client = host.connectWith(() => Promise.resolve(metadata));
    expect((await refusal(client.heartbeat({ instanceId: 'i' })))[0]).to.equal(status.UNAUTHENTICATED);
    expect(begun).to.deep.equal([['parent', 'a=1, b=2']]);
    const [call] = calls();
    expect([call?.party, call?.code]).to.deep.equal(['unknown', 'UNAUTHENTICATED']);
  });

  it('of a party that is refused are observed with the reason and the party', async () => {
    const stranger = host.connectWith(() => Promise.resolve(new Metadata()));
    await refusal(stranger.heartbeat({ instanceId: 'i' }));
    expect(observed.filter(({ kind }) => kind === 'party-refused')).to.deep.equal([
      { kind: 'party-refused', reason: 'unknown-party', subject: 'no certificate' },
    ]);
  });

  it('that are streams are observed when they end', async () => {
    const [, party] = fixture.parties;
    const { sessionId } = await fixture.startSession();
    const gone = new AbortController();
    const stream = host
      .connect(party)
      .subscribeMessages({ sessionId, instanceId: 'i', afterSequence: 0n }, { signal: gone.signal });
    const reading = (async () => {
      for await (const _message of stream) continue;
    })().catch(() => undefined);
    await until(() => host.router.openStreams === 1);
    expect(calls()).to.deep.equal([]);
    gone.abort();
    await reading;
    await until(() => calls().length === 1);
    const [call] = calls();
    expect([call?.method, call?.isStream, call?.party, call?.code]).to.deep.equal([
      'SubscribeMessages',
      true,
      'server',
      'CANCELLED',
    ]);
  });
});
