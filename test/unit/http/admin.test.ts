import { expect } from 'chai';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { serveConsole, type ConsoleParts } from '../../../packages/console/server/server.js';
import { createAdmin } from '../../../src/admin/admin.js';
import { listen, type Listening } from '../../../src/http/listen.js';
import { openRawClient, targetOf } from '../../support/service/raw-client.js';

const CONSOLE: ConsoleParts = {
  version: '0.1.0',
  areas: [],
  hasLive: false,
  hasProposals: false,
  hasReference: false,
  pathPrefix: '',
  target: 'http://127.0.0.1:1',
  inspect: () => Promise.resolve({ status: 200, body: '{}' }),
  samples: () => [],
  mint: null,
};

describe('the admin port', () => {
  let listening: Listening;
  let admin: ReturnType<typeof createAdmin>;

  before(async () => {
    const parts = {
      isReachable: () => Promise.resolve(true),
      readiness: () => Promise.resolve({ ready: true, parts: {} }),
      metrics: () => Promise.resolve(''),
      settingsText: () => 'areas = data-api',
      schemaCacheText: () => null,
      console: (request: IncomingMessage, response: ServerResponse, path: string) =>
        serveConsole(CONSOLE, request, response, path),
    };
    admin = createAdmin(parts, new Set(['dbr.monitoring.svc']));
    const handle = admin.callback();
    listening = await listen((request, response) => void handle(request, response), {
      host: '127.0.0.1',
      port: 0,
    });
  });
  after(() => listening.stop(0));

  async function answerTo(host: string | null, path = '/config', method = 'GET'): Promise<string> {
    const client = await openRawClient(targetOf(listening.url));
    const version = host === null ? 'HTTP/1.0' : 'HTTP/1.1';
    const header = host === null ? '' : `Host: ${host}\r\n`;
    client.send(`${method} ${path} ${version}\r\n${header}Connection: close\r\n\r\n`);
    return client.closed();
  }

  for (const host of [
    'localhost',
    'LocalHost:3001',
    'localhost.',
    'app.localhost:3001',
    '127.0.0.1:3001',
    '10.244.1.7:3001',
    '[::1]:3001',
    '[fd00::7]',
    'dbr.monitoring.svc',
    'DBR.monitoring.svc:3001',
    null,
  ])
    it(`answers for ${host ?? 'no host'}`, async () => {
      expect(await answerTo(host)).to.match(/^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nareas = data-api$/);
    });

  for (const host of [
    'evil.example',
    'evil.example:3001',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'notlocalhost',
  ])
    it(`does not answer for ${host}`, async () => {
      for (const path of ['/config', '/metrics', '/live', '/ready', '/schema_cache', '/other'])
        expect(await answerTo(host, path)).to.match(
          /^HTTP\/1\.1 421 Misdirected Request\r\n[^]*\r\n\r\nThe admin port is not served under this name of the host \(admin-server-allowed-hosts\)\.$/,
        );
    });

  it('gives HEAD the headers of its errors', async () => {
    const headOf = (answer: string): string =>
      (answer.split('\r\n\r\n')[0] ?? '').replace(/\r\nDate: .*/, '');
    for (const [host, path] of [
      ['localhost', '/other'],
      ['evil.example', '/config'],
    ] as const)
      expect(headOf(await answerTo(host, path, 'HEAD'))).to.equal(headOf(await answerTo(host, path)));
  });

  it('prints errors, and not those of clients that have gone', () => {
    const printed: unknown[] = [];
    const print = console.error;
    console.error = (text) => printed.push(text);
    try {
      admin.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
      admin.emit('error', Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
      admin.emit('error', new Error('a fault'));
    } finally {
      console.error = print;
    }
    expect(printed).to.have.length(1);
    expect(printed[0]).to.include('a fault');
  });
});
