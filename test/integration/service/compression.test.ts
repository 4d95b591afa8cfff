import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import http, { type IncomingHttpHeaders } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { startDataApiService, type DataApiService } from '../../support/data-api/data-api-service.js';

const VARY = 'Accept, Accept-Encoding, Accept-Profile, Authorization, Origin, Prefer, Range';

interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** As on the wire, without transfer coding. */
  readonly bytes: Buffer;
}

describe('compressed responses', () => {
  const role = `compressed_${randomBytes(4).toString('hex')}`;
  let service: DataApiService;

  before(async () => {
    service = await startDataApiService(
      `
      create role ${role};
      create table notes (id integer primary key, body text);
      insert into notes select i, repeat('word ', 20) || i from generate_series(1, 1000) i;
      grant select, insert on notes to ${role};
      create function long() returns text language sql as $$ select repeat('0123456789', 500000) $$;
      create function tagged() returns text language sql as $$
        select set_config('response.headers', '[{"ETag":"\\"a\\""},{"Vary":"Origin"}]', true), repeat('0123456789', 500);
        select repeat('0123456789', 500)
      $$;
      create domain "application/octet-stream" as bytea;
      create function bytes() returns "application/octet-stream" language sql as
        $$ select decode(repeat('00', 100000), 'hex')::"application/octet-stream" $$;
      `,
      role,
      { 'db-schemas': 'public', 'server-compression': 'on' },
    );
  });
  after(() => service.stop());

  const request = (
    path: string,
    headers: Readonly<Record<string, string>>,
    method = 'GET',
    body = '',
  ): Promise<Received> =>
    new Promise((resolve, reject) => {
      const sent = http.request(service.url + path, { method, headers, agent: false }, (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            bytes: Buffer.concat(pieces),
          }),
        );
      });
      sent.on('error', reject);
      sent.end(body);
    });

  const GZIP = { 'accept-encoding': 'gzip' };

  it('have the rows, the length of the coded body and what they vary by', async () => {
    const plain = await request('/notes?order=id&limit=100', {});
    const coded = await request('/notes?order=id&limit=100', { ...GZIP, origin: 'https://app.example' });
    expect(plain.headers).to.include({ vary: VARY, 'content-length': String(plain.bytes.length) });
    expect(plain.headers).not.to.have.property('content-encoding');
    expect(coded.headers).to.include({
      vary: VARY,
      'content-encoding': 'gzip',
      'content-length': String(coded.bytes.length),
      'content-range': '0-99/*',
      'access-control-allow-origin': '*',
    });
    expect(coded.headers).not.to.have.property('transfer-encoding');
    expect(coded.bytes.length).to.be.lessThan(plain.bytes.length / 5);
    expect(gunzipSync(coded.bytes).equals(plain.bytes)).to.equal(true);
  });

  it('are those of a part of the rows too, whose range is the same', async () => {
    const coded = await request('/notes?order=id', { ...GZIP, prefer: 'count=exact', range: '0-99' });
    expect(coded.status).to.equal(206);
    expect(coded.headers).to.include({ 'content-range': '0-99/1000', 'content-encoding': 'gzip' });
    expect(JSON.parse(gunzipSync(coded.bytes).toString())).to.have.length(100);
  });

  it('are long bodies as well, without a length', async () => {
    const coded = await request('/rpc/long', GZIP);
    expect(coded.headers).to.include({ 'content-encoding': 'gzip', 'transfer-encoding': 'chunked' });
    expect(coded.headers).not.to.have.property('content-length');
    expect(gunzipSync(coded.bytes).toString()).to.equal(`"${'0123456789'.repeat(500_000)}"`);
    const plain = await request('/rpc/long', {});
    expect(plain.headers).to.include({ 'content-length': '5000002' });
  });

  it('keep the headers of functions, with the coding in their tag', async () => {
    const coded = await request('/rpc/tagged', GZIP);
    expect(coded.headers).to.include({
      etag: '"a-gzip"',
      vary: 'Origin, Accept-Encoding',
      'content-encoding': 'gzip',
    });
    expect((await request('/rpc/tagged', {})).headers).to.include({
      etag: '"a"',
      vary: 'Origin, Accept-Encoding',
    });
  });

  it('are not what is short, has no body, is bytes or failed shortly', async () => {
    const lines: readonly (readonly [path: string, status: number, method?: string, body?: string])[] = [
      ['/notes?id=eq.1', 200],
      ['/rpc/bytes', 200],
      ['/nothing', 404],
      ['/notes', 201, 'POST', '{"id": 2000}'],
      ['/notes', 200, 'HEAD'],
      ['/notes', 200, 'OPTIONS'],
    ];
    for (const [path, status, method, body] of lines) {
      const received = await request(
        path,
        {
          ...GZIP,
          accept: path === '/rpc/bytes' ? 'application/octet-stream' : '*/*',
          'content-type': 'application/json',
        },
        method,
        body,
      );
      expect(received.status, path).to.equal(status);
      expect(received.headers, path).not.to.have.property('content-encoding');
      expect(received.headers['vary'], path).to.equal(VARY);
    }
  });

  it('leave the connection to further requests', async () => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const read = (path: string): Promise<string> =>
      new Promise((resolve, reject) => {
        http
          .get(service.url + path, { agent, headers: GZIP }, (response) => {
            const pieces: Buffer[] = [];
            response.on('data', (piece: Buffer) => pieces.push(piece));
            response.on('end', () => resolve(gunzipSync(Buffer.concat(pieces)).toString()));
          })
          .on('error', reject);
      });
    for (let time = 0; time < 3; time++) {
      expect(JSON.parse(await read('/notes?select=id&limit=500'))).to.have.length(500);
      expect(await read('/rpc/long')).to.have.length(5_000_002);
    }
    agent.destroy();
  });

  it('are the published document and its page in any case, with a tag for each coding', async () => {
    for (const path of ['/api/v1/openapi.json', '/api/v1/docs']) {
      const plain = await request(path, {});
      const coded = await request(path, GZIP);
      const head = await request(path, GZIP, 'HEAD');
      expect(coded.headers).to.include({
        'content-encoding': 'gzip',
        vary: 'Accept, Accept-Encoding, Authorization, Origin',
      });
      expect(coded.headers.etag).to.equal(`${plain.headers.etag?.slice(0, -1) ?? ''}-gzip"`);
      expect(gunzipSync(coded.bytes).equals(plain.bytes)).to.equal(true);
      const { date: _date, 'x-request-id': _id, ...same } = coded.headers;
      expect(head.headers).to.include(same);
      expect(head.bytes.length).to.equal(0);
      const known = await request(path, { ...GZIP, 'if-none-match': coded.headers.etag ?? '' });
      expect([known.status, known.headers.etag]).to.deep.equal([304, coded.headers.etag]);
    }
  });
});
