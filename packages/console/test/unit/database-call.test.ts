import { expect } from 'chai';
import type { ApiRequest } from '../../page/src/request.js';
import { databaseCallOf } from '../../page/src/requests/database-call.js';

const COLUMNS = [
  { name: 'id', baseType: 'bigint' },
  { name: 'name', baseType: 'text' },
  { name: 'tags', baseType: 'text[]' },
  { name: 'facts', baseType: 'jsonb' },
];
const call = (request: Partial<ApiRequest>): string | null =>
  databaseCallOf({ method: 'GET', path: '/notes', columns: COLUMNS, ...request });

describe('a request as a call of dbr-client/database', () => {
  it('has conditions with values of their types, orders and limits', () => {
    expect(
      call({
        headers: { 'Accept-Profile': 'shop', Prefer: 'count=exact' },
        query: [
          ['select', 'id,name'],
          ['id', 'in.("1","2")'],
          ['name', "eq.it's"],
          ['tags', 'cs.{"a","b"}'],
          ['facts', 'cs.{"a":1}'],
          ['name', 'not.is.null'],
          ['order', '"a.b".desc.nullslast,id'],
          ['limit', 5],
        ],
      }),
    ).to.equal(`const { data, error, count } = await db.schema('shop').from('notes')
  .select('id,name')
  .where('id', 'in', [1, 2])
  .where('name', 'eq', 'it\\'s')
  .where('tags', 'cs', ['a', 'b'])
  .where('facts', 'cs', {"a":1})
  .not('name', 'is', null)
  .order('a.b', 'desc', 'nullslast')
  .order('id')
  .limit(5)
  .count('exact');`);
  });

  it('has groups', () => {
    expect(call({ query: [['or', '(name.ilike."%a,b%",id.not.is.null,id.gt.3)']] })).to
      .contain(`.or((where) => [
    where('name', 'ilike', '%a,b%'),
    where.not('id', 'is', null),
    where('id', 'gt', 3),
  ])`);
  });

  it('has writes with their conditions', () => {
    const write = { query: [['id', 'eq.7']], headers: { 'If-Match': '"x"' } } as const;
    expect(call({ ...write, method: 'PATCH', body: { name: 'n' } })).to
      .equal(`const { data, error } = await db.from('notes')
  .update({
    "name": "n"
  })
  .where('id', 'eq', 7)
  .ifMatch('"x"');`);
    expect(call({ method: 'DELETE', query: [['id', 'eq.7']] })).to.contain('.delete()');
    const file = { name: 'a.csv', content: new Blob([]) };
    const headers = { 'Content-Type': 'text/csv; dialect=rfc4180' };
    expect(call({ method: 'POST', file, headers })).to.contain('.insertCsv(text)');
  });

  it('is of tables and functions alone', () => {
    expect(call({ path: '/rpc/add', method: 'POST', body: { one: 1 } })).to.contain("db.call('add', {");
    expect(call({ path: '/api/v1/parties', area: true })).to.equal(null);
  });
});
