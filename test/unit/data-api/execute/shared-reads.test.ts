import { expect } from 'chai';
import { runShared } from '../../../../src/data-api/execute/shared-reads.js';
import type { MainResult } from '../../../../src/data-api/execute/main-result.js';
import type { Transaction } from '../../../../src/data-api/execute/transaction.js';
import { createCallerContexts } from '../../../../src/data-api/prepare/caller-context.js';
import { preparePlan } from '../../../../src/data-api/prepare/prepared-plan.js';
import type { Batch, BatchResult, Caller } from '../../../../src/postgres/batch.js';
import { createPace, recordRun } from '../../../../src/postgres/pace.js';
import type { Pool } from '../../../../src/postgres/pool.js';
import {
  BatchAborted,
  errorFields,
  PoolTimeout,
  PostgresError,
  ResultTooLarge,
} from '../../../../src/postgres/postgres-error.js';
import { planOf, requestOf } from '../../../support/data-api/planned.js';

/** A batch that a pool has received. */
interface Sent {
  readonly batch: Batch;
  readonly caller: Caller;
  readonly resolve: (results: BatchResult) => void;
  readonly reject: (error: Error) => void;
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

const IDENTITY = { role: 'reader', claims: '{"sub":"one"}', authenticated: true };
const CALLERS = createCallerContexts(new Map([['api', '"api"']]), () => []);

/** Transactions of one shape, which was run before. */
function shape(path: string, elapsedMs = 1, resultBytes = 100) {
  const line = `GET ${path}`;
  const plan = planOf(line);
  if (plan.kind !== 'read') throw new Error('the plan is no read');
  const prepared = preparePlan(plan, 'reader', { get: () => undefined });
  const pace = createPace();
  recordRun(pace, elapsedMs, resultBytes);
  return (...values: readonly string[]): Transaction => ({
    prepared,
    pace,
    bindings: { values: values.length === 0 ? requestOf(line).values : values, payload: null, digests: [] },
    named: true,
    context: {
      caller: CALLERS.of(IDENTITY, 'api'),
      method: 'GET',
      path,
      headers: [],
      cookie: undefined,
      moreSettings: [],
      readOnly: true,
    },
    preRequest: null,
    isolation: 'read committed',
    end: 'commit',
    traceparent: null,
  });
}

/** Shared reads over a pool whose batches the test answers. */
function sharedReads(waiting = 0) {
  const sent: Sent[] = [];
  const pool: Pool = {
    run: (batch, caller = { client: '', signal: null }) =>
      new Promise((resolve, reject) => {
        sent.push({ batch, caller, resolve, reject });
        caller.signal?.addEventListener('abort', () => void reject(new BatchAborted()));
      }),
    state: {
      ...{ up: true, everUp: true, backoffSeconds: 1, lastError: null, size: 1, available: 0 },
      ...{ streams: 0, timeouts: 0, waiting },
    },
    openStream: () => Promise.reject(new Error('no stream is opened')),
    renew: () => undefined,
    close: () => Promise.resolve(),
  };
  const run = (transaction: Transaction, caller: Caller) => runShared(pool, transaction, caller);
  return { reads: { run }, sent };
}

const row = (columns: readonly (string | null)[], body: string | null) => ({
  columns,
  body: body === null ? null : [Buffer.from(body)],
  bodyLength: body?.length ?? 0,
});
const result = (...rows: readonly ReturnType<typeof row>[]) => ({ rows, commandTag: 'SELECT' });
const POLICIES = result(row([], 't'));
const NO_POLICIES = result(row([], 'f'));
const page = (body: string) => result(row(['2', null, null], body));

const errorOf = (read: Promise<MainResult>): Promise<unknown> =>
  read.then(
    () => null,
    (error: unknown) => error,
  );

const client = (name: string, signal: AbortSignal | null = null): Caller => ({ client: name, signal });
const bodyOf = ({ body }: MainResult) => (Array.isArray(body) ? Buffer.concat(body).toString() : null);

describe('shared reads', () => {
  const lookup = shape('/people?id=eq.7');
  const list = shape('/people?order=id&limit=2');
  const slowList = shape('/people?order=id&limit=3', 50);

  it('sends one batch for the lookups of a turn, without claims', async () => {
    const { reads, sent } = sharedReads();
    const results = ['7', '8', '9'].map((id) => reads.run(lookup(id), client('a')));
    expect(sent).to.have.length(0);
    await turn();
    expect(sent).to.have.length(1);
    const [context, rows, policies] = sent[0]?.batch.queries ?? [];
    expect(context?.encoded?.bytes.toString()).not.to.include('one');
    expect(rows?.parameters).to.deep.equal(['{"7","8","9"}']);
    expect(policies?.parameters).to.deep.equal([String.raw`{"\"api\".\"people\""}`]);
    sent[0]?.resolve([result(row(['2'], '[8]'), row(['1'], '[7]'), row(['3'], null)), NO_POLICIES]);
    expect((await Promise.all(results)).map((each) => [each.pageTotal, bodyOf(each)])).to.deep.equal([
      [1, '[7]'],
      [1, '[8]'],
      [0, '[]'],
    ]);
  });

  it('sends at most 16 lookups in one batch', async () => {
    const { reads, sent } = sharedReads();
    for (let id = 0; id < 20; id += 1) void reads.run(lookup(String(id)), client('a'));
    await turn();
    expect(sent.map(({ batch }) => String(batch.queries[1]?.parameters[0]).split(',').length)).to.deep.equal([
      16, 4,
    ]);
  });

  it('sends a lookup alone whose key is no value of its type', async () => {
    const { reads, sent } = sharedReads();
    for (const id of ['7', 'x', '8']) void reads.run(lookup(id), client('a'));
    await turn();
    expect(sent.map(({ batch }) => batch.queries.length)).to.deep.equal([3, 2]);
    expect(sent[0]?.batch.queries[1]?.parameters).to.deep.equal(['{"7","8"}']);
  });

  it('sends a read alone as it is', async () => {
    const { reads, sent } = sharedReads();
    void reads.run(lookup('7'), client('a'));
    await turn();
    expect(sent.map(({ batch }) => batch.queries.length)).to.deep.equal([2]);
    expect(sent[0]?.batch.queries[0]?.encoded?.bytes.toString()).to.include('one');
  });

  it('executes equal reads once, those of several clients while nothing waits', async () => {
    const { reads, sent } = sharedReads();
    const results = ['a', 'b', 'a'].map((name) => reads.run(list(), client(name)));
    await turn();
    expect(sent).to.have.length(1);
    sent[0]?.resolve([page('[1, 2]'), NO_POLICIES]);
    expect((await Promise.all(results)).map(bodyOf)).to.deep.equal(['[1, 2]', '[1, 2]', '[1, 2]']);
  });

  it('runs each read alone if policies apply, from then on at once', async () => {
    const { reads, sent } = sharedReads();
    const results = [reads.run(list(), client('a')), reads.run(list(), client('b'))];
    await turn();
    sent[0]?.resolve([page('[]'), POLICIES]);
    await turn();
    expect(sent.slice(1).map(({ caller }) => caller.client)).to.deep.equal(['a', 'b']);
    sent[1]?.resolve([page('[1]')]);
    sent[2]?.resolve([page('[2]')]);
    expect((await Promise.all(results)).map(bodyOf)).to.deep.equal(['[1]', '[2]']);
    void reads.run(list(), client('a'));
    expect(sent).to.have.length(4);
  });

  it('runs each lookup alone if one is refused, or if a key has several rows', async () => {
    const outcomes: readonly ((batch: Sent) => void)[] = [
      (batch) => batch.reject(new PostgresError(errorFields('22P02', 'no integer'))),
      (batch) => batch.reject(new ResultTooLarge(10, 5)),
      (batch) => batch.resolve([result(row(['1'], '[7]'), row(['1'], '[7]')), NO_POLICIES]),
    ];
    for (const end of outcomes) {
      const { reads, sent } = sharedReads();
      void reads.run(lookup('7'), client('a'));
      void reads.run(lookup('8'), client('a'));
      await turn();
      const [together] = sent;
      if (together !== undefined) end(together);
      await turn();
      expect(sent.map(({ batch }) => batch.queries.length)).to.deep.equal([3, 2, 2]);
    }
  });

  it('passes the end of a statement that takes too long to equal reads, unless policies apply', async () => {
    for (const [check, ran] of [
      [NO_POLICIES, 2],
      [POLICIES, 4],
    ] as const) {
      const { reads, sent } = sharedReads();
      const results = Promise.allSettled([reads.run(list(), client('a')), reads.run(list(), client('a'))]);
      await turn();
      sent[0]?.reject(
        new PostgresError(errorFields('57014', 'canceling statement due to statement timeout')),
      );
      await turn();
      expect(sent[1]?.batch.queries).to.have.length(2);
      sent[1]?.resolve([check]);
      await turn();
      expect(sent).to.have.length(ran);
      for (const each of sent.slice(2)) each.resolve([page('[1]')]);
      expect((await results).map(({ status }) => status)).to.deep.equal(
        ran === 2 ? ['rejected', 'rejected'] : ['fulfilled', 'fulfilled'],
      );
    }
  });

  it('drops a batch when the clients of all its reads have disconnected', async () => {
    for (const one of [lookup('7'), list()]) {
      const { reads, sent } = sharedReads();
      const [first, second] = [new AbortController(), new AbortController()];
      const ends = [first, second].map(({ signal }) => errorOf(reads.run(one, client('a', signal))));
      await turn();
      expect(sent).to.have.length(1);
      first.abort();
      expect(sent[0]?.caller.signal?.aborted).to.equal(false);
      second.abort();
      expect(sent[0]?.caller.signal?.aborted).to.equal(true);
      for (const error of await Promise.all(ends)) expect(error).to.be.instanceOf(BatchAborted);
      expect(sent).to.have.length(1);
    }
  });

  it('passes any other error to all reads', async () => {
    const { reads, sent } = sharedReads();
    const results = [reads.run(list(), client('a')), reads.run(list(), client('a'))];
    await turn();
    const failure = new Error('no connection');
    sent[0]?.reject(failure);
    const settled = await Promise.allSettled(results);
    expect(settled).to.deep.equal([
      { status: 'rejected', reason: failure },
      { status: 'rejected', reason: failure },
    ]);
  });

  it('refuses a long body, which only a read that runs alone may have', async () => {
    const { reads, sent } = sharedReads();
    void reads.run(list(), client('a'));
    void reads.run(list(), client('a'));
    await turn();
    expect(() => sent[0]?.batch.openBody?.([], 1_000_000)).to.throw(ResultTooLarge);
  });

  it('does not share a read whose results are long, or whose shape is new', async () => {
    const { reads, sent } = sharedReads();
    const long = shape('/people?order=id', 1, 300_000);
    void reads.run(long(), client('a'));
    void reads.run({ ...list(), named: false }, client('a'));
    expect(sent).to.have.length(2);
    await turn();
    expect(sent).to.have.length(2);
  });

  describe('that wait for a connection', () => {
    it('are sent as they are if none has joined them, and share a statement otherwise', async () => {
      const { reads, sent } = sharedReads(1);
      const results = [reads.run(slowList(), client('a'))];
      await turn();
      sent[0]?.caller.onSent?.();
      expect(sent[0]?.batch.queries).to.have.length(2);
      expect(sent[0]?.batch.queries[0]?.encoded?.bytes.toString()).to.include('one');
      sent[0]?.resolve([page('[1]')]);
      results.push(reads.run(slowList(), client('a')), reads.run(slowList(), client('a')));
      await turn();
      sent[1]?.caller.onSent?.();
      expect(sent[1]?.batch.queries).to.have.length(3);
      expect(sent[1]?.batch.queries[0]?.encoded?.bytes.toString()).not.to.include('one');
      sent[1]?.resolve([page('[2]'), NO_POLICIES]);
      expect((await Promise.all(results)).map(bodyOf)).to.deep.equal(['[1]', '[2]', '[2]']);
    });

    it('are sent with the claims of the read that is left', async () => {
      const { reads, sent } = sharedReads(1);
      const gone = new AbortController();
      const first = errorOf(reads.run(slowList(), client('a', gone.signal)));
      await turn();
      const caller = CALLERS.of({ ...IDENTITY, claims: '{"sub":"two"}' }, 'api');
      const own = slowList();
      const second = reads.run({ ...own, context: { ...own.context, caller } }, client('a'));
      await turn();
      expect(sent).to.have.length(1);
      gone.abort();
      expect(await first).to.be.instanceOf(BatchAborted);
      sent[0]?.caller.onSent?.();
      const context = sent[0]?.batch.queries[0]?.encoded?.bytes.toString();
      expect(context).to.include('two');
      expect(context).not.to.include('one');
      sent[0]?.resolve([page('[2]')]);
      expect(bodyOf(await second)).to.equal('[2]');
    });

    it('are joined by equal reads of later turns, until they are sent', async () => {
      const { reads, sent } = sharedReads(1);
      const results = [reads.run(slowList(), client('a'))];
      await turn();
      results.push(reads.run(slowList(), client('a')));
      await turn();
      expect(sent).to.have.length(1);
      sent[0]?.caller.onSent?.();
      results.push(reads.run(slowList(), client('a')));
      await turn();
      expect(sent).to.have.length(2);
      sent[0]?.resolve([page('[1]'), NO_POLICIES]);
      sent[1]?.resolve([page('[2]'), NO_POLICIES]);
      expect((await Promise.all(results)).map(bodyOf)).to.deep.equal(['[1]', '[1]', '[2]']);
    });

    it('wait in the turn of each client, and end with the first of them', async () => {
      const { reads, sent } = sharedReads(1);
      const results = [reads.run(slowList(), client('a')), reads.run(slowList(), client('b'))];
      await turn();
      expect(sent.map(({ caller }) => caller.client)).to.deep.equal(['a', 'b']);
      sent[1]?.caller.onSent?.();
      expect(sent[0]?.caller.signal?.aborted).to.equal(true);
      sent[1]?.resolve([page('[1]'), NO_POLICIES]);
      expect((await Promise.all(results)).map(bodyOf)).to.deep.equal(['[1]', '[1]']);
    });

    it('have their own time to wait, once, if the time of the group that they have joined ends', async () => {
      const { reads, sent } = sharedReads(1);
      const first = reads.run(slowList(), client('a'));
      await turn();
      const second = reads.run(slowList(), client('a'));
      await turn();
      expect(sent).to.have.length(1);
      sent[0]?.reject(new PoolTimeout('no connection'));
      expect(await errorOf(first)).to.be.instanceOf(PoolTimeout);
      expect(sent).to.have.length(2);
      sent[1]?.reject(new PoolTimeout('no connection'));
      expect(await errorOf(second)).to.be.instanceOf(PoolTimeout);
      expect(sent).to.have.length(2);
    });

    it('have their own time to wait, once, if a batch of another client that serves them waits again in vain', async () => {
      const { reads, sent } = sharedReads(1);
      const first = reads.run(slowList(), client('a'));
      await turn();
      const second = reads.run(slowList(), client('b'));
      const third = reads.run(slowList(), client('c'));
      await turn();
      expect(sent).to.have.length(3);
      sent[0]?.caller.onSent?.();
      // Cancelled because it held up others, it waits once more, in what is left of the time of its client.
      sent[0]?.reject(new PoolTimeout('no connection'));
      expect(await errorOf(first)).to.be.instanceOf(PoolTimeout);
      expect(sent.slice(3).map(({ caller }) => caller.client)).to.deep.equal(['b', 'c']);
      sent[3]?.caller.onSent?.();
      sent[3]?.resolve([page('[1]'), NO_POLICIES]);
      expect((await Promise.all([second, third])).map(bodyOf)).to.deep.equal(['[1]', '[1]']);
    });

    it('end when their clients disconnect, and the batch with the last of them', async () => {
      const { reads, sent } = sharedReads(1);
      const [first, second] = [new AbortController(), new AbortController()];
      const results = [first, second].map(({ signal }) => reads.run(slowList(), client('a', signal)));
      await turn();
      first.abort();
      expect(sent[0]?.caller.signal?.aborted).to.equal(false);
      sent[0]?.caller.onSent?.();
      second.abort();
      expect(sent[0]?.caller.signal?.aborted).to.equal(true);
      for (const each of await Promise.allSettled(results))
        expect(each.status === 'rejected' && each.reason).to.be.instanceOf(BatchAborted);
    });
  });
});
