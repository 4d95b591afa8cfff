/** Relations between batches of writes and the same requests one by one. */
import fc from 'fast-check';
import { SEED, WHOLE, write } from './arbitrary-writes.js';
import type { FuzzClient } from './fuzz-client.js';
import { same, type Relation, type Row } from './relation.js';
import { answerOf, answersOfBatch, batchOf, requestOf, type Answer, type Write } from './write-model.js';

/** Removes the rows of the spaces. */
export const clear = (client: FuzzClient, spaces: readonly number[]) =>
  client.send({ method: 'DELETE', path: `/notes?space=in.(${spaces.join(',')})` });

/** Writes one by one, until one fails. */
async function oneByOne(
  client: FuzzClient,
  writes: readonly Write[],
  space: number,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const each of writes) {
    const answer = answerOf(await client.send(requestOf(each, space)), space);
    answers.push(answer);
    if (Number(answer.status) >= 400) break;
  }
  return answers;
}

const indexOf = (text: string): unknown => (JSON.parse(text) as Row)['index'];

/** All rows of a space. */
export const stateOf = async (client: FuzzClient, space: number): Promise<unknown> =>
  answerOf(await client.send(requestOf(WHOLE, space)), space).body;

/**
 * A batch of writes answers as the writes one by one and leaves the same rows; with `tx=rollback`, or if one fails, it
 * leaves the rows of before.
 */
export const writesInBatch: Relation<readonly Write[]> = {
  arbitrary: fc.array(write, { minLength: 1, maxLength: 5 }),
  async check(writes, client) {
    const [single, together] = [client.space(), client.space()];
    await Promise.all([single, together].map((space) => client.send(requestOf(SEED, space))));
    const before = await stateOf(client, together);
    const answers = await oneByOne(client, writes, single);
    const after = await stateOf(client, single);
    const last = answers.at(-1);
    const failed = last !== undefined && Number(last.status) >= 400 ? last : null;
    const tried = await client.send(batchOf(writes, together, 'tx=rollback'));
    const triedState = await stateOf(client, together);
    const committed = await client.send(batchOf(writes, together, ''));
    const state = await stateOf(client, together);
    await clear(client, [single, together]);
    same(triedState, before, 'the rows after a batch that is rolled back');
    for (const batch of [tried, committed]) {
      if (failed === null) same(answersOfBatch(batch, together), answers, 'the answers');
      else {
        const index = answers.length - 1;
        const { status, body } = answerOf(batch, together);
        same({ status, body }, { status: failed.status, body: failed.body }, 'the error');
        same(indexOf(batch.text), index, 'the index of the error');
      }
    }
    same(state, failed === null ? after : before, 'the rows after a batch');
  },
};
