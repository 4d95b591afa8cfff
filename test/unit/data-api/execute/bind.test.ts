import { expect } from 'chai';
import { bindParameters } from '../../../../src/data-api/execute/transaction.js';
import type { Payload } from '../../../../src/data-api/request/api-request.js';

/** The text that a list of values is bound as. */
const boundList = (list: readonly string[]): unknown =>
  bindParameters([{ kind: 'value', index: 0, encoding: 'list' }], {
    values: [list],
    payload: null,
    digests: [],
    unmodifiedBefore: null,
  })[0];

describe('binding', () => {
  it('encodes values in the text format of PostgreSQL', () => {
    const values = ['a*b', ['x', 'y,z', '"q"\\'], '5'];
    expect(
      bindParameters(
        [
          { kind: 'value', index: 0, encoding: 'pattern' },
          { kind: 'value', index: 0, encoding: 'verbatim' },
          { kind: 'value', index: 1, encoding: 'list' },
          { kind: 'values', indexes: [0, 2] },
          { kind: 'constant', text: 'k' },
        ],
        { values, payload: null, digests: [], unmodifiedBefore: null },
      ),
    ).to.deep.equal(['a%b', 'a*b', '{"x","y,z","\\"q\\"\\\\"}', '{"a*b","5"}', 'k']);
  });

  it('quotes every element of an array, so that none is NULL', () => {
    expect(boundList([])).to.equal('{}');
    expect(boundList(['null', '', 'a b', '{x}'])).to.equal('{"null","","a b","{x}"}');
  });

  it('cuts texts at a NUL', () => {
    expect(boundList(['a\0b'])).to.equal('{"a"}');
    const parameters = [{ kind: 'value', index: 0, encoding: 'verbatim' }] as const;
    expect(
      bindParameters(parameters, { values: ['a\0b'], payload: null, digests: [], unmodifiedBefore: null }),
    ).to.deep.equal(['a']);
  });

  it('makes one JSON object of arguments with the last value of each name', () => {
    const members = ['a', '__proto__', 'a'].map((name, index) => ({ name, index }));
    expect(
      bindParameters([{ kind: 'object', members }], {
        values: ['1', '"\n', '2\0x'],
        payload: null,
        digests: [],
        unmodifiedBefore: null,
      }),
    ).to.deep.equal(['{"a":"2","__proto__":"\\"\\n"}']);
    const form: Payload = {
      kind: 'form',
      pairs: [
        ['a', '1'],
        ['b', 'two words'],
        ['a', '3'],
      ],
      keys: ['a', 'b'],
    };
    expect(
      bindParameters([{ kind: 'form object' }], {
        values: [],
        payload: form,
        digests: [],
        unmodifiedBefore: null,
      }),
    ).to.deep.equal(['{"a":"3","b":"two words"}']);
    expect(
      bindParameters([{ kind: 'object', members: [] }], {
        values: [],
        payload: null,
        digests: [],
        unmodifiedBefore: null,
      }),
    ).to.deep.equal(['{}']);
  });

  it('passes a body through unchanged', () => {
    const body = Buffer.from('{"a":1}');
    const payload: Payload = {
      kind: 'json',
      body,
      many: false,
      uniform: true,
      checked: true,
      keys: ['a'],
      nested: false,
      graph: null,
    };
    const [bound, bytes] = bindParameters(
      [
        { kind: 'payload', encoding: 'verbatim' },
        { kind: 'payload', encoding: 'bytes' },
      ],
      { values: [], payload, digests: [], unmodifiedBefore: null },
    );
    expect(bound).to.equal(body);
    expect(bytes).to.equal('\\x7b2261223a317d');
  });

  it('uses the last value of a form field, or all of them', () => {
    const payload: Payload = {
      kind: 'form',
      pairs: [
        ['a', '1'],
        ['b', 'x'],
        ['a', '2'],
      ],
      keys: ['a', 'b'],
    };
    const fields = [
      { kind: 'field', name: 'a', many: false },
      { kind: 'field', name: 'a', many: true },
      { kind: 'field', name: 'c', many: false },
    ] as const;
    expect(
      bindParameters(fields, { values: [], payload, digests: [], unmodifiedBefore: null }),
    ).to.deep.equal(['2', '{"1","2"}', null]);
  });

  it('escapes and replaces in long texts as in short ones', () => {
    const times = 40_000;
    const operands = [
      { kind: 'value', index: 0, encoding: 'pattern' },
      { kind: 'value', index: 1, encoding: 'list' },
    ] as const;
    const values = ['*é%'.repeat(times), ['"\\'.repeat(times), 'é,']];
    expect(
      bindParameters(operands, { values, payload: null, digests: [], unmodifiedBefore: null }),
    ).to.deep.equal(['%é%'.repeat(times), `{"${'\\"\\\\'.repeat(times)}","é,"}`]);
  });
});
