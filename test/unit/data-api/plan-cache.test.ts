import { expect } from 'chai';
import { createPlanCache, type PlannedRequest } from '../../../src/data-api/plan-cache.js';
import type { PreparedPlan } from '../../../src/data-api/execute/prepared-plan.js';
import type { RequestInput, RequestOptions } from '../../../src/data-api/request/read-request.js';
import { FILM_CACHE } from '../../support/data-api/film-cache.js';

const OPTIONS: RequestOptions = { schemas: ['api', 'other'], allowTx: true, isTimezone: () => false };

const contextOf = (role: string) => ({
  cache: FILM_CACHE,
  role,
  maxRows: null,
  aggregatesEnabled: true,
  planEnabled: false,
  extraSearchPath: [],
  root: { kind: 'document', version: '2.0' } as const,
});

function inputOf(line: string, headers: RequestInput['headers'] = {}, body = ''): RequestInput {
  const [method = '', url = ''] = line.split(' ');
  const [path = '', query = ''] = url.split('?');
  return { method, path, query, headers, body: Buffer.from(body) };
}

function preparedOf({ plan }: PlannedRequest): PreparedPlan {
  if ('kind' in plan) throw new Error('nothing is prepared');
  return plan;
}

describe('the plan cache', () => {
  /** Plans requests that all succeed. */
  const planner = () => {
    const plans = createPlanCache();
    return (line: string, headers?: RequestInput['headers'], body?: string, role = 'reader') => {
      const planned = plans.plan(plans.read(inputOf(line, headers, body), OPTIONS, role), () =>
        contextOf(role),
      );
      planned.settle?.(true);
      return planned;
    };
  };

  it('plans once for requests of one shape, and binds the values of each', () => {
    const plan = planner();
    const first = plan('GET /films?id=eq.1&limit=5&offset=10');
    const second = plan('GET /films?id=eq.2&limit=5&offset=20');
    expect(second.plan).to.equal(first.plan);
    expect(first.bindings.values).to.deep.equal(['1', '10']);
    expect(second.bindings.values).to.deep.equal(['2', '20']);
    expect(plan('GET /films?id=eq.2&limit=6').plan).not.to.equal(first.plan);
  });

  it('tells apart what decides the statement or the answer', () => {
    const plan = planner();
    const known = plan('GET /films?id=eq.1').plan;
    for (const headers of [
      { prefer: 'count=exact' },
      { accept: 'text/csv' },
      { 'accept-profile': 'other' },
      { range: '0-4' },
    ]) {
      expect(plan('GET /films?id=eq.1', headers).plan, JSON.stringify(headers)).not.to.equal(known);
    }
    expect(plan('GET /films?id=eq.9', { range: 'nonsense', 'user-agent': 'x' }).plan).to.equal(known);
  });

  it('never shares a statement between roles or schemas', () => {
    const plan = planner();
    const statements = [
      plan('GET /films?id=eq.1'),
      plan('GET /films?id=eq.1', {}, '', 'other'),
      plan('GET /films?id=eq.1', { 'accept-profile': 'other' }),
    ].map((planned) => preparedOf(planned).main.statement);
    expect(new Set(statements).size).to.equal(3);
  });

  it('shares a statement between shapes that say the same', () => {
    const plan = planner();
    const [one, other] = ['GET /notes?a=eq.1&select=*', 'GET /notes?a=eq.1'].map((line) =>
      preparedOf(plan(line)),
    );
    expect(one).not.to.equal(other);
    expect(one?.main.statement).to.equal(other?.main.statement);
  });

  it('plans a write by the keys of its body', () => {
    const plan = planner();
    const first = plan('POST /films', {}, '{"title":"a"}');
    const second = plan('POST /films', {}, '{"title":"b"}');
    expect(second.plan).to.equal(first.plan);
    expect(second.bindings.payload).to.deep.include({ kind: 'json', body: Buffer.from('{"title":"b"}') });
    expect(plan('POST /films', {}, '{"title":"b","year":1}').plan).not.to.equal(first.plan);
    expect(plan('POST /films', {}, '[{"title":"b"}]').plan).not.to.equal(first.plan);
  });

  it('does not keep bodies', () => {
    const plan = planner();
    plan('POST /films', {}, '{"title":"a secret"}');
    const { request } = plan('POST /films', {}, '{"title":"b"}');
    expect(request.payload).to.deep.equal({ kind: 'whole', body: Buffer.alloc(0) });
  });

  it('refuses a request again and again', () => {
    const plan = planner();
    for (let time = 0; time < 3; time += 1)
      expect(() => plan('GET /films?id=nonsense'))
        .to.throw()
        .with.property('code', 'DBR100');
    plan('POST /films', {}, '{"title":"a"}');
    expect(() => plan('POST /films', {}, '{"nope":1}'))
      .to.throw()
      .with.property('code', 'DBR204');
    expect(() => plan('POST /films', {}, '{'))
      .to.throw()
      .with.property('code', 'DBR102');
  });

  it('forgets everything when it is told to', () => {
    const plans = createPlanCache();
    const input = inputOf('GET /films?id=eq.1');
    const before = preparedOf(plans.plan(plans.read(input, OPTIONS, 'reader'), () => contextOf('reader')));
    plans.clear();
    const after = preparedOf(plans.plan(plans.read(input, OPTIONS, 'reader'), () => contextOf('reader')));
    expect(after.main.statement).not.to.equal(before.main.statement);
  });

  it('keeps a plan when it has succeeded once', () => {
    const plans = createPlanCache();
    let made = 0;
    const plan = (id: number) =>
      plans.plan(plans.read(inputOf(`GET /films?id=eq.${String(id)}`), OPTIONS, 'reader'), () => {
        made++;
        return contextOf('reader');
      });
    const [first, meanwhile] = [plan(1), plan(2)];
    expect([first.kept, meanwhile.kept, made], 'in flight').to.deep.equal([false, false, 1]);
    first.settle?.(false);
    const again = plan(3);
    expect([again.kept, made], 'after a failure').to.deep.equal([false, 2]);
    again.settle?.(true);
    const known = plan(4);
    expect([known.kept, known.settle, made], 'after a success').to.deep.equal([true, null, 2]);
    expect(known.plan).to.equal(again.plan);
  });

  it('does not keep a plan that was made before everything was forgotten', () => {
    const plans = createPlanCache();
    const plan = () =>
      plans.plan(plans.read(inputOf('GET /films?id=eq.1'), OPTIONS, 'reader'), () => contextOf('reader'));
    const early = plan();
    plans.clear();
    early.settle?.(true);
    const late = plan();
    expect(late.kept).to.equal(false);
    expect(preparedOf(late).main.statement).not.to.equal(preparedOf(early).main.statement);
  });

  it('never keeps a statement above 8 kB', () => {
    const plan = planner();
    const conditions = (count: number) => Array.from({ length: count }, () => 'id.gt.1').join(',');
    const long = `GET /films?or=(${conditions(900)})`;
    expect(preparedOf(plan(long)).main.statement.text.length).to.be.above(8192);
    const second = plan(long);
    expect([second.kept, second.settle]).to.deep.equal([false, null]);
    const short = `GET /films?or=(${conditions(100)})`;
    plan(short);
    expect(plan(short).kept).to.equal(true);
  });

  it('holds nothing of the first request but its shape', () => {
    const plan = planner();
    const canary = 'canary-of-the-first-request';
    plan(`GET /films?title=eq.${canary}&or=(title.in.(${canary},b),title.fts.${canary})`);
    const { request } = plan('GET /films?title=eq.b&or=(title.in.(c,d),title.fts.e)');
    const text = JSON.stringify(request, (_name, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(text).to.contain('"title"').and.not.to.contain(canary);
  });
});
