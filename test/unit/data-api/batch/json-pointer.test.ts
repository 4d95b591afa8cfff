import { expect } from 'chai';
import { runAtOnce } from '../../../../src/base/turns.js';
import { jsonNode, type JsonNode, valueAt } from '../../../../src/data-api/batch/json-pointer.js';

const textAt = (root: JsonNode, pointer: readonly string[]): string | null =>
  runAtOnce(valueAt(root, pointer))?.toString() ?? null;

describe('values by JSON pointers', () => {
  it('scan an element once, however many pointers lead through it', () => {
    const root = jsonNode(Buffer.from('[{"a":1,"b":[2,{"c":"3"}]}]'));
    expect(textAt(root, ['0', 'a'])).to.equal('1');
    const { children } = root;
    if (children?.kind !== 'array') throw new Error('no array');
    const first = children.elements.get(0)?.children;
    expect(first).to.have.property('kind', 'object');
    expect(textAt(root, ['0', 'b', '1', 'c'])).to.equal('"3"');
    expect(children.elements.get(0)?.children).to.equal(first);
    expect(children.elements.size).to.equal(1);
    expect([textAt(root, ['1']), textAt(root, ['0', 'b', '2']), textAt(root, ['0', 'd'])]).to.deep.equal([
      null,
      null,
      null,
    ]);
  });

  it('are without the blanks around them', () => {
    expect(textAt(jsonNode(Buffer.from(' 5 \n')), [])).to.equal('5');
    expect(textAt(jsonNode(Buffer.from('\n{ "a" : [ 1 , 2.50 ] }\n')), ['a', '1'])).to.equal('2.50');
    expect(textAt(jsonNode(Buffer.from(' \n')), [])).to.equal(null);
  });

  it('are those of the last member with their name', () => {
    expect(textAt(jsonNode(Buffer.from('{"a":1,"\\u0061":2}')), ['a'])).to.equal('2');
  });
});
