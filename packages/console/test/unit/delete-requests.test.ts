import { expect } from 'chai';
import type { RelationDetail } from '../../server/answers.js';
import { deletedRows, deleteRequest } from '../../page/src/row/delete-requests.js';

const relationOf = (primaryKey: readonly string[]): RelationDetail => ({
  ...{ schema: 'web', name: 'notes', kind: 'table', comment: null, rowSecurity: false, columns: [] },
  privileges: { select: true, insert: true, update: true, delete: true },
  ...{ primaryKey, references: [], referencedBy: [], policies: [] },
});
const SCHEMAS = [{ name: 'web' }];

describe('the deletion of several rows', () => {
  it('names them by their keys in one request', () => {
    const one = deleteRequest(relationOf(['id']), [['1'], ['a,"b']], SCHEMAS);
    expect(one).to.deep.include({ method: 'DELETE', query: [['id', 'in.("1","a,\\"b")']] });
    const two = deleteRequest(relationOf(['a', 'b']), [['1', '2']], SCHEMAS);
    expect(two?.query).to.deep.equal([['or', '(and(a.eq."1",b.eq."2"))']]);
    expect(deleteRequest(relationOf(['id']), [], SCHEMAS)).to.equal(null);
  });

  it('is a batch where the keys are too long for a line of a request', () => {
    const keys = Array.from({ length: 400 }, (_, index) => [`${String(index)}-${'x'.repeat(36)}`]);
    const request = deleteRequest(relationOf(['id']), keys, SCHEMAS);
    expect(request?.path).to.equal('/');
    const items = request?.body as readonly { readonly path: string }[];
    expect(items.length).to.be.within(4, 8);
    for (const { path } of items) expect(path.length).to.be.below(8000);
    const counts = [250, 149].map((count) => ({ headers: { 'Content-Range': `*/${String(count)}` } }));
    expect(deletedRows(new Headers(), counts)).to.equal(399);
    expect(deletedRows(new Headers({ 'Content-Range': '*/2' }), undefined)).to.equal(2);
  });
});
