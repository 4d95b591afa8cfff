import { expect } from 'chai';
import { parseUuid, uuidV7 } from '../../../src/base/identifiers.js';

const ID = '0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000';

describe('UUIDs', () => {
  it('are made in the order of time', () => {
    const [early, late] = [uuidV7(1000), uuidV7(2000)];
    expect(early < late).to.equal(true);
    expect(early).to.match(/^00000000-03e8-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('are read in either case and returned in lower case', () => {
    expect(parseUuid(ID)).to.equal(ID);
    expect(parseUuid(ID.toUpperCase())).to.equal(ID);
  });

  it('are accepted in one format only', () => {
    for (const text of ['', 'x', ID.replaceAll('-', ''), `{${ID}}`, ` ${ID}`, `${ID} `, `${ID}\n`])
      expect(parseUuid(text), JSON.stringify(text)).to.equal(null);
  });
});
