import { expect } from 'chai';
import { untilReady } from '../../../src/service.js';

const never = new Promise<Error>(() => undefined);

describe('the wait of a replacement', () => {
  it('ends when the process is ready', async () => {
    let asked = 0;
    await untilReady({
      readiness: () => Promise.resolve({ ready: ++asked === 3, parts: {} }),
      failed: never,
    });
    expect(asked).to.equal(3);
  });

  it('ends with the failure of the process', async () => {
    const refused = new Error('db-uri: password authentication failed');
    const waiting = untilReady({
      readiness: () => Promise.resolve({ ready: false, parts: {} }),
      failed: Promise.resolve(refused),
    });
    expect(await waiting.catch((error: unknown) => error)).to.equal(refused);
  });
});
