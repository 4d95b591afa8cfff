import { expect } from 'chai';
import { visibleText } from '../../../src/base/visible-text.js';

describe('text for a terminal', () => {
  it('shows control characters, and those of the direction of writing', () => {
    expect(visibleText('a\u001b[2Jb\u0000\u007f\u009b\r\u202ec')).to.equal(
      String.raw`a\u001b[2Jb\u0000\u007f\u009b\u000d\u202ec`,
    );
    expect(visibleText('lines\n\tand שלום 🙂')).to.equal('lines\n\tand שלום 🙂');
  });

  it('leaves JSON the same value', () => {
    const value = { name: '\u001b\u009b\u202e\n' };
    expect(JSON.parse(visibleText(JSON.stringify(value, null, 2)))).to.deep.equal(value);
  });
});
