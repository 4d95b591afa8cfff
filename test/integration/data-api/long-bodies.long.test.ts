import { expect } from 'chai';
import { createHash } from 'node:crypto';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { startFestivalService, type FestivalService } from '../../support/conformance/festival-service.js';

/** About four megabytes. */
const LINE = '/rpc/countdown?start=600000';

const countdown = (start: number): string =>
  `[${Array.from({ length: start }, (_, index) => start - index).join(', ')}]`;

describe('long bodies', () => {
  let festival: FestivalService;
  before(async () => {
    festival = await startFestivalService({ 'db-pool': '3' });
  });
  after(() => festival.stop());

  /** @param pauseMs after each piece, as a slow reader would */
  function read(
    agent: http.Agent,
    pauseMs = 0,
  ): Promise<{ readonly length: number; readonly digest: string }> {
    return new Promise((resolve, reject) => {
      const request = http.get(festival.url + LINE, { agent }, (response) => {
        const hash = createHash('sha256');
        let length = 0;
        void (async () => {
          for await (const piece of response) {
            const bytes = piece as Buffer;
            hash.update(bytes);
            length += bytes.length;
            if (pauseMs > 0) await delay(pauseMs);
          }
          expect(response.headers['content-length']).to.equal(String(length));
          resolve({ length, digest: hash.digest('hex') });
        })().catch(reject);
      });
      request.on('error', reject);
    });
  }

  /** Resolves with the head of the response; the body is not read. */
  function begin(start: number): Promise<http.IncomingMessage> {
    return new Promise((resolve, reject) => {
      const path = `/rpc/countdown?start=${String(start)}`;
      http.get(festival.url + path, { agent: false }, resolve).on('error', reject);
    });
  }

  it('arrive complete and identical, at fast and slow readers, over one connection', async () => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const first = await read(agent);
    expect(first.length).to.be.greaterThan(4_000_000);
    expect(await read(agent, 2)).to.deep.equal(first);
    expect(await read(agent)).to.deep.equal(first);
    agent.destroy();
  });

  it('free their connection when the reader disconnects', async () => {
    for (let time = 0; time < 6; time += 1) {
      await new Promise<void>((resolve) => {
        const request = http.get(festival.url + LINE, { agent: false }, (response) => {
          response.once('data', () => {
            request.destroy();
            resolve();
          });
        });
        request.on('error', () => undefined);
      });
    }
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => fetch(`${festival.url}/tags?id=eq.1`).then((answer) => answer.status)),
    );
    expect(answers).to.deep.equal(Array(8).fill(200));
  });

  for (const [length, from] of [
    ['20 kB', 4000],
    ['250 kB', 37_000],
    ['500 kB', 73_000],
  ] as const)
    it(`are never mixed with those of others while they wait for their reader (${length})`, async () => {
      const starts = Array.from({ length: 16 }, (_, index) => from + index);
      const waiting = await Promise.all(starts.map(begin));
      for (const [index, response] of waiting.entries()) if (index % 4 === 3) response.destroy();
      for (let start = from + 100; start < from + 140; start++)
        expect((await text(await begin(start))) === countdown(start)).to.equal(true);
      for (const [index, start] of starts.entries()) {
        const response = waiting[index];
        if (response === undefined || response.destroyed) continue;
        expect((await text(response)) === countdown(start), String(start)).to.equal(true);
      }
    });

  it('are refused before they begin where one object was asked for', async () => {
    const answer = await fetch(festival.url + LINE, {
      headers: { accept: 'application/vnd.pgrst.object+json' },
    });
    expect(answer.status).to.equal(406);
    expect(await answer.json()).to.include({ code: 'DBR116' });
  });
});
