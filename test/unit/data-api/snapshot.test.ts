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
});
