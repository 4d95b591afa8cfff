import { expect } from 'chai';
import { lint, loadConfig } from '@redocly/openapi-core';
import { join } from 'node:path';
import { runBuf } from '../../../codegen/protobuf.js';
import { root } from '../../support/openapi/published-contract.js';

describe('the sources of the contract', () => {
  it('have an OpenAPI document that lints clean', async () => {
    const config = await loadConfig({ configPath: join(root, 'redocly.yaml') });
    const problems = await lint({ ref: join(root, 'openapi/openapi.yaml'), config });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).to.be
      .empty;
  });

  it('have proto files that lint clean and are formatted', async () => {
    await runBuf(root, ['lint']);
    await runBuf(root, ['format', '--diff', '--exit-code']);
  });
});
