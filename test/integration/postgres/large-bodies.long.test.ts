import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { pipeline } from 'node:stream/promises';
import { BLOCK_BYTES, giveBackBlock } from '../../../src/base/blocks.js';
import type { Batch, BatchResult } from '../../../src/postgres/batch.js';
import { closeDatabase, openDatabase, type Database } from '../../../src/postgres/database.js';
import { openPool, type Pool } from '../../../src/postgres/pool.js';
import { bodies, POOL_OPTIONS, read, rejection, sqlState, query } from '../../support/postgres/batches.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';

/** A row with two columns and a body of 10 MB without repetition. */
const BIG = `
  select 'before', 'né', string_agg(md5(i::text), '')
  from generate_series(1, 312500) i`;
const LENGTH = 10_000_000;
const streamed = (openBody: NonNullable<Batch['openBody']>, text = BIG): Batch => ({
  ...read(query(text)),
  openBody,
});

const EXPECTED = createHash('sha256');
for (let i = 1; i <= LENGTH / 32; i++) EXPECTED.update(createHash('md5').update(String(i)).digest('hex'));
const DIGEST = EXPECTED.digest('hex');

describe('a body of 10 MB', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  let pool: Pool;

  before(async () => {
    testDatabase = await createTestDatabase();
    database = openDatabase(testDatabase.uri, { poolSize: 1 });
    pool = openPool(database, { ...POOL_OPTIONS, size: 3, bodyBufferBytes: 0 });
  });
  after(async () => {
    await pool.close();
    await closeDatabase(database);
    await testDatabase.drop();
  });

  const expectUnharmed = async (): Promise<void> => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, async () => bodies(await pool.run(read(query(`select 'fine'`))))[0]),
    );
    expect(new Set(answers)).to.deep.equal(new Set(['fine']));
    expect(pool.state).to.include({ up: true, waiting: 0 });
    expect(pool.state.available).to.equal(pool.state.size);
  };

  it('is part of the result, complete, in pieces', async () => {
    const [result] = await pool.run(read(query(BIG)));
    const [row] = result?.rows ?? [];
    expect(row?.columns).to.deep.equal(['before', 'né']);
    expect(row?.bodyLength).to.equal(LENGTH);
    expect(row?.body?.length).to.be.greaterThan(10);
    const hash = createHash('sha256');
    for (const piece of row?.body ?? []) hash.update(piece);
    expect(hash.digest('hex')).to.equal(DIGEST);
  });

  it('takes the memory of an earlier body that was given back', async () => {
    const seen = new Set<ArrayBufferLike>();
    const longest = { ...query(`select repeat('x', 200000)`), inBlocks: true };
    for (let time = 0; time < 30; time++) {
      const [result] = await pool.run(read(longest));
      const pieces = result?.rows[0]?.body ?? [];
      expect(Buffer.concat(pieces).equals(Buffer.alloc(200_000, 'x'))).to.equal(true);
      for (const piece of pieces) {
        seen.add(piece.buffer);
        giveBackBlock(piece);
      }
    }
    // The pieces of one body, and a block that is taken before the last one is given back.
    expect(seen.size).to.be.at.most(200_000 / BLOCK_BYTES + 2);
  });

  it('holds the memory of its own length if many rows are kept', async () => {
    const [result] = await pool.run(read(query(`select repeat('x', 5000) from generate_series(1, 1000)`)));
    const pieces = result?.rows.flatMap(({ body }) => body ?? []) ?? [];
    const memory = new Set(pieces.map(({ buffer }) => buffer));
    const bytes = [...memory].reduce((sum, { byteLength }) => sum + byteLength, 0);
    expect(pieces.reduce((sum, { length }) => sum + length, 0)).to.equal(5_000_000);
    expect(bytes).to.be.lessThan(6_000_000);
  });

  it('is streamed at the pace of its reader, with its length known first', async () => {
    const hash = createHash('sha256');
    let largest = 0;
    let begun: readonly unknown[] = [];
    const reader = new Writable({
      highWaterMark: 1 << 16,
      write(chunk: Buffer, _encoding, done) {
        hash.update(chunk);
        largest = Math.max(largest, this.writableLength);
        setImmediate(done);
      },
    });
    const [result] = await pool.run(
      streamed((columns, length) => {
        begun = [columns, length];
        return reader;
      }),
    );
    reader.end();
    await once(reader, 'finish');
    expect(begun).to.deep.equal([['before', 'né'], LENGTH]);
    expect(result?.rows).to.deep.equal([{ columns: ['before', 'né'], body: [], bodyLength: LENGTH }]);
    expect(hash.digest('hex')).to.equal(DIGEST);
    expect(largest).to.be.lessThan(1 << 19);
    await expectUnharmed();
  });

  it('stays in the result when no stream is given for it', async () => {
    const [result] = await pool.run(streamed(() => null));
    expect(result?.rows[0]?.body?.reduce((sum, piece) => sum + piece.length, 0)).to.equal(LENGTH);
  });

  it('opens no stream when the body is one piece, null or missing', async () => {
    const never = (): Writable => {
      throw new Error('asked');
    };
    expect(bodies(await pool.run(streamed(never, `select 1, 'short'`)))).to.deep.equal(['short']);
    expect(bodies(await pool.run(streamed(never, 'select 1, null')))).to.deep.equal([null]);
    expect(bodies(await pool.run(streamed(never, 'select 1 where false')))).to.deep.equal([null]);
    expect(await sqlState(pool.run(streamed(never, 'select 1 / 0')))).to.equal('22012');
  });

  it('fails only its own batch when the caller cannot open a stream', async () => {
    const error = new Error('headers sent already');
    const running = pool.run(
      streamed(() => {
        throw error;
      }),
    );
    expect(await rejection(running)).to.equal(error);
    await expectUnharmed();
  });

  it('blocks only its own connection while its reader pauses', async () => {
    const taken: (() => void)[] = [];
    const reader = new Writable({
      highWaterMark: 1,
      write: (_chunk, _encoding, done) => void taken.push(done),
    });
    const running = pool.run(streamed(() => reader));
    while (taken.length === 0) await nextTurn();
    for (let round = 0; round < 20; round++)
      expect(bodies(await pool.run(read(query(`select 'quick'`))))).to.deep.equal(['quick']);
    expect(pool.state.available).to.equal(pool.state.size - 1);
    reader.destroy();
    await running;
    await expectUnharmed();
  });

  describe('on its way through HTTP', () => {
    let server: Server;
    let url: string;
    let outcome: Promise<BatchResult>;

    before(async () => {
      server = createServer((_request: IncomingMessage, response: ServerResponse) => {
        outcome = pool.run(
          streamed((_columns, length) => {
            response.writeHead(200, { 'content-length': String(length) });
            return response;
          }),
        );
        void outcome.then(
          () => response.end(),
          () => response.destroy(),
        );
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
    });
    after(() => server.close());

    const request = async (): Promise<IncomingMessage> => {
      const [response] = (await once(get(url), 'response')) as [IncomingMessage];
      return response;
    };

    it('arrives complete at a reader that pauses', async () => {
      const response = await request();
      const hash = createHash('sha256');
      let pieces = 0;
      await pipeline(response, async (chunks: AsyncIterable<Buffer>) => {
        for await (const chunk of chunks) {
          hash.update(chunk);
          if (++pieces % 40 === 0) await delay(2);
        }
      });
      expect(response.headers['content-length']).to.equal(String(LENGTH));
      expect(hash.digest('hex')).to.equal(DIGEST);
      await expectUnharmed();
    });

    it('leaves no connection paused when the reader disconnects', async () => {
      for (let round = 0; round < 5; round++) {
        const response = await request();
        await once(response, 'readable');
        response.destroy();
        await outcome;
      }
      await expectUnharmed();
    });

    it('ends when the pool is closed during the response', async () => {
      const own = pool;
      const response = await request();
      await once(response, 'readable');
      const ended = rejection(once(response, 'end'));
      await own.close();
      expect(await rejection(outcome)).to.include({ name: 'ConnectionLost', sent: true });
      response.resume();
      expect(await ended).to.include({ code: 'ECONNRESET' });
      pool = openPool(database, { ...POOL_OPTIONS, size: 3, bodyBufferBytes: 0 });
    });
  });
});
