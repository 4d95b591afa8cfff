import { expect } from 'chai';
import { DATA_API_SETTINGS, recordedPipeline } from '../../support/data-api/pipeline.js';

describe('a snapshot', () => {
  it('has the search path by the schema of the request: that schema, then the extra ones, quoted', () => {
    const { use, snapshot } = recordedPipeline();
    use({ ...DATA_API_SETTINGS, 'db-schemas': ['api', 'a"b'], 'db-extra-search-path': ['x, y'] });
    expect([...snapshot().searchPaths]).to.deep.equal([
      ['api', '"api", "x, y"'],
      ['a"b', '"a""b", "x, y"'],
    ]);
  });

  it('leaves no plan to the next one, also of a request that began before the change', async () => {
    const { send, use, snapshot } = recordedPipeline();
    const line = 'POST /films?select=id.count()';
    const headers = { 'content-type': 'application/json', prefer: 'return=representation' };
    // A long body is read in a later turn.
    const began = send(line, { headers, body: `[${'{"id":1},'.repeat(100_000)}{"id":1}]` });
    use({ ...DATA_API_SETTINGS, 'db-aggregates-enabled': false });
    snapshot();
    expect((await began).status).to.equal(201);
    const error: unknown = await send(line, { headers, body: '[{"id":1}]' }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).to.have.property('code', 'DBR123');
  });
});
