import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDeployed } from '../../support/deploy/manifests.js';

const UNITS = ['dbr.service', 'dbr-migrate.service'] as const;
const analyze = (args: readonly string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' });
const systemdMissing = analyze(['--version']).error !== undefined;

describe('the units of deploy/systemd', function () {
  this.timeout(120_000);
  let folder: string;

  before(async function () {
    if (systemdMissing) return this.skip();
    folder = await mkdtemp(join(tmpdir(), 'dbr-systemd-'));
    // systemd looks whether the program is there, and dbr need not be installed where the tests run.
    for (const unit of UNITS)
      await writeFile(
        join(folder, unit),
        readDeployed(`systemd/${unit}`).replace(/^ExecStart=\/usr\/bin\/dbr/m, 'ExecStart=/bin/true'),
      );
  });
  after(async () => {
    if (!systemdMissing) await rm(folder, { recursive: true, force: true });
  });

  it('are understood by systemd', () => {
    const { status, stdout, stderr } = analyze(['verify', ...UNITS.map((unit) => join(folder, unit))]);
    // Units of the machine itself may be faulty too.
    const ours = `${stdout}${stderr}`.split('\n').filter((line) => line.includes(folder));
    expect(ours).to.deep.equal([]);
    expect(status).to.equal(0);
  });

  for (const unit of UNITS)
    it(`expose little of the machine: ${unit}`, () => {
      // In tenths: systemd calls up to 2.0 "OK" at the least, and up to 10 "unsafe".
      const { status, stdout } = analyze([
        ...['security', '--offline=true', '--no-pager', '--threshold=20'],
        join(folder, unit),
      ]);
      expect(stdout).to.contain('Overall exposure level');
      expect(status, stdout).to.equal(0);
    });
});
