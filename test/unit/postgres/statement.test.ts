import { expect } from 'chai';
import { sql } from '../../../src/postgres/sql.js';
import {
  closeMessage,
  parseMessage,
  prepare,
  statementBytes,
  UNNAMED_BIND_HEAD,
} from '../../../src/postgres/statement.js';

describe('the names of prepared statements', () => {
  it('are those of this process alone: another one never executes its statement under one of them', async () => {
    // The module as another process loads it, with a count of its own.
    const copy = '../../../src/postgres/statement.js?of-another-process';
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
  it('has messages in the form of the protocol', () => {
    const text = 'select $1, $2, $3, 4';
    const statement = prepare(sql`select $1, $2, $3, 4`, [25, 0, 4_294_967_295]);
    expect(parseMessage(statement, 'é').toString('hex')).to.equal(
      [
        '50',
        '0000002a',
        `${Buffer.from('é').toString('hex')}00`,
        `${Buffer.from(text).toString('hex')}00`,
        '0003',
        '00000019',
        '00000000',
        'ffffffff',
      ].join(''),
    );
    expect(parseMessage(prepare(sql`select 1`), '').toString('hex')).to.equal(
      '50000000100073656c65637420310000' + '00',
    );
    expect(closeMessage('ab').toString('hex')).to.equal('4300000008' + '53616200');
    expect(statement.bindHead).to.equal(`\0${statement.name}\0\0\0`);
    expect(UNNAMED_BIND_HEAD).to.equal('\0\0\0\0');
  });

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
