/** The folder of one run of the tests: the servers that its processes share, and the cluster that others are copied from. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Environment variable with the folder, for the processes of one run. */
const FOLDER_VARIABLE = 'TEST_SERVER_FOLDER';
const PREFIX = 'dbr-shared-test-';

/** Chosen once a run; worker processes inherit it. The process that chose it cleans up, at the latest when it exits. */
export function runFolder(): string {
  const inherited = process.env[FOLDER_VARIABLE];
  if (inherited !== undefined) return inherited;
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${String(process.pid)}-`));
  process.env[FOLDER_VARIABLE] = folder;
  process.once('exit', () => {
    endAtOnce(folder);
  });
  return folder;
}

/** The data folders of the servers in `folder` that run, or were killed. */
export function dataFolders(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return [folder, ...readdirSync(folder).map((name) => join(folder, name))]
    .map((parent) => join(parent, 'data'))
    .filter((data) => existsSync(join(data, 'postmaster.pid')));
}

/** Cleans up synchronously after a run that ends without its teardown (process.exit, an uncaught error). */
function endAtOnce(folder: string): void {
  for (const data of dataFolders(folder)) {
    try {
      const [pid] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
      process.kill(Number(pid), 'SIGQUIT');
    } catch {
      // It was never started, or has been stopped properly.
    }
  }
  rmSync(folder, { recursive: true, force: true });
}
