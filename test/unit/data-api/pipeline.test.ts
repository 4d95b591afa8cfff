import { expect } from 'chai';
import { DbrError } from '../../../src/errors/dbr-error.js';
import { shapeKey } from '../../../src/data-api/request/shaped-request.js';
import {
  DATA_API_SETTINGS,
  recordedPipeline,
  requestOf,
  type RecordedPipeline,
  type SendOptions,
} from '../../support/data-api/pipeline.js';

/** Whether the plan of a request was in the cache: only then its statement is kept prepared. */
const isCached = async (pipeline: RecordedPipeline, line: string, options?: SendOptions): Promise<boolean> =>
  (await pipeline.main(line, options)).unnamed !== true;

/** The code of the error that a promise is rejected with; null when it is fulfilled. */
const codeOf = (sent: Promise<unknown>): Promise<string | null> =>
  sent.then(
    () => null,
    (error: unknown) => (error instanceof DbrError ? error.code : String(error)),
  );

/** Returns the entry of the plan cache for the shape of a request. */
function sharedRequest({ snapshot }: RecordedPipeline, line: string, body?: string) {
  const request = requestOf(line, body === undefined ? {} : { body });
  const { queries, plans } = snapshot();
  const scanned = queries.scan(request);
  const key = scanned === null ? null : shapeKey(request, scanned, 'reader');
  return key === null ? undefined : plans.find(key);
}

