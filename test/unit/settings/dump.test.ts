import { expect } from 'chai';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dumpSettings, exampleSettings, isSecretName, settingsPage } from '../../../src/settings/dump.js';
import { loadSettings } from '../../../src/settings/load.js';
import { SETTINGS } from '../../../src/settings/table.js';

describe('settings as text', () => {
  it('contain no secrets and no app settings', () => {
    const text = dumpSettings(
      loadSettings({
        environment: {
          DBR_JWT_SECRET: 'canary-1',
          DBR_DB_URI: 'postgresql://u:canary-2@h/d',
          JWT_SECRET: 'canary-3',
          DBR_APP_SETTINGS_KEY: 'canary-4',
        },
      }),
    );
    expect(text).not.to.match(/canary/);
    expect(text).to.contain('jwt-secret = "[redacted]"\n');
    expect(text).to.contain('app.settings.key = "[redacted]"\n');
    expect(text).to.contain('traces-headers = []\n');
    expect(text).to.contain('db-tx-end = "commit"\n');
  });

  it('contain no queries of addresses, which may be access keys', () => {
    const text = dumpSettings(
      loadSettings({
        environment: {
          DBR_JWKS_URI: 'https://keys.example/set?key=canary 1,canary-2',
          DBR_JWT_ISSUERS:
            '[{"issuer": "https://a.example/?canary", "jwks-uri": "https://a.example/set?key=canary-3"}, "https://b.example"]',
          DBR_JWT_ROLE_CLAIM_KEY: '$.roles[?search(@, "^app_")]',
        },
      }),
    );
    expect(text).not.to.match(/canary/);
    expect(text).to.contain('jwks-uri = "https://keys.example/set?[redacted]"\n');
    expect(text).to.contain(
      String.raw`\"issuer\":\"https://a.example/?[redacted]\",\"jwks-uri\":\"https://a.example/set?[redacted]\"},{\"issuer\":\"https://b.example\"}`,
    );
    expect(text).to.contain(String.raw`jwt-role-claim-key = "$.roles[?search(@, \"^app_\")]"`);
  });

  it('are secret by the table, and as settings of the application', () => {
    const names = [
      'jwt-secret',
      'db-uri',
      'app.settings.a',
      'app.settings.',
      'log-level',
      'app.settings',
      'unknown',
      'x',
    ];
    expect(names.filter(isSecretName)).to.deep.equal([
      'jwt-secret',
      'db-uri',
      'app.settings.a',
      'app.settings.',
    ]);
  });

  it('have an example that parses to the defaults', () => {
    const lines = exampleSettings()
      .replaceAll(/^# /gm, '')
      .replaceAll(/^## .*$/gm, '')
      .replaceAll('app.settings.name = "value"', '');
    const file = join(mkdtempSync(join(tmpdir(), 'dbr-settings-')), 'example.conf');
    writeFileSync(file, lines);
    expect(loadSettings({ file, environment: {} })).to.deep.equal(loadSettings({ environment: {} }));
  });

  it('have a manual page with every setting', () => {
    const page = settingsPage();
    for (const name of Object.keys(SETTINGS)) expect(page).to.contain(`\`${name}`);
    const notesOf = (name: string): string | undefined =>
      new RegExp(`^\\| \`${name}\`.* \\| (.*) \\|$`, 'm').exec(page)?.[1];
    expect(notesOf('server-port')).to.equal('');
    expect(notesOf('db-uri')).to.equal('secret');
    expect(notesOf('log-level')).to.equal('reloadable');
    expect(notesOf('db-max-rows')).to.equal('reloadable, in database, also `max-rows`');
    expect(notesOf('service-jwt-secret')).to.equal('secret, also `JWT_SECRET`');
    expect(page).to.contain('| `app.settings.<name>` | `DBR_APP_SETTINGS` | list | unset |');
    expect(page).to.contain('| `db-anon-role` | `DBR_DB_ANON_ROLE` | text | unset |');
  });
});
