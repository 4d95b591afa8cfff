import { expect } from 'chai';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDump } from '../../../src/check/dump-database.js';
import { withSession } from '../../../../../src/postgres/session.js';
import { startGroup } from '../../../../../test/support/service/built-service.js';
import { until } from '../../../../../test/support/until.js';

const DUMP = String.raw`
\restrict abc
CREATE TABLE public.nothing (
);
CREATE FUNCTION public.text() RETURNS text LANGUAGE sql AS $$ select 'a
\b' $$;
COPY public.nothing  FROM stdin;
\.
\unrestrict abc
`;

describe('a dump for dbr check @long', function () {
  this.timeout(60_000);
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'dbr-dumps-'));
    writeFileSync(join(folder, 'app.sql'), DUMP);
  });
  after(() => rmSync(folder, { recursive: true }));

  it('keeps lines that begin with a backslash, and tables without columns', async () => {
    const { migrate, stop } = await openDump(join(folder, 'app.sql'));
    try {
      const rows = await withSession(migrate, (session) =>
        session.query(`select public.text(), (select count(*)::integer from public.nothing) as nothing`),
      );
      expect(rows).to.deep.equal([{ text: 'a\n\\b', nothing: 0 }]);
    } finally {
      await stop();
    }
  });

  it('leaves nothing when the command is interrupted while its server starts', async () => {
    const { child, finished } = startGroup(['check', '--dump', join(folder, 'app.sql')], { TMPDIR: folder });
    await until(() => readdirSync(folder).length > 1);
    child.kill('SIGINT');
    expect(await finished).to.deep.equal({ code: 130, stdout: '', stderr: '' });
    expect(readdirSync(folder)).to.deep.equal(['app.sql']);
  });
});
