import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startDataApiService, type DataApiService } from '../../support/data-api/data-api-service.js';
import { SHOP } from '../../support/data-api/shop.js';
import { inAllRuns } from '../../support/runs.js';
import { runDbr } from '../../support/service/built-service.js';

const run = promisify(execFile);
const pathOf = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const FOLDER = pathOf('test/clients/typed/');
const FILE = `${FOLDER}out/database.ts`;

describe('dbr types and dbr openapi --database', function () {
  this.timeout(120_000);
  let service: DataApiService;

  before(async () => {
    service = await startDataApiService(SHOP, 'typed_user', { 'db-schemas': 'shop' });
    mkdirSync(`${FOLDER}out`, { recursive: true });
  });
  after(async () => {
    rmSync(`${FOLDER}out`, { recursive: true, force: true });
    await service.session.script('drop owned by typed_reader; drop role typed_reader');
    await service.stop();
  });

  const dbr = async (...args: readonly string[]) => {
    const environment = { ...process.env, DBR_DB_URI: service.databaseUri, DBR_DB_SCHEMAS: 'shop' };
    return run(process.execPath, [pathOf('dist/src/main.js'), ...args], { env: environment }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
        code,
        stdout,
        stderr,
      }),
    );
  };

  inAllRuns('type the requests of supabase-js, which the service answers as they say', async () => {
    expect(await dbr('types', '--output', FILE)).to.deep.equal({ code: 0, stdout: '', stderr: '' });
    const compiled = await run(pathOf('node_modules/.bin/tsc'), ['-p', FOLDER]).catch(
      ({ stdout }: { readonly stdout: string }) => ({ stdout }),
    );
    expect(compiled.stdout).to.equal('');
    const { stdout } = await run(process.execPath, ['--import', 'tsx/esm', `${FOLDER}run.ts`, service.url], {
      cwd: FOLDER,
    });
    expect(JSON.parse(stdout)).to.deep.equal({
      products: [
        { id: 1, name: 'pen', size: 'small', maker: { name: 'Acme' }, labels: [{ word: 'blue' }] },
        { id: 2, name: 'desk', size: null, maker: null, labels: [] },
      ],
      makers: { name: 'Acme', products: [{ name: 'pen' }], details: { phone: '5' } },
      inserted: { name: 'lamp', tags: ['new'], shout: 'LAMP' },
      called: [{ name: 'pen' }],
      total: 92,
      cheap: [{ name: 'pen', makers: { name: 'Acme' } }],
    });
  });

  it('write what a role may use', async () => {
    const { code, stdout } = await dbr('types', '--role', 'typed_reader');
    expect(code).to.equal(0);
    expect(stdout).to.equal(`// Made by \`dbr types\`.
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

export type Database = {
  __InternalSupabase: { PostgrestVersion: "12" };
  shop: {
    Tables: {
      labels: {
        Row: {
          id: number;
          word: string;
        };
        Insert: {
          id: number;
          word: string;
        };
        Update: {
          id?: number;
          word?: string;
        };
        Relationships: [];
      };
    };
    Views: { [_ in never]: never };
    Functions: {
      priced: { Args: { most: number | null; lowest?: number | null }; Returns: Record<string, unknown>[] };
      total: { Args: { ids: number[] | null }; Returns: number };
    };
    Enums: {
      size: "small" | "large";
    };
    CompositeTypes: { [_ in never]: never };
  };
};
`);
  });

  it('compare a file with the database', async () => {
    const check = ['types', '--output', FILE, '--check'];
    rmSync(FILE, { force: true });
    expect(await dbr(...check)).to.deep.equal({ code: 1, stdout: `${FILE} does not exist\n`, stderr: '' });
    await dbr('types', '--output', FILE);
    expect(await dbr(...check)).to.deep.equal({ code: 0, stdout: '', stderr: '' });
    writeFileSync(FILE, `${readFileSync(FILE, 'utf8')}//`);
    expect(await dbr(...check)).to.deep.equal({
      code: 1,
      stdout: `${FILE} differs from the database\n`,
      stderr: '',
    });
  });

  it('describe the schema as the service does', async () => {
    for (const version of ['3.1', '3.2']) {
      const { stdout } = await dbr('openapi', '--database', '--role', 'typed_user', '--version', version);
      const served = await fetch(`${service.url}/openapi.json?version=${version}`);
      expect(JSON.parse(stdout)).to.deep.equal(await served.json());
    }
  });

  it('write all of a large description to a pipe', async () => {
    await service.session.script(`create schema large; do $$ begin for number in 1..60 loop
      execute format('create table large.table_%s (%s)', number,
        (select string_agg(format('column_%s text', place), ', ') from generate_series(1, 50) as place));
      end loop; end $$`);
    const environment = { DBR_DB_URI: service.databaseUri, DBR_DB_SCHEMAS: 'large' };
    const { code, stdout } = await runDbr(['openapi', '--database'], environment);
    await service.session.script('drop schema large cascade');
    expect(code).to.equal(0);
    expect(stdout.length).to.be.greaterThan(1_000_000);
    expect(JSON.parse(stdout)).to.have.property('openapi', '3.1.0');
  });

  it('refuse what does not exist, and options that do not fit', async () => {
    for (const [args, code, message] of [
      [['types', '--schema', 'nothing'], 1, 'dbr: the schema nothing is not among db-schemas\n'],
      [['types', '--role', 'nobody_here'], 1, 'dbr: the role nobody_here does not exist\n'],
      [['types', '--check'], 2, /\ndbr: --check needs --output\n$/],
      [['openapi', '--database', '--version', '2.0'], 2, /\ndbr: --version takes 3.1 or 3.2\n$/],
      [['openapi', '--role', 'typed_user'], 2, /\ndbr: --role needs --database\n$/],
      [['types', '--version', '3.1'], 2, /\ndbr: unknown option --version\n$/],
    ] as const) {
      const outcome = await dbr(...args);
      expect({ code: outcome.code, stdout: outcome.stdout }).to.deep.equal({ code, stdout: '' });
      if (typeof message === 'string') expect(outcome.stderr).to.equal(message);
      else expect(outcome.stderr).to.match(message);
    }
  });
});
