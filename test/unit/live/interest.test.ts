import { expect } from 'chai';
import fc from 'fast-check';
import { createInterests, type Interests, rowKey } from '../../../src/live/interest.js';
import type { LoggedChange, LoggedRelation } from '../../../src/live/pgoutput.js';

const RELATION: LoggedRelation = {
  oid: 7,
  columns: ['id', 'list', 'text'],
};

const change = (
  kind: LoggedChange['kind'],
  before: LoggedChange['before'],
  after: LoggedChange['after'],
) => ({
  kind,
  relation: 7,
  before,
  after,
});

function threeLists() {
  const interests = createInterests<string>();
  interests.describe(RELATION);
  for (const list of ['1', '2'])
    interests.add(`list ${list}`, [{ relation: 7, demand: { column: 'list', values: [list] }, key: ['id'] }]);
  interests.add('counted', [{ relation: 7, demand: { column: 'list', values: ['2'] }, key: null }]);
  interests.setKeys('list 1', 7, new Set([rowKey(['10'])]));
  interests.setKeys('list 2', 7, new Set([rowKey(['20'])]));
  return interests;
}

/** The groups that a transaction of these changes concerns. */
function concernedBy<Group>(interests: Interests<Group>, ...changes: LoggedChange[]): readonly Group[] {
  for (const each of changes) interests.note(each);
  return [...interests.endTransaction()].sort();
}

describe('groups that a change concerns', () => {
  it('demand a value that the new row has', () => {
    const interests = threeLists();
    expect(concernedBy(interests, change('insert', null, ['11', '1', undefined]))).to.deep.equal(['list 1']);
    expect(concernedBy(interests, change('insert', null, ['11', '3', undefined]))).to.deep.equal([]);
    expect(concernedBy(interests, change('insert', null, ['11', null, undefined]))).to.deep.equal([]);
  });

  it('have the key of the row that goes, or cannot know', () => {
    const interests = threeLists();
    expect(concernedBy(interests, change('update', null, ['10', '2', undefined]))).to.deep.equal([
      'counted',
      'list 1',
      'list 2',
    ]);
    expect(concernedBy(interests, change('delete', ['20', null, null], null))).to.deep.equal([
      'counted',
      'list 2',
    ]);
    expect(concernedBy(interests, change('update', ['10', null, null], ['12', '3', null]))).to.deep.equal([
      'counted',
      'list 1',
    ]);
  });

  it('are all where a value is not repeated, or the log lacks the key', () => {
    const interests = threeLists();
    expect(concernedBy(interests, change('update', null, ['99', undefined, undefined]))).to.deep.equal([
      'counted',
      'list 1',
      'list 2',
    ]);
    interests.describe({ ...RELATION, columns: ['other'] });
    expect(concernedBy(interests, change('delete', ['1'], null))).to.deep.equal([
      'counted',
      'list 1',
      'list 2',
    ]);
  });

  it('are those that read at the moment, whose keys are not known', () => {
    const interests = threeLists();
    interests.setReading('list 1', true);
    expect(concernedBy(interests, change('delete', ['99', null, null], null))).to.deep.equal([
      'counted',
      'list 1',
    ]);
    interests.setReading('list 1', false);
    expect(concernedBy(interests, change('delete', ['99', null, null], null))).to.deep.equal(['counted']);
  });

  it('are those of too many rows, whose keys are not known, also from the middle of a transaction on', () => {
    const interests = threeLists();
    const unrelated = change('delete', ['99', null, null], null);
    interests.note(unrelated);
    interests.setKeys('list 1', 7, null);
    expect(concernedBy(interests, unrelated)).to.deep.equal(['counted', 'list 1']);
    expect(concernedBy(interests, unrelated, unrelated)).to.deep.equal(['counted', 'list 1']);
    interests.setKeys('list 1', 7, new Set([rowKey(['10'])]));
    expect(concernedBy(interests, unrelated)).to.deep.equal(['counted']);
  });

  it('are all that read an emptied relation, and none that is removed meanwhile', () => {
    const interests = threeLists();
    interests.noteTruncate(7);
    interests.remove('list 2');
    expect([...interests.endTransaction()].sort()).to.deep.equal(['counted', 'list 1']);
    expect([...interests.endTransaction()]).to.deep.equal([]);
  });

  it('ask for the columns that decide, and are gone when they are removed', () => {
    const interests = threeLists();
    expect(interests.wanted(7)).to.deep.equal([true, true, false]);
    expect(interests.wanted(8)).to.equal(null);
    for (const group of ['list 1', 'list 2', 'counted']) interests.remove(group);
    expect(interests.wanted(7)).to.equal(null);
    expect([...interests.all()]).to.deep.equal([]);
  });

  it('contain each group whose rows with a demand change (property)', () => {
    const row = fc.record({ id: fc.integer({ min: 0, max: 5 }), list: fc.integer({ min: 0, max: 3 }) });
    const step = fc.oneof(
      fc.record({ kind: fc.constant('put' as const), row }),
      fc.record({ kind: fc.constant('delete' as const), row }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const interests = createInterests<number>();
        interests.describe(RELATION);
        const lists = [0, 1, 2, 3];
        for (const list of lists)
          interests.add(list, [
            { relation: 7, demand: { column: 'list', values: [String(list)] }, key: ['id'] },
          ]);
        const table = new Map<number, number>();
        const answer = (list: number): string =>
          JSON.stringify([...table].filter(([, each]) => each === list).sort());
        for (const {
          kind,
          row: { id, list },
        } of steps) {
          const before = lists.map(answer);
          const had = table.has(id);
          if (kind === 'put') table.set(id, list);
          else if (!table.delete(id)) continue;
          const after = kind === 'put' ? [String(id), String(list), undefined] : null;
          const logged =
            kind === 'delete'
              ? change('delete', [String(id), null, null], null)
              : change(had ? 'update' : 'insert', null, after);
          const concerned = new Set(concernedBy(interests, logged));
          for (const each of lists) {
            if (answer(each) !== before[each]) expect(concerned.has(each)).to.equal(true);
            if (!concerned.has(each)) continue;
            const keys = [...table]
              .filter(([, other]) => other === each)
              .map(([key]) => rowKey([String(key)]));
            interests.setKeys(each, 7, new Set(keys));
          }
        }
      }),
    );
  });
});
