import { expect } from 'chai';
import {
  byteSink,
  writeBytes,
  writeJsonString,
  type ByteSink,
} from '../../../../src/data-api/request/csv.js';

const written = ({ bytes, length }: ByteSink): string => bytes.toString('utf8', 0, length);

function jsonOf(text: string, isDoubled = false): string {
  const sink = byteSink(0);
  const bytes = Buffer.from(`<${text}>`);
  writeJsonString(sink, bytes, 1, bytes.length - 1, isDoubled);
  return written(sink);
}

describe('a JSON string', () => {
  for (const [text, json] of [
    ['', '""'],
    ['a', '"a"'],
    [' ~\x7f', '" ~\x7f"'],
    ['é😀', '"é😀"'],
    ['"', '"\\""'],
    ['a\\b', '"a\\\\b"'],
    ['\t\n\r', '"\\t\\n\\r"'],
    ['\x00\x01\x08\x0b\x0c', '"\\u0000\\u0001\\u0008\\u000b\\u000c"'],
    ['\x0e\x0f\x10\x19\x1a\x1f', '"\\u000e\\u000f\\u0010\\u0019\\u001a\\u001f"'],
  ] as const)
    it(`of ${JSON.stringify(text)} is ${JSON.stringify(json)}`, () => {
      expect(jsonOf(text)).to.equal(json);
    });

  it('has each doubled quote once', () => {
    expect(jsonOf('a""b', true)).to.equal('"a\\"b"');
    expect(jsonOf('""""', true)).to.equal('"\\"\\""');
    expect(jsonOf('a""b', false)).to.equal('"a\\"\\"b"');
    expect(jsonOf('\\\\', true)).to.equal('"\\\\\\\\"');
  });
});

describe('a sink of bytes', () => {
  it('has all that was written, whatever its first size', () => {
    for (const expected of [0, 1023, 1024, 1025, 5000])
      for (const length of [1, 7, 1023, 1024, 1025, 4000]) {
        const sink = byteSink(expected);
        const parts = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(length));
        for (const part of parts) writeBytes(sink, Buffer.from(part));
        expect(sink.length).to.equal(4 * length);
        expect(written(sink)).to.equal(parts.join(''));
      }
  });

  it('grows for texts of which each byte is escaped', () => {
    for (const length of [170, 171, 1000]) {
      const sink = byteSink(0);
      const bytes = Buffer.alloc(length, 1);
      for (let count = 0; count < 3; count++) writeJsonString(sink, bytes, 0, length, false);
      expect(written(sink)).to.equal(`"${'\\u0001'.repeat(length)}"`.repeat(3));
    }
  });

  it('takes for a text the bytes of its JSON string, and no more', () => {
    const length = 100_000;
    for (const [byte, each] of [
      [' ', 1],
      ['a', 1],
      ['"', 2],
      ['\\', 2],
      ['\x1f', 6],
    ] as const) {
      const sink = byteSink(0);
      writeJsonString(sink, Buffer.alloc(length, byte), 0, length, false);
      expect([sink.length, sink.bytes.length]).to.deep.equal([2 + each * length, 2 + each * length]);
    }
  });

  it('begins with the expected size, and grows by a half', () => {
    expect(byteSink(0).bytes.length).to.equal(1024);
    expect(byteSink(1025).bytes.length).to.equal(1025);
    const sink = byteSink(1024);
    writeBytes(sink, Buffer.alloc(1024));
    expect(sink.bytes.length).to.equal(1024);
    writeBytes(sink, Buffer.alloc(1));
    expect(sink.bytes.length).to.equal(1536);
    writeBytes(sink, Buffer.alloc(1000));
    expect(sink.bytes.length).to.equal(2304);
    writeBytes(sink, Buffer.alloc(5000));
    expect(sink.bytes.length).to.equal(7025);
  });
});
