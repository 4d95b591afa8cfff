import { expect } from 'chai';
import { found, groupsOf, screensOf } from '../../page/src/menu/entries.js';

const relation = (schema: string, name: string) => ({
  ...({ schema, name, kind: 'table', comment: null, rowSecurity: false } as const),
});
const GROUPS = groupsOf({
  ...{ role: 'r', authenticated: true, claims: {}, functions: [] },
  schemas: ['erp', 'shop'].map((name) => ({ name, comment: null })),
  relations: [
    ...['item10', 'item2', 'Item1', 'old_item'].map((name) => relation('erp', name)),
    relation('shop', 'item'),
  ],
});
const ENTRIES = GROUPS.flatMap(({ tables }) => tables);
const names = (search: string): readonly string[] => found(ENTRIES, search).map(({ label }) => label);

describe('the menu', () => {
  it('has names in their natural order', () => {
    expect(GROUPS[0]?.tables.map(({ label }) => label)).to.deep.equal([
      ...['Item1', 'item2', 'item10', 'old_item'],
    ]);
  });

  it('finds whole names first, then beginnings, then parts', () => {
    expect(names('item')).to.deep.equal(['item', 'Item1', 'item2', 'item10', 'old_item']);
    expect(names('erp old')).to.deep.equal(['old_item']);
    expect(names('shop.item')).to.deep.equal(['item']);
    expect(names('none')).to.deep.equal([]);
  });

  it('has the screens of areas that are served', () => {
    const labels = (areas: readonly string[], hasProposals: boolean): readonly string[] =>
      screensOf(areas, hasProposals).map(({ label }) => label);
    expect(labels(['signing'], true)).to.deep.equal(['Overview', 'Signing', 'Health']);
    expect(labels(['data-api'], false)).to.deep.equal(['Overview', 'Lint', 'Health']);
    expect(labels(['data-api'], true)).to.deep.equal(['Overview', 'Lint', 'Proposals', 'Health']);
  });
});
