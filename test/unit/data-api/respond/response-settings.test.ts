import { expect } from 'chai';
import {
  joined,
  overridden,
  readResponseHeaders,
  readResponseStatus,
  withPosition,
} from '../../../../src/data-api/respond/reply-headers.js';

describe('response.headers', () => {
  it('is a list of headers, which may repeat', () => {
    expect(
      readResponseHeaders('[{"Set-Cookie":"a=1"},{"Set-Cookie":"b=2"},{"X-Ü":"1"}]'.replace('Ü', 'U')),
    ).to.deep.equal([
      ['Set-Cookie', 'a=1'],
      ['Set-Cookie', 'b=2'],
      ['X-U', '1'],
    ]);
    expect(readResponseHeaders(null)).to.deep.equal([]);
    expect(readResponseHeaders('[]')).to.deep.equal([]);
  });

  it('has at most 32,768 characters', () => {
    const text = (length: number): string => `[{"X":"${'x'.repeat(length - 10)}"}]`;
    expect(text(32_768)).to.have.length(32_768);
    expect(readResponseHeaders(text(32_768))).to.have.length(1);
    expect(() => readResponseHeaders(text(32_769)))
      .to.throw()
      .with.property('code', 'DBR111');
  });

  it('sends text beyond ASCII as UTF-8', () => {
    const [[, value] = ['', '']] = readResponseHeaders('[{"X-Name":"é€"}]');
    expect(Buffer.from(value, 'latin1').toString('utf8')).to.equal('é€');
  });

  const BROKEN = [
    'x',
    '{}',
    '"a"',
    '[1]',
    '[null]',
    '[[]]',
    '[["a"]]',
    '["a"]',
    '[{}]',
    '[{"a":"1","b":"2"}]',
    '[{"a":1}]',
    '[{"a":null}]',
    '[{"a b":"1"}]',
    '[{"":"1"}]',
    '[{"a":"b\\r\\nc: d"}]',
    '[{"a":"b\\nc"}]',
    '[{"a":"b\\u0000"}]',
    '[{"Content-Length":"5"}]',
    '[{"transfer-encoding":"chunked"}]',
    '[{"Connection":"close"}]',
    `[{"a":"${'x'.repeat(40_000)}"}]`,
  ];
  for (const text of BROKEN) {
    it(`is refused as ${text.slice(0, 40)}`, () => {
      expect(() => readResponseHeaders(text))
        .to.throw()
        .with.property('code', 'DBR111');
    });
  }

  it('replaces headers of dbr with the same name', () => {
    const ours = [
      ['Content-Type', 'a'],
      ['Content-Range', '0-1/*'],
    ] as const;
    expect(overridden(ours, [['content-type', 'b']])).to.deep.equal([
      ['Content-Range', '0-1/*'],
      ['content-type', 'b'],
    ]);
    expect(overridden(ours, [])).to.equal(ours);
  });
});

describe('the position of the log', () => {
  it('is a header of the reply to a write, if there are replicas', () => {
    const reply = { status: 200, headers: [['A', 'b']], body: null } as const;
    expect(withPosition(reply, null)).to.equal(reply);
    expect(withPosition(reply, '0/1').headers).to.deep.equal([
      ['A', 'b'],
      ['Dbr-Position', '0/1'],
    ]);
  });
});

describe('the pieces of a body', () => {
  it('are joined, and a single one is not copied', () => {
    const one = Buffer.from('a');
    expect(joined([one])).to.equal(one);
    expect(joined([one, Buffer.from('b')]).toString()).to.equal('ab');
    expect(joined([])).to.have.length(0);
  });
});

describe('response.status', () => {
  it('is a final status', () => {
    expect(readResponseStatus(null)).to.equal(null);
    for (const status of [200, 202, 599, 600, 999])
      expect(readResponseStatus(String(status))).to.equal(status);
    expect(() => readResponseStatus('199')).to.throw();
    for (const text of ['x', '', '99', '100', '1000', '20.0', ' 200', '-200', '0x200', '200 OK'])
      expect(() => readResponseStatus(text), text)
        .to.throw()
        .with.property('code', 'DBR112');
  });
});
