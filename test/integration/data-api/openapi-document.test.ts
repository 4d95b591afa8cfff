import { lintFromString, createConfig } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import {
  bearer,
  startFestivalService,
  type FestivalService,
} from '../../support/conformance/festival-service.js';
import { startDataApiService, type DataApiService } from '../../support/data-api/data-api-service.js';
import { inAllRuns } from '../../support/runs.js';

const OPENAPI_TYPE = 'application/vnd.oai.openapi+json';

/** Infinity and NaN, null in an array, an array of arrays: a client would have to expect them everywhere. */
const UNDESCRIBED =
  /^\/(type_zoo\/\d+\/c_(real|double|text_array\/\d+|int_matrix\/\d+)|venues\/\d+\/tags\/\d+) must be /;

interface DescribedPath {
  readonly get?: object;
  readonly post?: object;
}

interface Described {
  readonly paths: Readonly<Record<string, DescribedPath>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

/** Spectral decodes the keys of `paths` and then reports that it finds no operation under the decoded ones. */
const withPlainPaths = (document: Described): Described => ({
  ...document,
  paths: Object.fromEntries(
    Object.entries(document.paths).map(([path, item]) => [path.replaceAll('%', '_'), item]),
  ),
});

describe('the description at the root as OpenAPI 3.1', () => {
  let festival: FestivalService;
  let text: string;
  let document: Described;
  let headers: Readonly<Record<string, string>>;

  before(async () => {
    festival = await startFestivalService({ 'db-schemas': 'festival,press' });
    headers = { authorization: await bearer('golden_staff') };
    const response = await fetch(`${festival.url}/`, { headers: { ...headers, accept: OPENAPI_TYPE } });
    expect(response.status).to.equal(200);
    expect(response.headers.get('content-type')).to.equal(`${OPENAPI_TYPE}; version=3.1`);
    text = await response.text();
    document = JSON.parse(text) as Described;
  });
  after(() => festival.stop());

  it('follows the recommended rules of redocly @long', async () => {
    const problems = await lintFromString({
      source: text,
      absoluteRef: 'document.json',
      config: await createConfig({ extends: ['recommended'] }),
    });
    expect(
      problems.map(({ ruleId, message, location }) => `${location[0]?.pointer ?? ''} ${ruleId}: ${message}`),
    ).to.deep.equal([]);
  });

  inAllRuns('follows the recommended rules of spectral @long', async () => {
    // Installed for the long tests alone.
    const { lint } = await import('../../spectral/lint.mjs');
    const findings = await lint(JSON.stringify(withPlainPaths(document)));
    expect(findings.map(({ code, path, message }) => `${path.join('/')} ${code}: ${message}`)).to.deep.equal(
      [],
    );
  });

  it('describes the rows of every relation as they are returned', async () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
    addFormats.default(ajv);
    ajv.addSchema(document, 'document');
    const read: string[] = [];
    for (const path of Object.keys(document.paths)) {
      if (path.startsWith('/rpc/')) continue;
      const response = await fetch(`${festival.url}${path}?limit=20`, {
        headers: { ...headers, accept: 'application/json' },
      });
      // Some may be written alone, some fail at every read on purpose, some are rendered by the database.
      const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
      if (!response.ok || !isJson) continue;
      const item = encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'));
      const response200 = `#/paths/${item}/get/responses/200`;
      const validate = ajv.getSchema(`document${response200}/content/application~1json/schema`);
      expect(validate, path).to.be.a('function');
      const rows: unknown = await response.json();
      expect(validate?.(rows)).to.be.a('boolean');
      const wrong = (validate?.errors ?? []).map(
        ({ instancePath, message }) => `${path}${instancePath} ${message ?? ''}`,
      );
      expect(wrong.filter((each) => !UNDESCRIBED.test(each))).to.deep.equal([]);
      read.push(path);
    }
    expect(read).to.include.members(['/films']);
  });

  it('names the schema of requests if it is not the first', async () => {
    const response = await fetch(`${festival.url}/`, {
      headers: { ...headers, accept: OPENAPI_TYPE, 'accept-profile': 'press' },
    });
    const press = await response.text();
    expect(press).to.match(/"Accept-Profile","in":"header","required":true/);
    const operations = Object.values((JSON.parse(press) as Described).paths);
    for (const { get, post } of operations) {
      if (get !== undefined)
        expect(JSON.stringify(get)).to.include('{"$ref":"#/components/parameters/Accept-Profile"}');
      if (post !== undefined)
        expect(JSON.stringify(post)).to.include('{"$ref":"#/components/parameters/Content-Profile"}');
    }
    expect(text).to.match(/"Accept-Profile","in":"header","required":false/);
  });

  it('is cached apart from OpenAPI 2.0, which other media types get', async () => {
    for (const accept of [
      '*/*',
      'application/json',
      'application/openapi+json',
      `${OPENAPI_TYPE};q=0.5, */*`,
    ]) {
      const response = await fetch(`${festival.url}/`, { headers: { ...headers, accept } });
      expect(response.headers.get('content-type'), accept).to.equal(
        'application/openapi+json; charset=utf-8',
      );
      expect(await response.json(), accept).to.have.property('swagger', '2.0');
    }
  });
});

