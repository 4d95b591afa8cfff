import { expect } from 'chai';
import { eventText } from '../../../src/operations/responses.js';

describe('the text of an event', () => {
  it('has its id, its name and its data', () => {
    expect(eventText('7.1', 'unread-count', '{"count":1}')).to.equal(
      'id: 7.1\nevent: unread-count\ndata: {"count":1}\n\n',
    );
  });

  it('cannot be ended by its data', () => {
    expect(eventText('1.1', 'e', '{\n\n"a":\r\n1,\r"b":2}')).to.equal(
      'id: 1.1\nevent: e\ndata: {\ndata: \ndata: "a":\ndata: 1,\ndata: "b":2}\n\n',
    );
  });
});
