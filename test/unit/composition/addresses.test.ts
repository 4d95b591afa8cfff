import { expect } from 'chai';
import { embeddedDefaults } from '../../../src/composition/addresses.js';

describe('the settings of the embedded PostgreSQL', () => {
  const environment = process.env['NODE_ENV'];
  afterEach(() => {
    if (environment === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = environment;
  });

  it('let one try agents on the sample data, except in production', async () => {
    delete process.env['NODE_ENV'];
    expect(await embeddedDefaults(true)).to.include({ 'mcp-enabled': true, 'db-live': true });
    process.env['NODE_ENV'] = 'production';
    expect(await embeddedDefaults(true)).to.not.have.any.keys('mcp-enabled', 'db-live');
    expect(await embeddedDefaults(false)).to.deep.equal({});
  });
});
