import { expect } from 'chai';
import type { FixedSettings, ReloadableSettings } from '../../../src/settings/settings.js';
import type { Setting } from '../../../src/settings/setting.js';
import { DATABASE_SETTINGS, SETTINGS } from '../../../src/settings/table.js';
import { sourceTexts } from '../../support/source-files.js';

const KNOWN: Readonly<Record<string, Setting<unknown>>> = SETTINGS;

/** All of the service except the settings themselves. */
const sources = (): string =>
  sourceTexts()
    .flatMap(([path, text]) => (path.startsWith('src/settings/') ? [] : [text]))
    .join('\n');

describe('the table of settings', () => {
  it('has no setting that nothing reads', () => {
    const text = sources();
    const isRead = (name: string): boolean =>
      text.includes(`'${name}'`) || (!name.includes('-') && text.includes(`.${name}`));
    expect(Object.keys(SETTINGS).filter((name) => !isRead(name))).to.deep.equal([]);
  });

  it('marks every setting that the database may hold as reloadable', () => {
    expect(DATABASE_SETTINGS.filter((name) => KNOWN[name]?.reloadable !== true)).to.deep.equal([]);
  });

  it('separates reloadable and fixed settings in its types', () => {
    type Has<T, N extends string> = N extends keyof T ? true : false;
    const reloadable: readonly [Has<ReloadableSettings, 'db-tx-end'>, Has<ReloadableSettings, 'db-pool'>] = [
      true,
      false,
    ];
    const fixed: readonly [Has<FixedSettings, 'db-tx-end'>, Has<FixedSettings, 'db-pool'>] = [false, true];
    expect([KNOWN['db-tx-end']?.reloadable === true, KNOWN['db-pool']?.reloadable === true]).to.deep.equal(
      reloadable,
    );
    expect(fixed).to.deep.equal(reloadable.map((value) => !value));
  });
});
