import { expect } from 'chai';
import { lintAcceptanceOf, withoutAcceptances } from '../../../src/base/lint-acceptance.js';

describe('lines of comments that accept findings', () => {
  it('name a rule and give a reason', () => {
    expect(lintAcceptanceOf('  lint-accepted:  secret-column   a hash, not a key \r')).to.deep.equal({
      rule: 'secret-column',
      reason: 'a hash, not a key',
    });
    expect(lintAcceptanceOf('lint-accepted: secret-column')).to.deep.equal({
      rule: 'secret-column',
      reason: '',
    });
    expect(lintAcceptanceOf('lint-accepted:')).to.deep.equal({ rule: '', reason: '' });
    expect(lintAcceptanceOf('see lint-accepted: secret-column x')).to.equal(null);
  });

  it('are no part of a description', () => {
    expect(withoutAcceptances(null)).to.equal(null);
    expect(withoutAcceptances(' Notes. ')).to.equal(' Notes. ');
    expect(withoutAcceptances('Notes.\nlint-accepted: a b\nOf users.\n')).to.equal('Notes.\nOf users.');
    expect(withoutAcceptances('lint-accepted: a b\r\n')).to.equal(null);
    expect(withoutAcceptances('Notes on lint-accepted: a')).to.equal('Notes on lint-accepted: a');
    expect(withoutAcceptances('lint-accepted: a b\nlint-accepted: c d', ({ rule }) => rule === 'a')).to.equal(
      'lint-accepted: c d',
    );
  });
});
