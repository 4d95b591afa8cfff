import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openShapeFile, readShapes } from '../../../src/composition/shape-file.js';
import type { Observation } from '../../../src/observability/observation.js';
import { liveSettings } from '../../../src/settings/live-settings.js';
import { loadSettings } from '../../../src/settings/load.js';

describe('the file of allowed shapes', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'dbr-shape-file-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('has one shape a line, and comments', () => {
    const path = join(folder, 'shapes');
    writeFileSync(path, '# a comment\nanon GET api /films\n\n  \n#x\nanon GET api /people');
    expect([...readShapes({ 'db-shapes': 'enforce', 'db-shapes-file': path })]).to.deep.equal([
      'anon GET api /films',
      'anon GET api /people',
    ]);
  });

  it('must be there, where it is named or enforced', () => {
    expect(() => readShapes({ 'db-shapes': 'enforce', 'db-shapes-file': null })).to.throw('is not set');
    expect(readShapes({ 'db-shapes': 'record', 'db-shapes-file': null }).size).to.equal(0);
    expect(() => readShapes({ 'db-shapes': 'off', 'db-shapes-file': join(folder, 'none') })).to.throw(
      'ENOENT',
    );
  });

  it('has the shapes that are not logged; others are logged once, up to a bound', () => {
    const path = join(folder, 'shapes');
    writeFileSync(path, 'known\n');
    const sources = {
      environment: { DBR_DB_URI: 'postgresql:///none', DBR_DB_SHAPES: 'record', DBR_DB_SHAPES_FILE: path },
    };
    const live = liveSettings(loadSettings(sources), sources, () => undefined);
    const seen: Observation[] = [];
    const list = openShapeFile(live, (observation) => void seen.push(observation));
    for (const line of ['known', 'new', 'new', 'x'.repeat(4_194_304)]) list.record(line);
    expect(seen).to.deep.equal([{ kind: 'shape-recorded', shape: 'new' }]);
    expect([list.has('known'), list.has('new')]).to.deep.equal([true, false]);
  });
});
