import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createReplyCompression } from '../../../src/http/reply-compression.js';
import type { Header, Reply } from '../../../src/contract/reply.js';

const { compress } = createReplyCompression({ codings: ['br', 'gzip'], minBytes: 100 });
const TEXT = '{"title":"Metropolis"},'.repeat(20);
const JSON_TYPE = ['Content-Type', 'application/json; charset=utf-8'] as const;

const replyOf = (
  headers: readonly Header[] = [JSON_TYPE],
  body: Reply['body'] = [Buffer.from(TEXT)],
  status = 200,
): Reply => ({
  status,
  headers,
  body,
});

async function bytesOf(body: Reply['body']): Promise<Buffer> {
  if (body === null) return Buffer.alloc(0);
  const pieces: Buffer[] = [];
  for await (const piece of body) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

const headersOf = ({ headers }: Reply): Record<string, string> => Object.fromEntries(headers);

describe('the compression of responses', () => {
  it('compresses a text of any type that compresses, in the accepted coding', async () => {
    const types = [
      'text/csv',
      'application/json',
      'application/problem+json; x=1',
      'text/html',
      'application/openapi+json',
    ];
    for (const type of types) {
      const br = await compress(replyOf([['Content-Type', type]]), 'GET', 'gzip, br');
      expect(headersOf(br), type).to.deep.equal({ 'Content-Type': type, 'Content-Encoding': 'br' });
      expect(brotliDecompressSync(await bytesOf(br.body)).toString()).to.equal(TEXT);
    }
    const gzip = await compress(replyOf(), 'GET', 'gzip;q=1, br;q=0.5');
    expect(headersOf(gzip)['Content-Encoding']).to.equal('gzip');
    expect(gunzipSync(await bytesOf(gzip.body)).toString()).to.equal(TEXT);
  });

  const asItIs: readonly (readonly [what: string, reply: Reply, acceptEncoding?: string])[] = [
    ['a client that accepts no coding', replyOf(), 'identity'],
    ['a client that refuses every coding, the identity too', replyOf(), 'identity;q=0, br;q=0, gzip;q=0'],
    ['a short body', replyOf([JSON_TYPE], [Buffer.from('[]')])],
    ['a body of bytes', replyOf([['Content-Type', 'application/octet-stream']])],
    ['a body without a type', replyOf([])],
    ['a stream of events', replyOf([['Content-Type', 'text/event-stream']], Readable.from(['data: 1\n\n']))],
    ['a body that is coded already', replyOf([JSON_TYPE, ['content-encoding', 'zstd']])],
    ['a body with a digest', replyOf([JSON_TYPE, ['Content-Digest', 'sha-256=:AA==:']])],
    ['a credential', replyOf([JSON_TYPE, ['Cache-Control', 'no-store']])],
    ['a body that must not be transformed', replyOf([JSON_TYPE, ['Cache-Control', 'public, no-transform']])],
    ['a range of bytes', replyOf([JSON_TYPE, ['Content-Range', 'bytes 0-99/900']], undefined, 206)],
    ['a response without a body', replyOf([JSON_TYPE], null, 204)],
    [
      'bytes that compression makes longer',
      replyOf([JSON_TYPE], [Buffer.from(Array.from({ length: 101 }, (_, at) => (at * 151) % 256))]),
    ],
  ];
  for (const [what, reply, acceptEncoding = 'br, gzip'] of asItIs)
    it(`leaves ${what} as it is`, async () => {
      expect(await compress(reply, 'GET', acceptEncoding)).to.deep.equal(reply);
    });

  it('leaves a range of rows what it is', async () => {
    const rows: readonly Header[] = [JSON_TYPE, ['Content-Range', '0-19/57'], ['Range-Unit', 'items']];
    const compressed = await compress(replyOf(rows, undefined, 206), 'GET', 'gzip');
    expect(compressed.status).to.equal(206);
    expect(headersOf(compressed)).to.deep.equal({
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Range': '0-19/57',
      'Range-Unit': 'items',
      'Content-Encoding': 'gzip',
    });
  });

  it('adds the coding to a strong entity tag, also to that of a response which is not repeated', async () => {
    const tagged: readonly Header[] = [JSON_TYPE, ['ETag', '"a"']];
    expect(headersOf(await compress(replyOf(tagged), 'GET', 'br'))['ETag']).to.equal('"a-br"');
    expect(headersOf(await compress(replyOf(tagged), 'GET', undefined))['ETag']).to.equal('"a"');
    const weak: readonly Header[] = [JSON_TYPE, ['ETag', 'W/"a"']];
    expect(headersOf(await compress(replyOf(weak), 'GET', 'br'))['ETag']).to.equal('W/"a"');
    for (const [ifNoneMatch, etag] of [
      ['"b", "a-gzip"', '"a-gzip"'],
      ['"a"', '"a"'],
      ['W/"a-br"', '"a"'],
      ['*', '"a"'],
    ] as const) {
      const unchanged = await compress(replyOf([['ETag', '"a"']], null, 304), 'GET', 'br', ifNoneMatch);
      expect(unchanged, ifNoneMatch).to.deep.equal(replyOf([['ETag', etag]], null, 304));
    }
  });

  it('adds the coding to what a reply of its own varies by', async () => {
    const vary = async (value: string): Promise<string | undefined> =>
      headersOf(await compress(replyOf([JSON_TYPE, ['vary', value]]), 'GET', undefined))['vary'];
    expect(await vary('Origin')).to.equal('Origin, Accept-Encoding');
    expect(await vary('accept-encoding, Origin')).to.equal('accept-encoding, Origin');
    expect(await vary('*')).to.equal('*');
  });

  it('gives HEAD the headers of GET', async () => {
    const [get, head] = [await compress(replyOf(), 'GET', 'br'), await compress(replyOf(), 'HEAD', 'br')];
    expect(head.headers).to.deep.equal(get.headers);
  });

  it('compresses a stream at the pace of its reader, without its length', async () => {
    let read = 0;
    const endless = async function* (): AsyncGenerator<Buffer> {
      for (;;) {
        read++;
        // They do not compress, so that the buffers are full soon.
        yield randomBytes(16_384);
        await Promise.resolve();
      }
    };
    const headers: readonly Header[] = [JSON_TYPE, ['Content-Length', '99999999']];
    const compressed = await compress(replyOf(headers, endless()), 'GET', 'gzip');
    expect(headersOf(compressed)).not.to.have.property('Content-Length');
    const body = compressed.body;
    if (!(body instanceof Readable)) throw new Error('the body is no stream');
    await new Promise((resolve) => body.once('readable', resolve));
    let before = -1;
    while (before !== read) {
      before = read;
      for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(read).to.be.lessThan(100);
    body.destroy();
  });

  it('ends the body of a client that has gone, and breaks off where the body does', async () => {
    const source = new Readable({ read: () => undefined });
    const compressed = await compress(replyOf([JSON_TYPE], source), 'GET', 'gzip');
    const closed = new Promise((resolve) => source.once('close', resolve));
    if (compressed.body instanceof Readable) compressed.body.destroy();
    await closed;
    const broken = await compress(
      replyOf(
        [JSON_TYPE],
        Readable.from([Buffer.from(TEXT)]).map(() => Promise.reject(new Error('lost'))),
      ),
      'GET',
      'gzip',
    );
    const failure = await bytesOf(broken.body).catch((error: unknown) => error);
    expect(failure).to.be.an.instanceof(Error);
  });

  it('sends bodies as they are while it is busy, and compresses again after that', async () => {
    const long = Buffer.alloc(1_000_000, TEXT);
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => compress(replyOf([JSON_TYPE], [long]), 'GET', 'gzip')),
    );
    const codings = replies.map((reply) => headersOf(reply)['Content-Encoding'] ?? 'identity');
    expect(codings.filter((coding) => coding === 'gzip')).to.have.length(8);
    expect(codings.slice(8).every((coding) => coding === 'identity')).to.equal(true);
    expect(
      headersOf(await compress(replyOf([JSON_TYPE], [long]), 'GET', 'gzip'))['Content-Encoding'],
    ).to.equal('gzip');
    const streams = await Promise.all(
      Array.from({ length: 33 }, () =>
        compress(replyOf([JSON_TYPE], new Readable({ read: () => undefined })), 'GET', 'gzip'),
      ),
    );
    expect(streams.filter((reply) => headersOf(reply)['Content-Encoding'] === 'gzip')).to.have.length(32);
    for (const { body } of streams) if (body instanceof Readable) body.destroy();
  });
});
