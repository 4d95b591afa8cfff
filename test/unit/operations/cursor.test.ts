import { expect } from 'chai';
import { DbrError } from '../../../src/errors/dbr-error.js';
import { decodeCursor, pageOf } from '../../../src/operations/cursor.js';

const FORMS = [/^[ab]$/, /^\d$/];
const pair = (row: string): readonly string[] => [row, '1'];
const text = (content: string): string => Buffer.from(content).toString('base64url');

describe('a page', () => {
  it('has the cursor of its last item if there are more', () => {
    const { items, hasMore, nextCursor } = pageOf(['b', 'a', 'c'], 2, pair);
    expect(items).to.deep.equal(['b', 'a']);
    expect(hasMore).to.equal(true);
    expect(decodeCursor(nextCursor ?? '', FORMS)).to.deep.equal(['a', '1']);
  });

  it('has no cursor if it is the last one', () => {
    expect(pageOf(['b', 'a'], 2, pair)).to.deep.equal({
      items: ['b', 'a'],
      hasMore: false,
      nextCursor: null,
    });
    expect(pageOf([], 2, pair).nextCursor).to.equal(null);
  });
});

describe('a cursor', () => {
  for (const odd of ['', '####', text('a'), text('a\0b'), text('a\x001\x001'), text('{}')])
    it(`is refused if it is ${JSON.stringify(odd)}`, () => {
      try {
        decodeCursor(odd, FORMS);
      } catch (error) {
        if (!(error instanceof DbrError)) throw error;
        expect(error.name).to.equal('InvalidParameter');
        return;
      }
      expect.fail('it was accepted');
    });
});
