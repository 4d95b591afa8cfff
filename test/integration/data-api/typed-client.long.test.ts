import { expect } from 'chai';
import { build } from 'esbuild';
import { execFile } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { startDataApiService, type DataApiService } from '../../support/data-api/data-api-service.js';
import { SHOP } from '../../support/data-api/shop.js';

const run = promisify(execFile);
const pathOf = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const FOLDER = pathOf('test/clients/builder/');

const bundled = async (entry: string): Promise<Buffer> => {
  const { outputFiles } = await build({
    entryPoints: [pathOf(entry)],
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  });
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 });
};

describe('the typed client over the types of dbr types', function () {
  this.timeout(120_000);
  let service: DataApiService;

  before(async () => {
    service = await startDataApiService(SHOP, 'typed_user', {
      'db-schemas': 'shop',
      'db-aggregates-enabled': 'true',
      'db-tx-end': 'commit-allow-override',
    });
    mkdirSync(`${FOLDER}out`, { recursive: true });
    const environment = { ...process.env, DBR_DB_URI: service.databaseUri, DBR_DB_SCHEMAS: 'shop' };
    const command = [pathOf('dist/src/main.js'), 'types', '--output', `${FOLDER}out/database.ts`];
    await run(process.execPath, command, { env: environment });
  });
  after(async () => {
    rmSync(`${FOLDER}out`, { recursive: true, force: true });
    await service.session.script('drop owned by typed_reader; drop role typed_reader');
    await service.stop();
  });

  it('compiles what the schema has, and nothing else', async () => {
    const compiled = await run(pathOf('node_modules/.bin/tsc'), ['-p', FOLDER]).catch(
      ({ stdout }: { readonly stdout: string }) => ({ stdout }),
    );
    expect(compiled.stdout).to.equal('');
  });

  it('sends the requests, which the service answers as the types say', async () => {
    const { stdout } = await run(process.execPath, ['--import', 'tsx/esm', `${FOLDER}run.ts`, service.url], {
      cwd: FOLDER,
    });
    expect(JSON.parse(stdout)).to.deep.equal({
      products: [
        {
          id: 1,
          name: 'pen',
          size: 'small',
          price: '2',
          watts: null,
          maker: { name: 'Acme' },
          labels: [{ word: 'blue' }],
        },
        { id: 2, name: 'desk', size: null, price: '90', watts: null, maker: null, labels: [] },
      ],
      maker: { name: 'Acme', products: [{ name: 'pen', shout: 'PEN' }], details: { phone: '5' } },
      inner: [{ name: 'pen', makers: { name: 'Acme' } }],
      spread: [
        { name: 'desk', maker: null },
        { name: 'pen', maker: 'Acme' },
      ],
      counted: [{ name: 'Acme', products: [{ count: 1 }] }],
      inserted: [
        201,
        [
          { name: 'a,b "c" (d)', tags: ['x,y', '{z}', 'q"\\'], facts: { path: '/', $from: 'data' } },
          { name: 'lamp', tags: null, facts: null },
        ],
      ],
      filtered: [
        [{ name: 'a,b "c" (d)' }],
        [{ name: 'a,b "c" (d)' }],
        [{ name: 'a,b "c" (d)' }],
        [],
        [{ name: 'desk' }, { name: 'lamp' }],
        [{ name: 'a,b "c" (d)' }],
        [{ name: 'desk' }, { name: 'a,b "c" (d)' }],
        [{ name: 'lamp' }],
        [{ name: 'lamp' }, { name: 'pen' }],
      ],
      upserted: [200, [{ id: 1, name: 'Acme', founded: '2020-01-31' }]],
      updated: [{ name: 'lamp', price: 6 }],
      byKey: [{ price: 7 }],
      deleted: [{ name: 'lamp' }],
      called: [{ name: 'pen' }],
      total: 92,
      pinged: [401, null],
      page: [206, 3],
      head: 3,
      maybe: [null, null],
      several: 'DBR116',
      none: [406, 'DBR116'],
      same: [304, null],
      stale: [412, 'DBR410'],
      csv: 'id,name\r\n1,Acme\r\n',
      streamed: [{ name: 'pen' }, { name: 'desk' }, { name: 'a,b "c" (d)' }],
      batch: [
        201,
        'number',
        null,
        [{ name: 'made', facts: { $from: 'maker' }, makers: { name: 'Batch' } }],
        1,
      ],
      failed: [406, 'DBR116'],
      undone: [],
      dry: [201, 'return=representation, tx=rollback'],
      thrown: [
        'DataApiFailure',
        'insert or update on table "products" violates foreign key constraint "products_maker_id_fkey"',
        '23503',
      ],
    });
  });

  it('is small', async () => {
    const sizes = await Promise.all(
      ['packages/client/src/database.ts', 'packages/client/src/inbox.ts'].map(bundled),
    );
    expect(sizes.reduce((sum, { length }) => sum + length, 0)).to.be.below(10_000);
  });
});
