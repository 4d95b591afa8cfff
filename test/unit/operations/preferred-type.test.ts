import { expect } from 'chai';
import { preferredType } from '../../../src/operations/preferred-type.js';

describe('the media type that a client prefers', () => {
  const preferred = (accept: string | undefined): string | null =>
    preferredType(accept, ['application/json', 'text/event-stream']);

  it('is the first one offered if the client states no preference', () => {
    for (const accept of [undefined, '', ' ', '*/*', 'application/json, text/event-stream'])
      expect(preferred(accept)).to.equal('application/json');
  });

  it('is the named one, or the one with the greatest weight', () => {
    expect(preferred('text/event-stream')).to.equal('text/event-stream');
    expect(preferred('text/*')).to.equal('text/event-stream');
    expect(preferred('TEXT/Event-Stream; charset=utf-8, */*;q=0.1')).to.equal('text/event-stream');
    expect(preferred('application/json;q=0.2, text/event-stream;q=0.3')).to.equal('text/event-stream');
    expect(preferred('*/*, application/json;q=0')).to.equal('text/event-stream');
  });

  it('is null if the client accepts none of the offered types', () => {
    for (const accept of ['text/html', 'application/json;q=0', 'application/json;q=x', '*/*;q=0'])
      expect(preferred(accept)).to.equal(null);
  });
});
