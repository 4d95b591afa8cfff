import { expect } from 'chai';
import { type Group, type GroupOptions, type GroupAnswer, openGroup } from '../../../src/live/group.js';
import { readSeen } from '../../../src/live/visibility.js';
import { until } from '../../support/until.js';

/** A database whose answers the test decides. */
function questions() {
  const waiting: { resolve(answer: GroupAnswer): void; reject(error: Error): void }[] = [];
  return {
    read: () => new Promise<GroupAnswer>((resolve, reject) => waiting.push({ resolve, reject })),
    /** Resolves with the next question. */
    async next() {
      await until(() => waiting.length > 0);
      const question = waiting.shift();
      if (question === undefined) throw new Error('no question');
      return question;
    },
    get open() {
      return waiting.length;
    },
  };
}

const answer = (rows: readonly object[], seen = '100:100:', total: bigint | null = null): GroupAnswer => ({
  body: Buffer.from(JSON.stringify(rows)),
  total,
  seen: readSeen(seen),
});

const optionsOf = (read: GroupOptions['read'], more: Partial<GroupOptions> = {}): GroupOptions => ({
  mark: 'mark',
  read,
  retries: () => false,
  endOf: (error) => ({ reason: 'error', error: JSON.stringify({ message: String(error) }) }),
  keyNames: ['id'],
  pauseMs: 0,
  intervalMs: null,
  maxBytes: 10_000,
  unseen: () => [],
  onTaken: () => undefined,
  onAnswer: () => undefined,
  ...more,
});

/** Opens a group whose first answer is given. */
async function opened(more: Partial<GroupOptions> = {}, first = answer([{ id: 1 }])) {
  const asked = questions();
  const group = openGroup(optionsOf(asked.read, more));
  (await asked.next()).resolve(first);
  await group.opened;
  return { asked, group };
}

/** The events of a text, without their ids. */
const eventsOf = (text: string): readonly string[] =>
  text
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => event.replace(/^id: .*\n/, '').replaceAll('\n', ' '));

const idOf = (group: Group): string => /^id: (.*)$/m.exec(group.since(null).text)?.[1] ?? '';

