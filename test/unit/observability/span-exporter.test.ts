import { expect } from 'chai';
import dns from 'node:dns';
import { createSpanExporter, type ExporterOptions } from '../../../src/observability/span-exporter.js';
import { openCollector, type Collector, type CollectorReply } from '../../support/observability/collector.js';
import { until } from '../../support/until.js';

const SPAN = '{"traceId":"a","spanId":"b"}';

describe('the export of spans', () => {
  const collectors: Collector[] = [];
  afterEach(() => Promise.all(collectors.splice(0).map((collector) => collector.close())));

  async function exporting(
    replyTo?: (request: number) => CollectorReply,
    options: Partial<ExporterOptions> = {},
  ) {
    const collector = await openCollector(replyTo);
    collectors.push(collector);
    const failures: string[] = [];
    const exporter = createSpanExporter({
      endpoint: new URL(`${collector.url}/v1/traces`),
      headers: { 'x-key': 'secret' },
      resource: { 'service.name': 'tested' },
      version: '1',
      intervalMs: 1,
      firstPauseMs: 1,
      onFailure: (reason) => failures.push(reason),
      ...options,
    });
    return { collector, exporter, failures };
  }

  it('sends them to the address, with the headers, as JSON of OTLP', async () => {
    const { collector, exporter } = await exporting();
    exporter.add(`${SPAN},${SPAN}`, 2);
    await until(() => exporter.counts.exported === 2);
    expect(collector.paths).to.deep.equal(['/v1/traces']);
    expect(collector.headers[0]).to.include({ 'x-key': 'secret', 'content-type': 'application/json' });
    expect(collector.resources).to.deep.equal([{ 'service.name': 'tested' }]);
    expect(collector.spans).to.deep.equal([
      { traceId: 'a', spanId: 'b' },
      { traceId: 'a', spanId: 'b' },
    ]);
    expect(exporter.queuedBytes).to.equal(0);
    await exporter.close(1000);
  });

  it('repeats a batch that the collector could not take, and drops it after six attempts', async () => {
    const { collector, exporter, failures } = await exporting((request) =>
      request < 3 ? { status: 503, headers: { 'Retry-After': '0' } } : { status: 200, body: '{}' },
    );
    exporter.add(SPAN, 1);
    await until(() => exporter.counts.exported === 1);
    expect([collector.paths.length, failures]).to.deep.equal([3, ['status 503', 'status 503']]);
    await exporter.close(1000);
    const { exporter: unlucky } = await exporting(() => ({ status: 503 }));
    unlucky.add(SPAN, 1);
    await until(() => unlucky.counts.dropped === 1);
    expect(unlucky.queuedBytes).to.equal(0);
    await unlucky.close(1000);
  });

  it('does not repeat a batch that the collector refuses, and counts what it rejects', async () => {
    const { exporter, failures } = await exporting((request) =>
      request === 1
        ? { status: 401 }
        : { status: 200, body: '{"partialSuccess":{"rejectedSpans":"1","errorMessage":"late"}}' },
    );
    exporter.add(SPAN, 1);
    await until(() => exporter.counts.rejected === 1);
    exporter.add(`${SPAN},${SPAN}`, 2);
    await until(() => exporter.counts.rejected === 2);
    expect(exporter.counts).to.deep.equal({ exported: 1, dropped: 0, rejected: 2 });
    expect(failures).to.deep.equal(['status 401']);
    await exporter.close(1000);
  });

  it('holds a bounded number of bytes while the collector does not respond, and ends in time', async () => {
    const { exporter } = await exporting(() => null, { maxQueueBytes: 10 * SPAN.length });
    for (let added = 0; added < 1000; added += 1) exporter.add(SPAN, 1);
    expect(exporter.queuedBytes).to.equal(10 * SPAN.length);
    expect(exporter.counts.dropped).to.equal(990);
    await exporter.close(50);
  });

  it('sends nothing after its end', async () => {
    const { collector, exporter } = await exporting(() => null);
    const long = `"${'a'.repeat(400_000)}"`;
    for (let added = 0; added < 3; added += 1) exporter.add(long, 1);
    await until(() => collector.paths.length === 1);
    await exporter.close(50);
    await until(() => exporter.counts.dropped === 3);
    expect([collector.paths.length, exporter.queuedBytes]).to.deep.equal([1, 0]);
  });

  it('sends what is queued when it is closed', async () => {
    const { collector, exporter } = await exporting(undefined, { intervalMs: 60_000 });
    exporter.add(SPAN, 1);
    await exporter.close(10_000);
    expect(collector.spans).to.have.length(1);
  });

  it('reports a collector that cannot be reached', async () => {
    const { collector, exporter, failures } = await exporting();
    await collector.close();
    exporter.add(SPAN, 1);
    await until(() => failures.length > 0);
    expect(failures[0]).to.contain('ECONNREFUSED');
    await exporter.close(1000);
  });

  it('reports a collector that switches to another protocol', async () => {
    const { exporter, failures } = await exporting(() => ({
      status: 101,
      headers: { Connection: 'Upgrade', Upgrade: 'other' },
    }));
    exporter.add(SPAN, 1);
    await until(() => exporter.counts.dropped === 1);
    expect(failures).to.deep.equal(Array<string>(6).fill('status 101'));
    await exporter.close(1000);
  });

  it('counts the bytes of text that is no ASCII', async () => {
    const { exporter } = await exporting(() => null, { maxQueueBytes: 10 });
    exporter.add('"日本語"', 1);
    expect([exporter.counts.dropped, exporter.queuedBytes]).to.deep.equal([1, 0]);
    await exporter.close(50);
  });

  it('reports a host of which no address can be reached', async () => {
    const { exporter, failures } = await exporting(undefined, {
      endpoint: new URL('http://collector.test:9/v1/traces'),
    });
    const { lookup } = dns;
    const addresses = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));
    Object.assign(dns, {
      lookup: (_host: string, _options: object, done: (error: null, found: typeof addresses) => void) =>
        done(null, addresses),
    });
    try {
      exporter.add(SPAN, 1);
      await until(() => failures.length > 0);
    } finally {
      Object.assign(dns, { lookup });
    }
    expect(failures[0]).to.equal('ECONNREFUSED');
    await exporter.close(1000);
  });

  it('drops spans that cannot be sent with its headers', async () => {
    const { exporter, failures } = await exporting(undefined, { headers: { trailer: 'x-checksum' } });
    exporter.add(SPAN, 1);
    await until(() => exporter.counts.dropped === 1);
    expect(failures[0]).to.contain('Trailer');
    await exporter.close(1000);
  });
});
