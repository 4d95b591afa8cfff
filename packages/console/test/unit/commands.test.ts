import { expect } from 'chai';
import { openApiFetchOf } from '../../page/src/commands.js';

describe('the call of a typed client', () => {
  it('has the numbers of the request, and repeated parameters as lists', () => {
    const query = [
      ['body', 'like.*a*'],
      ['id', 'gt.1'],
      ['id', 'lt.9'],
      ['limit', 100],
      ['offset', 5],
    ] as const;
    expect(openApiFetchOf({ method: 'GET', path: '/notes', query })).to.equal(
      `await client.GET("/notes", {
  params: {
    "query": {
      "body": "like.*a*",
      "id": [
        "gt.1",
        "lt.9"
      ],
      "limit": 100,
      "offset": 5
    }
  },
});`,
    );
  });
});