describe('the pipeline', () => {
  it('refuses a DELETE with filters in its body, which have ended, after one without', async () => {
    const pipeline = recordedPipeline();
    const line = 'DELETE /films?id=eq.1';
    await pipeline.send(line);
    const headers = { 'content-type': 'application/vnd.dbr.mutation+json; charset=utf-8' };
    const body = '{"where":{"title":"eq.x"}}';
    expect(await codeOf(pipeline.send(line, { headers, body }))).to.equal('DBR107');
  });

  it('refuses a media type of one character after requests without one', async () => {
    const pipeline = recordedPipeline();
    await pipeline.send('GET /films');
    expect(await codeOf(pipeline.send('GET /films', { headers: { accept: '-' } }))).to.equal('DBR107');
    await pipeline.send('POST /films', { body: '{"id":1}' });
    const options = { headers: { 'content-type': '-' }, body: '{"id":1}' };
    expect(await codeOf(pipeline.send('POST /films', options))).to.equal('DBR107');
  });

  it('plans once for requests of one shape, and binds the values of each', async () => {
    const pipeline = recordedPipeline();
    const first = await pipeline.main('GET /films?id=eq.1&limit=5&offset=10');
    const second = await pipeline.main('GET /films?id=eq.2&limit=5&offset=20');
    expect([first.unnamed, second.unnamed]).to.deep.equal([true, false]);
    expect(second.statement).to.equal(first.statement);
    expect(first.parameters).to.deep.equal(['1', '10']);
    expect(second.parameters).to.deep.equal(['2', '20']);
    expect(await isCached(pipeline, 'GET /films?id=eq.2&limit=6')).to.equal(false);
  });

  it('tags the bodies of reads, unless db-etag is false', async () => {
    const pipeline = recordedPipeline();
    const names = async (): Promise<readonly string[]> =>
      (await pipeline.send('GET /films')).headers.map(([name]) => name);
    expect(await names()).to.include('ETag');
    pipeline.use({ ...DATA_API_SETTINGS, 'db-etag': false });
    expect(await names()).not.to.include('ETag');
  });

  it('distinguishes requests that need different statements or responses', async () => {
    const pipeline = recordedPipeline();
    await pipeline.send('GET /films?id=eq.1');
    for (const headers of [
      { prefer: 'count=exact' },
      { accept: 'text/csv' },
      { 'accept-profile': 'other' },
      { range: '0-4' },
    ])
      expect(await isCached(pipeline, 'GET /films?id=eq.1', { headers }), JSON.stringify(headers)).to.equal(
        false,
      );
    const headers = { range: 'nonsense', 'user-agent': 'x' };
    expect(await isCached(pipeline, 'GET /films?id=eq.9', { headers })).to.equal(true);
  });

  it('never shares a statement between roles or schemas', async () => {
    const pipeline = recordedPipeline();
    await pipeline.send('GET /films?id=eq.1');
    await pipeline.send('GET /films?id=eq.1', { role: 'other' });
    await pipeline.send('GET /films?id=eq.1', { headers: { 'accept-profile': 'other' } });
    expect(new Set(pipeline.ran.map(({ statement }) => statement)).size).to.equal(3);
  });

  it('shares a statement between shapes that produce the same SQL', async () => {
    const pipeline = recordedPipeline();
    const one = await pipeline.main('GET /notes?a=eq.1&select=*');
    const other = await pipeline.main('GET /notes?a=eq.1');
    expect(other.unnamed).to.equal(true);
    expect(other.statement).to.equal(one.statement);
  });

  it('plans a write by the keys of its body', async () => {
    const pipeline = recordedPipeline();
    await pipeline.send('POST /films', { body: '{"title":"a"}' });
    const second = await pipeline.main('POST /films', { body: '{"title":"b"}' });
    expect(second.unnamed).to.equal(false);
    expect(second.parameters).to.deep.equal([Buffer.from('{"title":"b"}')]);
    expect(await isCached(pipeline, 'POST /films', { body: '{"title":"b","year":1}' })).to.equal(false);
    expect(await isCached(pipeline, 'POST /films', { body: '[{"title":"b"}]' })).to.equal(false);
  });

  it('keeps no request body in memory', async () => {
    const pipeline = recordedPipeline();
    await pipeline.send('POST /films', { body: '{"title":"a secret"}' });
    const request = sharedRequest(pipeline, 'POST /films', '{"title":"b"}');
    expect(request?.payload).to.deep.equal({ kind: 'whole', body: Buffer.alloc(0) });
  });

  it('refuses a faulty request each time', async () => {
    const pipeline = recordedPipeline();
    for (let time = 0; time < 3; time += 1)
      expect(await codeOf(pipeline.send('GET /films?id=nonsense'))).to.equal('DBR100');
    await pipeline.send('POST /films', { body: '{"title":"a"}' });
    expect(await codeOf(pipeline.send('POST /films', { body: '{"nope":1}' }))).to.equal('DBR204');
    expect(await codeOf(pipeline.send('POST /films', { body: '{' }))).to.equal('DBR102');
    expect(pipeline.ran).to.have.length(1);
  });

  it('plans again after a change of settings', async () => {
    const pipeline = recordedPipeline();
    const before = await pipeline.main('GET /films?id=eq.1');
    pipeline.use({ ...DATA_API_SETTINGS });
    const after = await pipeline.main('GET /films?id=eq.1');
    expect(after.unnamed).to.equal(true);
    expect(after.statement).not.to.equal(before.statement);
  });

  it('caches a plan after its first success', async () => {
    const pipeline = recordedPipeline((index) =>
      index < 2 ? Promise.reject(new Error('failed')) : Promise.resolve(),
    );
    const line = 'GET /films?id=eq.1';
    const failures = await Promise.allSettled([pipeline.send(line), pipeline.send(line)]);
    expect(failures.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    const again = await pipeline.main(line);
    const known = await pipeline.main(line);
    const [first, meanwhile] = pipeline.ran;
    expect(meanwhile?.statement, 'in flight').to.equal(first?.statement);
    expect(again.statement, 'after a failure').not.to.equal(first?.statement);
    expect(pipeline.ran.map(({ unnamed = false }) => unnamed)).to.deep.equal([true, true, true, false]);
    expect(known.statement, 'after a success').to.equal(again.statement);
  });

  it('does not cache a plan that was made under earlier settings', async () => {
    let release: () => void = () => undefined;
    const pipeline = recordedPipeline((index) =>
      index === 0 ? new Promise((resolve) => void (release = resolve)) : Promise.resolve(),
    );
    const line = 'GET /films?id=eq.1';
    const early = pipeline.send(line);
    pipeline.use({ ...DATA_API_SETTINGS });
    pipeline.snapshot();
    release();
    await early;
    const late = await pipeline.main(line);
    expect(late.unnamed).to.equal(true);
    expect(late.statement).not.to.equal(pipeline.ran[0]?.statement);
  });

  it('never caches a statement above 8 kB', async () => {
    const pipeline = recordedPipeline();
    const conditions = (count: number) => Array.from({ length: count }, () => 'id.gt.1').join(',');
    const long = `GET /films?or=(${conditions(900)})`;
    expect((await pipeline.main(long)).statement.text.length).to.be.above(8192);
    expect(await isCached(pipeline, long)).to.equal(false);
    const short = `GET /films?or=(${conditions(100)})`;
    await pipeline.send(short);
    expect(await isCached(pipeline, short)).to.equal(true);
  });

  it('keeps the shape of the first request, not its values', async () => {
    const pipeline = recordedPipeline();
    const canary = 'canary-of-the-first-request';
    await pipeline.send(`GET /films?title=eq.${canary}&or=(title.in.(${canary},b),title.fts.${canary})`);
    const line = 'GET /films?title=eq.b&or=(title.in.(c,d),title.fts.e)';
    const text = JSON.stringify(sharedRequest(pipeline, line), (_name, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(text).to.contain('"title"').and.not.to.contain(canary);
  });
});
