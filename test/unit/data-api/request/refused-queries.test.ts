import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { DEFAULT_LIMITS } from '../../../../src/data-api/grammar/limits.js';
import { readQuery } from '../../../support/data-api/read-query.js';
import { DbrError } from '../../../../src/errors/dbr-error.js';

interface Refused {
  readonly method: string;
  readonly query: string;
  readonly message: string;
  readonly details: string;
}

// The errors that existing clients know for queries that are not in the grammar.
const REFUSED = JSON.parse(
  readFileSync(new URL('./refused-queries.json', import.meta.url), 'utf8'),
) as readonly Refused[];

describe('refused queries', () => {
  for (const { method, query, message, details } of REFUSED) {
    it(`${method} ?${query.slice(0, 80)}`, () => {
      const reading = method === 'GET' || method === 'OPTIONS';
      const read = () => readQuery(query, { withArguments: false, reading, limits: DEFAULT_LIMITS });
      expect(read)
        .to.throw(DbrError)
        .that.includes({ code: 'DBR100', status: 400, message, details, hint: null });
    });
  }
});
