import { expect } from 'chai';
import { inspect } from 'node:util';
import { createLogger } from '../../../src/observability/log.js';
import { secret } from '../../../src/signing/types.js';
import { Writable } from 'node:stream';

describe('a secret', () => {
  const wrapped = secret('the value');

  it('returns its value only through reveal', () => {
    expect(wrapped.reveal()).to.equal('the value');
  });

  it('does not appear in any printed or serialized form', () => {
    const printed = [
      String(wrapped),
      JSON.stringify({ wrapped }),
      inspect(wrapped),
      inspect({ wrapped }),
      `${wrapped.toString()}`,
    ];
    for (const text of printed) expect(text).to.include('[redacted]').and.not.include('the value');
    expect(JSON.stringify(Object.entries(wrapped))).not.to.include('the value');
  });

  it('does not reach the log', () => {
    const lines: string[] = [];
    const destination = new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(chunk.toString('utf8'));
        done();
      },
    });
    createLogger({ level: 'debug', format: 'json', destination }).info(
      { share: { ciphertext: wrapped } },
      'text',
    );
    expect(lines.join('')).not.to.include('the value');
  });
});
