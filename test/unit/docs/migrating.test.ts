import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DBR_ERRORS, type DbrErrorEntry } from '../../../generated/errors.js';
import { readAccept } from '../../../src/data-api/request/media-types.js';
import { spelledCode } from '../../../src/errors/error-style.js';
import { compatibleDefaults, databasePrefixes } from '../../../src/settings/compatibility.js';
import type { Setting } from '../../../src/settings/setting.js';
import { SETTINGS } from '../../../src/settings/table.js';
import { root } from '../../support/openapi/published-contract.js';

const page = readFileSync(join(root, 'docs/migrating/from-postgrest.md'), 'utf8');
const codes = readFileSync(join(root, 'docs/migrating/error-codes.md'), 'utf8');
const SETTINGS_BY_NAME: Readonly<Record<string, Setting<unknown>>> = SETTINGS;

/** The cells of the table under a heading of the page. */
const tableOf = (heading: string): readonly (readonly string[])[] =>
  cellsOf(page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '');

/** The cells of a table, without its header, without ** and `. */
function cellsOf(section: string): readonly (readonly string[])[] {
  const [, ...rows] = section.match(/^\|.*\|$/gm) ?? [];
  return rows
    .filter((row) => !/^\|[ |-]*\|$/.test(row))
    .map((row) =>
      row
        .slice(1, -1)
        .split(' | ')
        .map((cell) => cell.replaceAll(/[`*]|^\|/g, '').trim()),
    );
}

describe('the page about migrating from PostgREST', () => {
  it('has every code of the data API with its status', () => {
    const errors: readonly DbrErrorEntry[] = Object.values(DBR_ERRORS);
    const expected = errors
      .filter(({ code }) => /^DBR[0-3X]/.test(code))
      .map(({ code, status }) => {
        const statuses = typeof status === 'number' ? [status] : Object.values(status);
        return [spelledCode(code, 'PGRST'), code, statuses.join(', ')];
      });
    expect(cellsOf(codes).map((row) => row.slice(0, 3))).to.deep.equal(expected);
  });

  it('has the default of each setting', () => {
    const rows = tableOf('Settings');
    expect(rows).to.have.length(39);
    for (const [name = '', , own = ''] of rows) {
      if (name === 'app.settings.') continue;
      const setting = SETTINGS_BY_NAME[name];
      const printed = setting?.kind.print(setting.default);
      expect(printed === '' ? 'unset' : printed, name).to.equal(own);
    }
  });

  it('marks the defaults that differ, which are those of PostgREST with compatibility', () => {
    const section = page.split('\n## Settings\n')[1]?.split('\n## ')[0] ?? '';
    const marked = [...section.matchAll(/^\| `([\w-]+)` \| (\S+) \| \*\*/gm)].map(([, name, value]) => [
      name,
      value,
    ]);
    const defaults: Readonly<Record<string, unknown>> = compatibleDefaults('postgrest', undefined);
    expect(marked).to.deep.equal([
      ['admin-server-port', defaults['admin-server-port'] === null ? 'unset' : ''],
      ['db-channel', defaults['db-channel']],
      ['db-uri', defaults['db-uri']],
    ]);
    expect(Object.keys(defaults)).to.have.members([
      'areas',
      'admin-server-host',
      ...marked.map(([name]) => name),
    ]);
    for (const [name = '', reference, own] of tableOf('Settings'))
      expect(reference === own, name).to.equal(!marked.some(([other]) => other === name));
  });

  it('has the prefixes of settings in the database', () => {
    const row = tableOf('Names').find(([name]) => name === 'settings in the database');
    expect([row?.[2], row?.[1]]).to.deep.equal(['dbr.db_schemas', 'pgrst.db_schemas']);
    expect(databasePrefixes('none')).to.deep.equal(['dbr.']);
    expect(databasePrefixes('postgrest')).to.deep.equal(['pgrst.', 'dbr.']);
  });

  it('has media types that requests can ask for', () => {
    for (const [type = ''] of tableOf('Media types')) {
      const [range] = readAccept(type);
      const written = range?.text.replace(/; for=.*$/, '');
      expect(written, type).to.equal(type);
      if (type.includes('vnd.pgrst')) expect(range?.kind, type).not.to.equal('type');
    }
  });

  it('has the versions of the clients that the tests use', () => {
    const text = readFileSync(join(root, 'test/clients/package.json'), 'utf8');
    const { dependencies } = JSON.parse(text) as { readonly dependencies: Readonly<Record<string, string>> };
    for (const [name = '', version] of tableOf('Clients')) expect(dependencies[name], name).to.equal(version);
  });
});
