import { expect } from 'chai';
import { DbrError } from '../../../../src/errors/dbr-error.js';
import { pathText, readGraphBody, type GraphLevel } from '../../../../src/data-api/request/graph-body.js';
import { runAtOnce } from '../../../../src/base/turns.js';

/** Keys that begin with `m_` are arrays, with `o_` objects, on each level. */
const LEVEL: GraphLevel = {
  open: (key) =>
    key.startsWith('m_') || key.startsWith('o_')
      ? { name: key, hint: null, many: key.startsWith('m_'), level: LEVEL }
      : null,
};
const LIMITS = { maxDepth: 3, maxEmbeds: 4, maxKeys: 6 };

function read(text: string, named = false): unknown {
  try {
    return runAtOnce(readGraphBody(Buffer.from(text), LEVEL, { ...LIMITS, named }));
  } catch (error) {
    if (error instanceof DbrError) return error.message;
    throw error;
  }
}

describe('the body of a graph', () => {
  it('has the keys of all levels: columns are sorted, related resources keep their order', () => {
    expect(
      read('[{"b":1,"o_y":{"d":1},"m_x":[{"c":1},{"c":{}}],"a":[]},{"a":1,"b":1,"m_x":null,"o_y":null}]'),
    ).to.deep.equal({
      columns: ['a', 'b'],
      relations: [
        { key: 'o_y', name: 'o_y', hint: null, tree: { columns: ['d'], relations: [] } },
        { key: 'm_x', name: 'm_x', hint: null, tree: { columns: ['c'], relations: [] } },
      ],
    });
  });

  for (const [text, message] of [
    ['{"m_x":{}}', 'The value of m_x is not an array of objects'],
    ['{"m_x":[{},[]]}', 'The value of m_x[1] is not an object'],
    ['[{"o_x":1}]', 'The value of [0].o_x is not an object'],
    ['[{"a":1},{"b":1}]', 'The object [1] has other keys than the objects before it'],
    ['{"m_x":[{"a":1},{}]}', 'The object m_x[1] has other keys than the objects before it'],
    [
      '{"m_x":[{"m_y":[{"m_z":[{"m_a":[]}]}]}]}',
      'The value of m_x[0].m_y[0].m_z[0].m_a is nested deeper than 3 levels',
    ],
    ['{"m_1":[],"m_2":[],"m_3":[],"m_4":[],"m_5":[]}', 'The body has more than 4 related resources'],
    ['{"m_x y":[1]}', 'The value of m_x y[0] is not an object'],
    ['{"m_\\"":[1]}', 'The value of ["m_\\""][0] is not an object'],
  ] as const)
    it(`is refused: ${text}`, () => {
      expect(read(text)).to.equal(message);
    });

  it('has a limited number of keys, unless the query names them', () => {
    const many = '{"a":1,"b":1,"c":1,"m_x":[{"d":1,"e":1,"f":1}]}';
    expect(read(many)).to.match(/keys/);
    expect(read(many, true)).to.be.an('object');
    expect(read('[{"a":1},{"b":1}]', true)).to.be.an('object');
  });

  it('is JSON in UTF-8', () => {
    for (const text of [
      '',
      '1',
      '"x"',
      '{"m_x":[{]}',
      '{"m_x":[{"a":1}',
      '{"a":1}x',
      '{"a"1}',
      '{"m_x":[{}}',
    ])
      expect(read(text), text).to.equal('Empty or invalid json');
    const work = readGraphBody(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), LEVEL, {
      ...LIMITS,
      named: false,
    });
    expect(() => runAtOnce(work)).to.throw('Empty or invalid json');
  });

  it('names paths', () => {
    expect(pathText([])).to.equal('the root');
    expect(pathText([0, 'films', 3, 'roles', 1])).to.equal('[0].films[3].roles[1]');
    expect(pathText(['a.b', 0])).to.equal('["a.b"][0]');
  });
});
