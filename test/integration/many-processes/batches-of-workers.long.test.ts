import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import type { Agent } from 'node:http';
import { createServiceProcesses, type ServiceProcesses } from '../../support/service/service-processes.js';
import { connectToAll, send, type Response } from '../../support/service/worker-connections.js';

const SCHEMA = `
  create function public.backend() returns integer language sql volatile as 'select pg_catalog.pg_backend_pid()';
  create table public.accounts (id integer primary key, balance integer not null);
  create table public.entries (id integer generated always as identity primary key, account integer, amount integer);
  insert into public.accounts values (1, 0);
  create function public.deposit(amount integer) returns integer language sql volatile
    as 'update public.accounts set balance = balance + amount where id = 1 returning balance';`;

/** Batches of each worker. */
const BATCHES = 20;

/** A deposit, an entry with its result, and a read that finds both. */
const batchOf = (amount: number): string =>
  JSON.stringify([
    { id: 'paid', method: 'POST', path: '/rpc/deposit', body: { amount } },
    { method: 'POST', path: '/entries', body: { account: 1, amount: { $from: 'paid', path: '' } } },
    { method: 'GET', path: '/accounts?select=balance&id=eq.1' },
  ]);

describe('batches of several workers', function () {
  this.timeout(120_000);
  let processes: ServiceProcesses;
  let url = '';
  let agents: readonly Agent[] = [];
  before(async () => {
    processes = await createServiceProcesses();
    const role = processes.anonymousRole;
    const { username } = new URL(processes.database.serviceUri);
    await processes.database.superuser.none(`${SCHEMA}
      grant execute on function public.backend(), public.deposit(integer) to ${role};
      grant select, update on public.accounts to ${role};
      grant insert on public.entries to ${role};
      grant dbr_idempotency to ${username};`);
    const service = await processes.start({
      DBR_SERVER_WORKERS: '2',
      DBR_DB_POOL: '2',
      DBR_DB_IDEMPOTENCY: 'true',
      DBR_LOG_LEVEL: 'crit',
    });
    url = service.url;
    ({ agents } = await connectToAll(url, 2));
  });
  after(async () => {
    for (const agent of agents) agent.destroy();
    await processes.drop();
  });

  const sendBatch = (
    agent: Agent,
    body: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<Response> =>
    send(`${url}/`, {
      agent,
      method: 'POST',
      headers: { 'Content-Type': 'application/vnd.dbr.batch+json', ...headers },
      body,
    });

  const state = async (): Promise<unknown> =>
    processes.database.superuser.one(
      'select balance, (select count(*)::int from public.entries) as entries from public.accounts',
    );

  it('see the writes of each other whole, or are repeated', async () => {
    const headers = { Prefer: 'isolation=serializable, retry=10' };
    const all = await Promise.all(
      agents.flatMap((agent) => Array.from({ length: BATCHES }, () => sendBatch(agent, batchOf(1), headers))),
    );
    const done = all.filter(({ status }) => status === 200);
    // What could not be repeated often enough has written nothing.
    for (const { status, body } of all)
      if (status !== 200) expect(JSON.parse(body)).to.deep.include({ code: '40001' });
    const balances = done.map(({ body }) => {
      const [paid, , read] = JSON.parse(body) as readonly { readonly body: unknown }[];
      expect(read?.body).to.deep.equal([{ balance: paid?.body }]);
      return Number(paid?.body);
    });
    expect(balances.sort((a, b) => a - b)).to.deep.equal(done.map((_, index) => index + 1));
    expect(await state()).to.deep.equal({ balance: done.length, entries: done.length });
  });

  it('write once with one idempotency key, and give both workers the same answer', async () => {
    const before = await state();
    const headers = { 'Idempotency-Key': randomUUID() };
    const body = batchOf(1_000_000);
    const all = await Promise.all(
      agents.flatMap((agent) => Array.from({ length: BATCHES }, () => sendBatch(agent, body, headers))),
    );
    for (const { status, body: text } of all) expect(status, text).to.be.oneOf([200, 409]);
    const kept = await Promise.all(agents.map((agent) => sendBatch(agent, body, headers)));
    const answers = [...all, ...kept].filter(({ status }) => status === 200).map((answer) => answer.body);
    expect(kept.map(({ status }) => status)).to.deep.equal([200, 200]);
    expect(new Set(answers).size).to.equal(1);
    const { balance, entries } = before as { readonly balance: number; readonly entries: number };
    expect(await state()).to.deep.equal({ balance: balance + 1_000_000, entries: entries + 1 });
  });
});
