import { expect } from 'chai';
import { postgresMailboxLog } from '../../../src/mailbox/postgres-mailbox-log.js';
import { PREPARE_READERS } from '../../../src/mailbox/postgres-mailbox-sql.js';
import { SILENT_FEED } from '../../support/router/silent-feed.js';
import type { Batch, BatchResult } from '../../../src/postgres/batch.js';

const session = (sessionId: string) => ({ tenantId: 't', sessionId, position: 0 });

describe('the log of mailboxes in PostgreSQL', () => {
  it('writes entries while other sessions begin', async () => {
    let close = (): void => undefined;
    const begun = new Promise<BatchResult>((_resolve, reject) => {
      close = () => reject(new Error('closed'));
    });
    const run = ({ queries }: Batch): Promise<BatchResult> => {
      if (queries.some(({ statement }) => statement === PREPARE_READERS)) return begun;
      const row = { columns: ['s1'], body: null, bodyLength: 0 };
      return Promise.resolve([{ rows: [row], commandTag: '' }]);
    };
    const log = postgresMailboxLog({ run }, SILENT_FEED)(() => Promise.resolve());
    const beginning = log.begin(session('s2'));
    const entry = { kind: 'messages', messages: [], deliveredTo: [] } as const;
    const { kind } = await log.append(session('s1'), { entry, payloads: [], receivers: [] }, false);
    expect(kind).to.equal('written');
    close();
    const [{ status }] = await Promise.allSettled([beginning]);
    expect(status).to.equal('rejected');
  });
});