describe('a group of live reads', () => {
  it('asks again after a change and keeps the difference', async () => {
    const { asked, group } = await opened();
    const before = group.version;
    group.wake([7]);
    (await asked.next()).resolve(answer([{ id: 1 }, { id: 2 }]));
    await until(() => group.version > before);
    expect(eventsOf(group.since(before).text)).to.deep.equal([
      'event: change data: {"key":["id"],"upsert":[{"id":2}],"delete":[]}',
    ]);
    expect(eventsOf(group.since(null).text)).to.deep.equal(['event: snapshot data: [{"id":1},{"id":2}]']);
    expect(group.since(group.version)).to.deep.equal({ text: '', version: group.version });
    group.end({ reason: 'service stops', error: null });
  });

  it('asks until the answer contains the transaction of the change', async () => {
    const { asked, group } = await opened();
    group.wake([7]);
    (await asked.next()).resolve(answer([{ id: 1 }], '7:7:'));
    (await asked.next()).resolve(answer([{ id: 1 }], '6:9:7'));
    (await asked.next()).resolve(answer([{ id: 1 }, { id: 2 }], '8:8:'));
    await until(() => group.version === 2);
    expect(asked.open).to.equal(0);
    group.end({ reason: 'service stops', error: null });
  });

  it('does not wait for the pause of changes where the change is not visible yet', async () => {
    const asked = questions();
    const group = openGroup(optionsOf(asked.read, { pauseMs: 60_000, unseen: () => [7] }));
    (await asked.next()).resolve(answer([], '7:7:'));
    (await asked.next()).resolve(answer([{ id: 1 }], '8:8:'));
    await until(() => group.version === 2);
    group.end({ reason: 'service stops', error: null });
  });

  it('asks again if the first answer may lack a transaction of before', async () => {
    const asked = questions();
    const group = openGroup(optionsOf(asked.read, { unseen: () => [7] }));
    (await asked.next()).resolve(answer([], '7:7:'));
    await group.opened;
    (await asked.next()).resolve(answer([{ id: 1 }], '8:8:'));
    await until(() => group.version === 2);
    group.end({ reason: 'service stops', error: null });
  });

  it('asks until no transaction is unseen after more than it awaits one by one', async () => {
    let unseen: readonly number[] = [];
    const { asked, group } = await opened({ unseen: () => unseen });
    unseen = Array.from({ length: 100 }, (_, index) => 1000 + index);
    group.wake(unseen);
    (await asked.next()).resolve(answer([{ id: 1 }], '1000:1000:'));
    const second = await asked.next();
    unseen = [1099];
    second.resolve(answer([{ id: 1 }], '1099:1099:'));
    const third = await asked.next();
    unseen = [];
    third.resolve(answer([{ id: 2 }], '1100:1100:'));
    await until(() => group.version === 2);
    expect(asked.open).to.equal(0);
    group.end({ reason: 'service stops', error: null });
  });

  it('sends answers of more than 5,000 rows whole', async () => {
    const rows = Array.from({ length: 5001 }, (_, index) => ({ id: index }));
    const taken: (number | null)[] = [];
    const { asked, group } = await opened({
      maxBytes: 1_000_000,
      onAnswer: (answered) => taken.push(answered?.keys.length ?? null),
    });
    for (const body of [rows, rows.slice(1)]) {
      const { version } = group;
      group.wake([7]);
      (await asked.next()).resolve(answer(body));
      await until(() => group.version > version);
    }
    expect(eventsOf(group.since(1).text)).to.deep.equal([
      `event: snapshot data: ${JSON.stringify(rows.slice(1))}`,
    ]);
    expect(taken).to.deep.equal([1, null, 5000]);
    group.end({ reason: 'service stops', error: null });
  });

  it('asks once more for changes that come while it asks', async () => {
    const { asked, group } = await opened();
    group.wake([7]);
    const question = await asked.next();
    group.wake([8]);
    group.wake([9]);
    question.resolve(answer([{ id: 2 }]));
    (await asked.next()).resolve(answer([{ id: 3 }]));
    await until(() => group.version === 3);
    expect(asked.open).to.equal(0);
    group.end({ reason: 'service stops', error: null });
  });

  it('sends nothing for an answer that is the same', async () => {
    const { asked, group } = await opened();
    let notified = 0;
    group.watch(() => (notified += 1));
    group.wake([7]);
    (await asked.next()).resolve(answer([{ id: 1 }]));
    group.wake([8]);
    (await asked.next()).resolve(answer([{ id: 2 }]));
    await until(() => group.version === 2);
    expect(notified).to.equal(1);
    group.end({ reason: 'service stops', error: null });
  });

  it('has the total beside the rows', async () => {
    const { asked, group } = await opened({}, answer([{ id: 1 }], '100:100:', 5n));
    expect(eventsOf(group.since(null).text)).to.deep.equal([
      'event: snapshot data: [{"id":1}]',
      'event: change data: {"total":5}',
    ]);
    group.wake([7]);
    (await asked.next()).resolve(answer([{ id: 1 }], '100:100:', 6n));
    await until(() => group.version === 2);
    expect(eventsOf(group.since(1).text)).to.deep.equal([
      'event: change data: {"key":["id"],"upsert":[],"delete":[],"total":6}',
    ]);
    group.end({ reason: 'service stops', error: null });
  });

  it('gives the latest answer to a stream that is behind all differences, and to one of another group', async () => {
    const { asked, group } = await opened({ maxBytes: 100_000 });
    const [first, firstId] = [group.version, idOf(group)];
    for (let id = 2; id < 5; id += 1) {
      group.wake([id]);
      (await asked.next()).resolve(answer([{ id, text: 'x'.repeat(30_000) }]));
      await until(() => group.version === id);
    }
    expect(group.versionOf(firstId)).to.equal(first);
    expect(group.since(first).text.startsWith(`id: ${idOf(group)}\nevent: snapshot\n`)).to.equal(true);
    expect(group.since(3).text.includes('event: change\n')).to.equal(true);
    expect(group.versionOf('another.3')).to.equal(null);
    expect(group.since(99).text.includes('event: snapshot\n')).to.equal(true);
    group.end({ reason: 'service stops', error: null });
  });

  it('sends whole bodies where rows have no keys', async () => {
    const { asked, group } = await opened({ keyNames: null });
    group.wake([7]);
    (await asked.next()).resolve(answer([{ id: 2 }]));
    await until(() => group.version === 2);
    expect(eventsOf(group.since(1).text)).to.deep.equal(['event: snapshot data: [{"id":2}]']);
    group.end({ reason: 'service stops', error: null });
  });

  it('ends with a body that is too long, and with an error that does not pass', async () => {
    const long = await opened({ maxBytes: 20 });
    long.group.wake([7]);
    (await long.asked.next()).resolve(answer([{ id: 1, text: 'x'.repeat(20) }]));
    await until(() => long.group.ended !== null);
    expect(long.group.ended).to.deep.equal({ reason: 'too large', error: null });
    const failed = await opened();
    failed.group.wake([7]);
    (await failed.asked.next()).reject(new Error('raised'));
    await until(() => failed.group.ended !== null);
    expect(failed.group.ended).to.deep.equal({ reason: 'error', error: '{"message":"Error: raised"}' });
  });

  it('asks again after an error that may pass', async () => {
    const { asked, group } = await opened({ retries: () => true });
    group.wake([7]);
    (await asked.next()).reject(new Error('away'));
    (await asked.next()).resolve(answer([{ id: 2 }]));
    await until(() => group.version === 2);
    group.end({ reason: 'service stops', error: null });
  });

  it('does not open if its first read fails', async () => {
    const asked = questions();
    const group = openGroup(optionsOf(asked.read, { retries: () => true }));
    (await asked.next()).reject(new Error('refused'));
    const outcome = await group.opened.then(
      () => 'opened',
      (error: unknown) => String(error),
    );
    expect(outcome).to.equal('Error: refused');
    expect(group.ended).to.deep.equal({ reason: 'error', error: '{"message":"Error: refused"}' });
  });

  it('asks at intervals where the log does not show all changes', async () => {
    const { asked, group } = await opened({ intervalMs: 1 });
    (await asked.next()).resolve(answer([{ id: 1 }]));
    (await asked.next()).resolve(answer([{ id: 2 }]));
    await until(() => group.version === 2);
    group.end({ reason: 'service stops', error: null });
  });
});
