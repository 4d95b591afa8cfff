import { expect } from 'chai';
import { jsonNode, valueAt } from '../../../../src/data-api/batch/json-pointer.js';

describe('values by JSON pointers', () => {
  it('scan an element once, however many pointers lead through it', () => {
    const root = jsonNode(Buffer.from('[{"a":1,"b":[2,{"c":"3"}]}]'));
    expect(valueAt(root, ['0', 'a'])?.toString()).to.equal('1');
    const { children } = root;
    if (children?.kind !== 'array') throw new Error('no array');
    const first = children.elements.get(0)?.children;
    expect(first).to.have.property('kind', 'object');
    expect(valueAt(root, ['0', 'b', '1', 'c'])?.toString()).to.equal('"3"');
    expect(children.elements.get(0)?.children).to.equal(first);
    expect(children.elements.size).to.equal(1);
    expect([valueAt(root, ['1']), valueAt(root, ['0', 'b', '2']), valueAt(root, ['0', 'd'])]).to.deep.equal([
      null,
      null,
      null,
    ]);
  });
});
