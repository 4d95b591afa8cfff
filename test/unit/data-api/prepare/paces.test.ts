import { expect } from 'chai';
import { createPaces } from '../../../../src/data-api/prepare/paces.js';

describe('the paces of statements', () => {
  it('are shared by all plans with the same text, role and schema', () => {
    const paces = createPaces();
    const pace = paces.of('anon\0public', 'select 1');
    pace.expectedMs = 400;
    expect(paces.of('anon\0public', 'select 1')).to.equal(pace);
    expect(paces.of('staff\0public', 'select 1')).not.to.equal(pace);
    expect(paces.of('anon\0public', 'select 2')).not.to.equal(pace);
  });
});
