import { expect } from 'chai';
import { existsSync, mkdirSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { startTestService, type TestService } from '../support/service/service.js';

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const browserPath = BROWSERS.find((path) => existsSync(path));
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

describe('the reference page', function () {
  this.timeout(120_000);
  let service: TestService;

  before(async () => {
    service = await startTestService({
      areas: 'notifications',
      'db-uri': 'postgresql://nobody@127.0.0.1:1/nothing',
    });
  });
  after(() => service.stop());

  (browserPath === undefined ? it.skip : it)(
    'shows every area, without an error and without a foreign host',
    async () => {
      const browser = await chromium.launch({ executablePath: browserPath ?? '', args: ARGUMENTS });
      try {
        const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
        const problems: string[] = [];
        const foreign: string[] = [];
        page.on('console', (message) => {
          if (message.type() === 'error') problems.push(message.text());
        });
        page.on('pageerror', (error) => problems.push(error.message));
        page.on('request', (request) => {
          if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(service.url))
            foreign.push(request.url());
        });
        await page.goto(service.url);
        expect(page.url()).to.equal(`${service.url}/api/v1/docs`);
        await page.getByText('List the caller').first().waitFor();
        mkdirSync('test-artefacts', { recursive: true });
        await page.screenshot({ path: 'test-artefacts/docs-page.png' });
        const text = await page.locator('body').innerText();
        expect(text).to.match(/notifications/i);
        expect(text).to.match(/data.api/i);
        expect(problems).to.deep.equal([]);
        expect(foreign).to.deep.equal([]);
      } finally {
        await browser.close();
      }
    },
  );

  it('lets no script but its own run, and none make code of text', async () => {
    const { status, headers } = await fetch(`${service.url}/api/v1/docs`);
    expect(status).to.equal(200);
    expect(headers.get('content-security-policy')).to.equal(
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
  });

  it('serves the document with an entity tag', async () => {
    const url = `${service.url}/api/v1/openapi.json`;
    const first = await fetch(url, { headers: { 'Accept-Encoding': 'identity' } });
    expect(first.status).to.equal(200);
    expect(first.headers.get('content-type')).to.equal('application/json; charset=utf-8');
    const document: unknown = await first.json();
    expect(document).to.have.nested.property('openapi', '3.1.0');
    const etag = first.headers.get('etag') ?? '';
    expect(etag).to.match(/^"[\w-]{27}"$/);
    const second = await fetch(url, {
      headers: { 'Accept-Encoding': 'identity', 'If-None-Match': etag },
    });
    expect(second.status).to.equal(304);
    expect(await second.text()).to.equal('');
  });

  it('names the allowed methods, and has no other path', async () => {
    const wrongVerb = await fetch(`${service.url}/api/v1/docs`, { method: 'DELETE' });
    expect(wrongVerb.status).to.equal(405);
    expect(wrongVerb.headers.get('allow')).to.equal('HEAD, GET, OPTIONS');
    expect(await wrongVerb.json()).to.deep.equal({
      code: 'DBR406',
      message: 'Method DELETE is not allowed here',
      details: null,
      hint: null,
    });
    const wrongPath = await fetch(`${service.url}/api/v1/nothing`);
    expect(wrongPath.status).to.equal(404);
    expect(await wrongPath.json()).to.include({ code: 'DBR125' });
  });
});
