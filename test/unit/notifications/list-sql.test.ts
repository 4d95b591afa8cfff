import { expect } from 'chai';
import { tenantIdOf, userIdOf } from '../../../src/base/identifiers.js';
import { listStatement } from '../../../src/notifications/list-sql.js';
import type { ListQuery } from '../../../src/notifications/types.js';

const READER = { tenantId: tenantIdOf('acme'), userId: userIdOf('ann') };
const QUERY: ListQuery = {
  limit: 20,
  offset: 0,
  below: null,
  status: 'all',
  archived: 'exclude',
  snoozed: 'exclude',
  categories: [],
  types: [],
  severity: null,
  data: null,
};

const listed = (more: Partial<ListQuery> = {}) => {
  const { statement, parameters } = listStatement(READER, { ...QUERY, ...more });
  return { text: statement.text, parameters };
};

/** How often a text has another one. */
const times = (text: string, part: string): number => text.split(part).length - 1;

describe('the statement of the list', () => {
  it('has the reader, and no placeholder that is not bound', () => {
    const { text, parameters } = listed();
    expect(parameters).to.deep.equal(['acme', 'ann']);
    expect(text).not.to.match(/\$[3-9]/);
  });

  it('binds filters, cursor and offset in this order, each where it is used', () => {
    const { text, parameters } = listed({
      categories: ['c', 'c'],
      types: ['t'],
      severity: 'info',
      data: '{}',
      below: '99',
    });
    expect(parameters).to.deep.equal(['acme', 'ann', 'c', 't', 'info', '{}', '99']);
    for (const part of [
      'n.category = $3',
      'n.type = $4',
      'n.severity = $5',
      'dbr_notifications.contains(n.data, $6::jsonb)',
      'n.seq < $7::bigint',
    ])
      expect(text, part).to.contain(part);
    const several = listed({ categories: ['a', '"b,'], types: ['t', 'u', 't'] });
    expect(several.parameters).to.deep.equal(['acme', 'ann', '["a","\\"b,"]', '["t","u"]']);
    expect(several.text)
      .to.contain('n.category = any (array(select pg_catalog.json_array_elements_text($3::json)))')
      .and.contain('n.type = any (array(select pg_catalog.json_array_elements_text($4::json)))');
    expect(listed({ categories: ['x', 'y', 'z'], types: ['t', 'v'] }).text).to.equal(several.text);
    const byOffset = listed({ offset: 40 });
    expect(byOffset.parameters).to.deep.equal(['acme', 'ann', '40']);
    expect(byOffset.text).to.contain('limit 21 offset $3::bigint').and.contain('limit $3::bigint + 21');
  });

  it('reads from each index one row more than the page has, so that hasMore is known', () => {
    const { text } = listed();
    expect(times(text, 'order by n.seq desc\n     limit 21)')).to.equal(3);
    expect(text).to.contain('limit 21 offset 0').and.contain('pg_catalog.count(*) > 20 as is_so');
    expect(text).to.contain("'limit', 20,").and.contain("'offset', 0,");
    expect(text).to.contain('order by page.seq desc limit 20');
  });

  it('reads each place by an index of its own', () => {
    const placesIn = (more: Partial<ListQuery>): readonly number[] => {
      const { text } = listed(more);
      const page = text.slice(0, text.indexOf('as listed'));
      return ['n.archived_at is null', 'n.archived_at is not null', 'n.snoozed_until is not null'].map(
        (part) => times(page, part),
      );
    };
    expect(placesIn({})).to.deep.equal([1, 0, 0]);
    expect(placesIn({ archived: 'only' })).to.deep.equal([0, 1, 0]);
    expect(placesIn({ archived: 'include' })).to.deep.equal([1, 1, 0]);
    expect(placesIn({ snoozed: 'only', archived: 'include' })).to.deep.equal([0, 0, 1]);
    expect(placesIn({ snoozed: 'include' })).to.deep.equal([1, 0, 1]);
    expect(placesIn({ snoozed: 'include', archived: 'include' })).to.deep.equal([1, 1, 1]);
  });

  it('looks at the mark of the notification itself, or at that of the receipt', () => {
    const marksIn = (status: ListQuery['status']): readonly number[] => {
      const { text } = listed({ status });
      const page = text.slice(0, text.indexOf('as listed'));
      return [
        'and n.read_at is null',
        'and r.read_at is null',
        'and n.read_at is not null',
        'and r.read_at is not null',
      ].map((part) => times(page, part));
    };
    expect(marksIn('all')).to.deep.equal([0, 0, 0, 0]);
    expect(marksIn('unread')).to.deep.equal([1, 2, 0, 0]);
    expect(marksIn('read')).to.deep.equal([0, 0, 1, 2]);
  });

  it('looks for data in the newest of each place alone', () => {
    const { text } = listed({ data: '{}' });
    const page = text.slice(0, text.indexOf('as listed'));
    expect(times(page, 'order by n.seq desc limit 10000)')).to.equal(3);
    expect(times(page, 'select n.*')).to.equal(3);
  });

  it('is prepared once for one form', () => {
    expect(listStatement(READER, QUERY).statement).to.equal(
      listStatement({ ...READER, userId: userIdOf('bob') }, QUERY).statement,
    );
    expect(listStatement(READER, QUERY).statement).not.to.equal(
      listStatement(READER, { ...QUERY, limit: 21 }).statement,
    );
  });
});
