import { expect } from 'chai';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openShapeFile } from '../../../src/composition/shape-file.js';
import type { Observation } from '../../../src/observability/observation.js';
import { liveSettings, type LiveSettings } from '../../../src/settings/live-settings.js';
import { loadSettings } from '../../../src/settings/load.js';
import { until } from '../../support/until.js';

describe('the file of recorded shapes', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'dbr-shape-file-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  function recording(path: string): LiveSettings {
    const sources = {
      environment: { DBR_DB_URI: 'postgresql:///none', DBR_DB_SHAPES: 'record', DBR_DB_SHAPES_FILE: path },
    };
    return liveSettings(loadSettings(sources), sources, () => undefined);
  }

  const text = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');

  it('has the lines of a failed write after the next one, each once', async () => {
    const path = join(folder, 'missing', 'shapes');
    const seen: Observation[] = [];
    const shapes = openShapeFile(recording(path), (each) => void seen.push(each), 20);
    shapes.list.record('first');
    await until(() => seen.length === 1);
    shapes.list.record('second');
    shapes.list.record('first');
    mkdirSync(join(folder, 'missing'));
    await until(() => text(path) !== '');
    shapes.list.record('third');
    await shapes.close();
    expect(text(path)).to.equal('# recorded\nfirst\nsecond\nthird\n');
    expect(seen.map(({ kind }) => kind)).to.deep.equal(['shapes-not-recorded']);
  });

  it('has them at its end', async () => {
    const path = join(folder, 'missing', 'shapes');
    const seen: Observation[] = [];
    const shapes = openShapeFile(recording(path), (each) => void seen.push(each), 3_600_000);
    shapes.list.record('first');
    await until(() => seen.length === 1);
    mkdirSync(join(folder, 'missing'));
    await shapes.close();
    expect(text(path)).to.equal('# recorded\nfirst\n');
  });

  it('has a line once, although the settings are loaded again while it is being written', async () => {
    const path = join(folder, 'shapes');
    const live = recording(path);
    const shapes = openShapeFile(live, () => undefined);
    shapes.list.record('first');
    // The write begins behind this turn; the file is not open yet.
    await Promise.resolve();
    await Promise.resolve();
    live.replace(live.inForce());
    shapes.list.record('first');
    await shapes.close();
    expect(text(path)).to.equal('# recorded\nfirst\n');
  });

  it('makes half a line at the end of the file a comment, and records the whole line again', async () => {
    const path = join(folder, 'shapes');
    writeFileSync(path, '# recorded\nanon GET geo /cities?select=name\nanon GET geo /cities');
    const seen: Observation[] = [];
    const shapes = openShapeFile(recording(path), (each) => void seen.push(each));
    shapes.list.record('anon GET geo /cities?select=name');
    shapes.list.record('anon GET geo /cities');
    await shapes.close();
    expect(text(path)).to.equal(
      '# recorded\nanon GET geo /cities?select=name\n#non GET geo /cities\nanon GET geo /cities\n',
    );
    expect(seen).to.deep.equal([{ kind: 'shape-line-cut', file: path }]);
  });

  it('ends the last line of a file that a person wrote, without an end, before the next line', async () => {
    const path = join(folder, 'shapes');
    writeFileSync(path, 'anon GET geo /countries\nanon GET geo /cities');
    const seen: Observation[] = [];
    const shapes = openShapeFile(recording(path), (each) => void seen.push(each));
    shapes.list.record('anon GET geo /languages');
    await until(() => text(path).includes('languages'));
    shapes.list.record('anon GET geo /rivers');
    await shapes.close();
    expect(text(path)).to.equal(
      'anon GET geo /countries\nanon GET geo /cities\n# recorded\nanon GET geo /languages\nanon GET geo /rivers\n',
    );
    expect(seen).to.deep.equal([]);
  });

  it('ends a comment without an end, such as half a signature, before the next line', async () => {
    const path = join(folder, 'shapes');
    writeFileSync(path, 'first\n# signature ed25519 abc');
    const seen: Observation[] = [];
    const shapes = openShapeFile(recording(path), (each) => void seen.push(each));
    shapes.list.record('second');
    await shapes.close();
    expect(text(path)).to.equal('first\n# signature ed25519 abc\n# recorded\nsecond\n');
    expect(seen).to.deep.equal([]);
  });

  it('counts lines that are not written yet against its length, also when the settings are loaded again', async () => {
    const live = recording(join(folder, 'missing', 'shapes'));
    const seen: Observation[] = [];
    const shapes = openShapeFile(live, (each) => void seen.push(each), 3_600_000);
    shapes.list.record('a'.repeat(3_000_000));
    await until(() => seen.length === 1);
    live.replace(live.inForce());
    shapes.list.record('b'.repeat(3_000_000));
    await shapes.close();
    expect(seen.map((each) => ('reason' in each ? each.reason : null)).at(-1)).to.equal(
      `${join(folder, 'missing', 'shapes')} is full`,
    );
  });
});
