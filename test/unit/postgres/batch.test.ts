import { expect } from 'chai';
import { sql } from '../../../src/postgres/sql.js';
import { prepare, statementBytes } from '../../../src/postgres/batch.js';

describe('the names of prepared statements', () => {
  it('are those of this process alone: another one never executes its statement under one of them', async () => {
    // The module as another process loads it, with a count of its own.
    const copy = '../../../src/postgres/batch.js?of-another-process';
    const other = (await import(copy)) as { readonly prepare: typeof prepare };
    const own = Array.from({ length: 50 }, () => prepare(sql`select 1`).name);
    const others = Array.from({ length: 500 }, () => other.prepare(sql`select 2`).name);
    expect(new Set([...own, ...others]).size).to.equal(550);
    // Each name begins with as many characters as the other process's, and they differ.
    const [one = '', another = ''] = [own[0], others[0]];
    expect(one.slice(0, 8)).not.to.equal(another.slice(0, 8));
    expect(own.every((name) => name.startsWith(one.slice(0, 8)))).to.equal(true);
  });
});

describe('a prepared statement', () => {
  it('takes the memory of its members and two bytes a character', () => {
    expect(statementBytes(prepare(sql``))).to.equal(300);
    expect(statementBytes(prepare(sql`select 1`))).to.equal(316);
  });

  for (const [text, begins] of [
    [sql`begin`, true],
    [sql` BEGIN read only`, true],
    [sql`start  transaction isolation level serializable`, true],
    [sql`start`, false],
    [sql`beginning`, false],
    [sql`select 'begin'`, false],
    [sql`commit`, false],
  ] as const)
    it(`${begins ? 'begins' : 'does not begin'} a transaction with ${text}`, () => {
      expect(prepare(text).begins).to.equal(begins);
    });
});
