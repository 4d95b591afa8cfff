import { expect } from 'chai';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Observation } from '../../../src/observability/observation.js';
import { liveSettings } from '../../../src/settings/live-settings.js';
import { loadSettings } from '../../../src/settings/load.js';

describe('settings in force', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'dbr-live-')), 'dbr.conf');
  let observed: Observation[];
  let live: ReturnType<typeof liveSettings>;
  beforeEach(() => {
    writeFileSync(file, 'log-level = warn\nserver-port = 1\n');
    observed = [];
    const sources = { file, environment: {} };
    live = liveSettings(loadSettings(sources), sources, (observation) => void observed.push(observation));
  });

  it('are those of the file, the reloadable ones as it is read again', () => {
    writeFileSync(file, 'log-level = info\napp.settings.a = "1"\n# server-port = 1\nserver-port = 1\n');
    live.reread();
    expect(observed).to.deep.equal([]);
    expect(live.inForce['log-level'], 'before they replace others').to.equal('warn');
    live.replace(live.candidate(new Map()));
    expect(live.inForce['log-level']).to.equal('info');
    expect([...live.inForce['app.settings']]).to.deep.equal([['app.settings.a', '1']]);
  });

  it('keep what takes effect at the next start, and name it', () => {
    writeFileSync(file, 'log-level = warn\nserver-port = 2\ndb-pool = 3\n');
    live.reread();
    expect(observed).to.deep.equal([{ kind: 'settings-need-restart', settings: ['server-port', 'db-pool'] }]);
    live.replace(live.candidate(new Map()));
    expect(Reflect.get(live.current, 'server-port')).to.equal(1);
  });

  it('stay if the file is wrong', () => {
    writeFileSync(file, 'log-level = loud\n');
    live.reread();
    expect(observed.map(({ kind }) => kind)).to.deep.equal(['settings-refused']);
    live.replace(live.candidate(new Map()));
    expect(live.inForce['log-level']).to.equal('warn');
  });

  it('are those of the database where it may set them', () => {
    const of = (name: string, text: string) =>
      live.candidate(new Map([[name, { inDatabase: `dbr.${name.replaceAll('-', '_')}`, text }]]));
    expect(of('db-max-rows', '7')['db-max-rows']).to.equal(7);
    expect(observed).to.deep.equal([]);
    of('db-max-rows', 'x');
    expect(observed.map(({ kind }) => kind)).to.deep.equal(['database-setting-refused']);
  });

  it('are passed to all who subscribe', () => {
    const seen: (string | undefined)[] = [];
    live.subscribe((settings) => void seen.push(settings['log-level']));
    live.subscribe((settings) => void seen.push(settings['log-level']));
    live.replace(live.candidate(new Map()));
    expect(seen).to.deep.equal(['warn', 'warn']);
  });
});
