import { expect } from 'chai';
import { partyIdOf, tenantIdOf } from '../../../src/base/identifiers.js';
import { createMailboxGroup, type Append } from '../../../src/mailbox/mailbox-group.js';
import { ACK } from '../../../src/mailbox/postgres-mailbox-sql.js';
import type { Batch, BatchResult } from '../../../src/postgres/batch.js';
import { errorFields, PostgresError } from '../../../src/postgres/postgres-error.js';
import type { PartyIdentity } from '../../../src/signing/router-port.js';

const party = (name: string): PartyIdentity => ({
  tenantId: tenantIdOf('t'),
  partyId: partyIdOf(name),
  role: 'server',
  status: 'active',
  identityPublicKey: Buffer.alloc(32),
  certificateSha256: null,
});
const [B, C] = [party('b'), party('c')];

const append = (sessionId: string, { tenantId = 't', receivers = [B, C] } = {}): Append => ({
  ...{ tenantId, sessionId, position: 1, receivers, payloads: [Buffer.from('payload')] },
  entry: { kind: 'messages', messages: [], deliveredTo: [] },
});

/** Sessions of each statement that writes entries, by batch. */
function recordingPool(answer: (sessions: readonly string[]) => BatchResult[number]) {
  const batches: string[][] = [];
  return {
    batches,
    run(batch: Batch): Promise<BatchResult> {
      const appends = batch.queries.filter(({ returnsRows }) => returnsRows);
      const sessions = appends.map(({ parameters: [text] }) => String(text).slice(1, -1));
      batches.push(sessions);
      try {
        return Promise.resolve(sessions.map((text) => answer(text.split(','))));
      } catch (error) {
        return Promise.reject(error instanceof Error ? error : new Error(String(error)));
      }
    },
  };
}

const written = (sessions: readonly string[], changed: string | null = null): BatchResult[number] => ({
  rows: sessions.map((sessionId) => ({
    columns: [sessionId],
    body: changed === null ? null : [Buffer.from(changed)],
    bodyLength: 0,
  })),
  commandTag: '',
});

describe('the group commit of mailboxes', () => {
  it('writes the entries of a tenant in one statement, one of each session', async () => {
    const pool = recordingPool((sessions) => written(sessions));
    const group = createMailboxGroup(pool);
    const outcomes = await Promise.all([
      group.append(append('s1')),
      group.append(append('s2')),
      group.append(append('s1')),
      group.append(append('s3', { tenantId: 'u' })),
    ]);
    expect(pool.batches).to.deep.equal([['s1,s2', 's3'], ['s1']]);
    const unchanged = new Set();
    expect(outcomes).to.deep.equal([unchanged, unchanged, unchanged, unchanged]);
  });

  it('reports to each call whether its entry was written, and which receivers have changed', async () => {
    const pool = recordingPool((sessions) =>
      written(
        sessions.filter((one) => one !== 's2'),
        '2',
      ),
    );
    const group = createMailboxGroup(pool);
    const outcomes = await Promise.all([
      group.append(append('s1', { receivers: [B] })),
      group.append(append('s2')),
      group.append(append('s3')),
    ]);
    expect(outcomes).to.deep.equal([new Set([C]), null, new Set([C])]);
  });

  it('ends a few calls of a batch in each turn of the event loop, so that their responses leave first', async () => {
    const pool = recordingPool((sessions) => written(sessions));
    const group = createMailboxGroup(pool);
    let turn = 0;
    const countTurns = (): void => {
      turn += 1;
      counting = setImmediate(countTurns);
    };
    let counting = setImmediate(countTurns);
    const turns = await Promise.all(
      ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map((sessionId) =>
        group.append(append(sessionId)).then(() => turn),
      ),
    );
    clearImmediate(counting);
    expect(pool.batches).to.have.length(1);
    const [first = 0] = turns;
    expect(turns.map((one) => one - first)).to.deep.equal([0, 0, 0, 0, 1, 1, 1, 1, 2]);
  });

  it('repeats the calls of a failed statement one by one, so that only the faulty one fails', async () => {
    const pool = recordingPool((sessions) => {
      if (sessions.includes('bad')) throw new PostgresError(errorFields('22P02', 'is no uuid'));
      return written(sessions);
    });
    const group = createMailboxGroup(pool);
    const outcomes = await Promise.allSettled(['s1', 'bad', 's2'].map((id) => group.append(append(id))));
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled']);
    expect(pool.batches).to.deep.equal([['s1,bad,s2'], ['s1'], ['bad'], ['s2']]);
  });

  it('runs statements in the order of tenants, sessions and readers, so that transactions do not deadlock', async () => {
    const pool = recordingPool(() => written([]));
    const group = createMailboxGroup(pool);
    const acks = ['t s2 b', 't s1 c', 'u s1 a', 't s2 a', 't s1 b'];
    await Promise.all(
      acks.map((row) => {
        const [tenantId = '', sessionId = '', partyId = ''] = row.split(' ');
        return group.run([{ tenantId, sessionId, partyId, statement: ACK, parameters: [`{${row}}`] }]);
      }),
    );
    expect(pool.batches).to.deep.equal([['t s1 b', 't s1 c', 't s2 a', 't s2 b', 'u s1 a']]);
  });

  it('takes the calls of tenants in turn when a batch cannot have all of them, those of a tenant in order', async () => {
    const pool = recordingPool((sessions) => written(sessions));
    const group = createMailboxGroup(pool, 4);
    const calls = ['t s1', 't s2', 't s3', 't s4', 't s5', 'u s1', 'u s2', 'v s1'];
    await Promise.all(
      calls.map((call) => {
        const [tenantId = '', sessionId = ''] = call.split(' ');
        return group.append(append(`${tenantId}${sessionId}`, { tenantId }));
      }),
    );
    expect(pool.batches).to.deep.equal([
      ['ts1,ts2', 'us1', 'vs1'],
      ['ts3,ts4,ts5', 'us2'],
    ]);
  });
});
