import { expect } from 'chai';
import { LOG_LINES } from '../../../src/observability/log-lines.js';
import { sourceTexts } from '../../support/source-files.js';

/** The sources of the service without the consumers of observations. Their type has each kind once. */
const sources = (): string =>
  sourceTexts()
    .filter(([path]) => path === 'src/observability/observation.ts' || !path.startsWith('src/observability/'))
    .map(([, text]) => text)
    .join('\n');

describe('the kinds of observations', () => {
  it('are each observed by a part of the service', () => {
    const text = sources();
    const isObserved = (kind: string): boolean => text.split(`'${kind}'`).length > 2;
    expect(Object.keys(LOG_LINES).filter((kind) => !isObserved(kind))).to.deep.equal([]);
  });
});
