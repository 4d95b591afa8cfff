import { expect } from 'chai';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/base/package.js';
import { SETTINGS } from '../../../src/settings/table.js';

const read = (name: string): string => readFileSync(join(packageRoot(), name), 'utf8');

/** The instructions of the Dockerfile, with continued lines joined. */
const instructions = read('Dockerfile')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '');
const last = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM ')));

describe('the Dockerfile', () => {
  it('ends in a stage that installs nothing, is not root and has no package manager', () => {
    expect(last[0]).to.match(/^FROM .*-slim$/);
    expect(last.filter((line) => /\b(apt-get|npm (ci|install)|make|curl|wget)\b/.test(line))).to.deep.equal(
      [],
    );
    expect(last).to.include('USER 1000:1000');
    expect(last.find((line) => line.startsWith('RUN rm -rf'))).to.contain('/usr/local/bin/npm');
    expect(last).to.include('COPY --from=build /opt/dbr /opt/dbr');
  });

  it('starts the service, and checks its health', () => {
    expect(last.slice(-3)).to.deep.equal([
      'HEALTHCHECK --interval=15s --timeout=10s --start-period=30s --retries=3 CMD ["dbr", "ready"]',
      'ENTRYPOINT ["dbr"]',
      'CMD ["serve"]',
    ]);
    const names = ['server-port', 'admin-server-port', 'router-port'] as const;
    expect(last).to.include(`EXPOSE ${names.map((name) => String(SETTINGS[name].default)).join(' ')}`);
  });

  it('copies only existing files that are in the build context', () => {
    const context = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    const copied = instructions
      .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
      .flatMap((line) => line.split(' ').slice(1, -1))
      .filter((path) => path !== '.');
    expect(copied.filter((path) => !context.includes(path))).to.deep.equal([]);
    expect(context.filter((path) => !existsSync(join(packageRoot(), path)))).to.deep.equal([]);
  });
});
