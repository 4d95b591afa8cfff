import { expect } from 'chai';
import { createClosers } from '../../../src/composition/closers.js';

describe('closers', () => {
  it('close every part in the opposite order, although one fails, and throw the first error', async () => {
    const closed: string[] = [];
    const closers = createClosers();
    const close = (name: string) => () => {
      closed.push(name);
      return Promise.resolve();
    };
    const fail = (name: string) => () => {
      closed.push(name);
      return Promise.reject(new Error(name));
    };
    closers.add(close('database'));
    closers.add(fail('background work'));
    closers.add(fail('port'));
    const error: unknown = await closers.closeAll().catch((reason: unknown) => reason);
    expect(error).to.be.an('error').with.property('message', 'port');
    expect(closed).to.deep.equal(['port', 'background work', 'database']);
    await closers.closeAll();
    expect(closed).to.have.length(3);
  });
});