describe('the description at /openapi.json', () => {
  let festival: FestivalService;
  before(async () => {
    festival = await startFestivalService({ 'db-schemas': 'festival' });
  });
  after(() => festival.stop());

  const get = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
    fetch(`${festival.url}${path}`, { method, headers });

  it('is that of the role as OpenAPI 3.1, and 3.2 by version', async () => {
    const staff = { authorization: await bearer('golden_staff') };
    for (const [path, version] of [
      ['/openapi.json', '3.1.0'],
      ['/openapi.json?version=3.1', '3.1.0'],
      ['/openapi.json?version=3.2', '3.2.0'],
    ] as const)
      for (const headers of [{}, staff, { accept: 'text/html, application/json;q=0.1' }]) {
        const response = await get(path, headers);
        expect(response.status).to.equal(200);
        expect(response.headers.get('content-type')).to.equal('application/json; charset=utf-8');
        expect(await response.json()).to.have.property('openapi', version);
      }
    const read = async (path: string, headers: Readonly<Record<string, string>>) =>
      (await get(path, headers)).text();
    const root = { accept: OPENAPI_TYPE };
    expect(await read('/openapi.json', {})).to.equal(await read('/', root));
    expect(await read('/openapi.json', staff)).to.equal(await read('/', { ...root, ...staff }));
    expect(await read('/openapi.json', staff)).to.not.equal(await read('/openapi.json', {}));
  });

  it('has an entity tag, no body for HEAD, and the methods of the root', async () => {
    const response = await get('/openapi.json');
    const etag = response.headers.get('etag') ?? '';
    expect(etag).to.match(/^".{43,}"$/);
    expect((await get('/openapi.json', { 'if-none-match': etag })).status).to.equal(304);
    const head = await get('/openapi.json', {}, 'HEAD');
    expect({ status: head.status, text: await head.text() }).to.deep.equal({ status: 200, text: '' });
    expect((await get('/openapi.json', {}, 'OPTIONS')).headers.get('allow')).to.equal('OPTIONS,GET,HEAD');
    expect(await (await get('/openapi.json', {}, 'POST')).json()).to.deep.equal({
      code: 'DBR117',
      message: 'Unsupported HTTP method: POST',
      details: null,
      hint: null,
    });
  });

  it('is refused in other versions and media types', async () => {
    for (const version of ['4', '', '3.1.0', '2.0']) {
      const response = await get(`/openapi.json?version=${version}`);
      expect({ status: response.status, body: await response.json() }).to.deep.equal({
        status: 400,
        body: {
          code: 'DBR100',
          message: 'The parameter "version" is no version of the description',
          details: 'It is 3.1 or 3.2',
          hint: null,
        },
      });
    }
    const csv = await get('/openapi.json', { accept: 'text/csv' });
    expect({ status: csv.status, body: await csv.json() }).to.deep.equal({
      status: 406,
      body: {
        code: 'DBR107',
        message: 'None of these media types are available: text/csv',
        details: null,
        hint: null,
      },
    });
  });

  it('leaves a relation of this name its path', async () => {
    const response = await get('/openapi%2Ejson');
    expect(await response.json()).to.have.property('code', '42P01');
  });
});

describe('a relation with the name openapi.json', () => {
  let service: DataApiService;
  before(async () => {
    service = await startDataApiService(
      `create role named_user; create table public."openapi.json" (id integer primary key);
       grant all on public."openapi.json" to named_user`,
      'named_user',
    );
  });
  after(() => service.stop());

  it('has the path that reaches it in descriptions and headers', async () => {
    const PATH = '/openapi%2Ejson';
    const described = (await (await fetch(`${service.url}/openapi.json`)).json()) as { paths: object };
    expect(Object.keys(described.paths)).to.deep.equal(['/', PATH]);
    const created = await fetch(`${service.url}${PATH}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Prefer: 'return=headers-only' },
      body: '{"id":1}',
    });
    expect([created.status, created.headers.get('location')]).to.deep.equal([201, `${PATH}?id=eq.1`]);
    const read = await fetch(`${service.url}${PATH}?id=eq.1`);
    expect(read.headers.get('content-location')).to.equal(`${PATH}?id=eq.1`);
    expect(await read.json()).to.deep.equal([{ id: 1 }]);
  });
});

describe('the description at the root with openapi-version = 3.1', () => {
  let festival: FestivalService;
  before(async () => {
    festival = await startFestivalService({ 'openapi-version': '3.1', 'openapi-security-active': 'true' });
  });
  after(() => festival.stop());

  it('is OpenAPI 3.1 for every media type of the root', async () => {
    for (const accept of ['*/*', 'application/json', 'application/openapi+json', OPENAPI_TYPE]) {
      const response = await fetch(`${festival.url}/`, { headers: { accept } });
      expect(response.status, accept).to.equal(200);
      expect(await response.json(), accept).to.deep.include({
        openapi: '3.1.0',
        security: [{ jwt: [] }, {}],
      });
    }
  });

  it('is refused for other types', async () => {
    const response = await fetch(`${festival.url}/`, { headers: { accept: 'text/csv' } });
    expect(response.status).to.equal(406);
    expect(await response.json()).to.have.property('code', 'DBR107');
  });
});
