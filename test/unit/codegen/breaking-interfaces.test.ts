import { expect } from 'chai';
import { changedMigrations, removedSettings } from '../../../codegen/breaking-interfaces.js';
import { settingsPage } from '../../../src/settings/dump.js';
import { SETTINGS } from '../../../src/settings/table.js';

describe('a breaking change for operators', () => {
  it('is a removed setting', () => {
    const page = settingsPage();
    expect(removedSettings(page, page)).to.deep.equal([]);
    const names = Object.keys(SETTINGS).map((name) => (name === 'app.settings' ? `${name}.<name>` : name));
    expect(removedSettings(page, '')).to.deep.equal(names.map((name) => `setting ${name} is gone`));
  });

  it('is not a renamed setting whose old name is an alias', () => {
    const before = '| `old` | text |  | A text. |\n';
    const after = '| `new` | text |  | A text. Also `old`. |\n';
    expect(removedSettings(before, after)).to.deep.equal([]);
  });

  it('is a changed or removed migration, not a new one', () => {
    const before = new Map([
      ['0001_a.sql', 'select 1'],
      ['0002_b.sql', 'select 2'],
    ]);
    expect(changedMigrations(before, new Map([...before, ['0003_c.sql', 'select 3']]))).to.deep.equal([]);
    expect(changedMigrations(before, new Map([['0001_a.sql', 'select 0']]))).to.deep.equal([
      'migration 0001_a.sql has changed',
      'migration 0002_b.sql is gone',
    ]);
  });
});
