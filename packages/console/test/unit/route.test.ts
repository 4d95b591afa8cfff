import { expect } from 'chai';
import { addressOf, readRoute, type Route } from '../../page/src/route.js';

describe('the address of a screen', () => {
  it('has the view of a table and the row that is open', () => {
    const route: Route = {
      screen: 'table',
      schema: 'a/b',
      name: 'c?d',
      view: {
        filters: [{ column: 'x', operator: 'eq', value: '&=' }],
        match: 'any',
        order: { column: 'y', descending: true },
        page: 'WzFd',
        limit: 25,
      },
      opened: { kind: 'row', key: ['1', 'two words'] },
    };
    expect(readRoute(addressOf(route))).to.deep.equal(route);
    const empty: Route = { ...route, opened: { kind: 'new' } };
    expect(readRoute(addressOf(empty))).to.deep.equal(empty);
  });

  it('takes nothing that it does not know', () => {
    for (const query of ['limit=0', 'limit=1e9', 'limit=x', 'row=1', 'row=[1]', 'match=none', 'filter=[1]'])
      expect(readRoute(`#/table/a/b?${query}`), query).to.deep.equal(readRoute('#/table/a/b'));
    expect(readRoute('#/nothing')).to.deep.equal({ screen: 'start' });
  });
});
