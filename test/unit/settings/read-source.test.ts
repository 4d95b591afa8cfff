import { expect } from 'chai';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readKeys } from '../../../src/auth/keys.js';
import { loadSettings, SettingsError } from '../../../src/settings/load.js';

const folder = mkdtempSync(join(tmpdir(), 'dbr-source-'));

describe('files of settings', () => {
  it('keep the content of a pipe for later reloads', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const writer = spawn('/bin/sh', ['-c', `printf 'from-the-pipe' > '${pipe}'`], { stdio: 'ignore' });
    const environment = { DBR_JWT_SECRET: `@${pipe}`, DBR_DB_URI: `@${pipe}` };
    const settings = loadSettings({ environment });
    await once(writer, 'close');
    expect(settings['jwt-secret']).to.equal('from-the-pipe');
    expect(settings['db-uri']).to.equal('from-the-pipe');
    expect(loadSettings({ environment })).to.deep.equal(settings);
  });

  it('may contain a secret of any bytes', () => {
    const path = join(folder, 'binary');
    const bytes = Buffer.from(Array.from({ length: 48 }, (_value, index) => 255 - index));
    writeFileSync(path, bytes);
    const secret = loadSettings({ environment: { DBR_JWT_SECRET: `@${path}` } })['jwt-secret'] ?? '';
    const [key] = readKeys(secret, false);
    expect(key?.key.export()).to.deep.equal(bytes);
    expect(() => loadSettings({ environment: { DBR_DB_URI: `@${path}` } })).to.throw(
      SettingsError,
      `db-uri: ${path} is not text in UTF-8`,
    );
  });
});
