import { expect } from 'chai';
import { turnOfTheEventLoop } from '../../../src/base/turns.js';
import type { Table } from '../../../src/data-api/schema-cache/types.js';
import { DESCRIBING } from '../../../src/mcp/describe.js';
import { FILM_CACHE } from '../../support/data-api/film-cache.js';
import { recordedPipeline, requestOf } from '../../support/data-api/pipeline.js';

/** How long one comment takes to be read. Slices last 5. */
const MILLISECONDS = 2;
const TABLES = 30;

function spend(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

describe('the search of agents', () => {
  it('goes on in later turns of the event loop', async () => {
    const films = FILM_CACHE.tables.get('api')?.get('films');
    const search = DESCRIBING.find(({ name }) => name === 'search');
    if (films === undefined || search === undefined) throw new Error('there are no films, or is no search');
    let turn = 0;
    let isCounting = true;
    const count = (): void => {
      turn += 1;
      if (isCounting) setImmediate(count);
    };
    const turns = new Set<number>();
    const tables = Array.from({ length: TABLES }, (_, at): [string, Table] => {
      const name = `table_${String(at)}`;
      const table = {
        ...films,
        name,
        get description() {
          turns.add(turn);
          spend(MILLISECONDS);
          return 'a slow one';
        },
      };
      return [name, table];
    });
    const cache = { ...FILM_CACHE, tables: new Map([['api', new Map(tables)]]) };
    const snapshot = { ...recordedPipeline().snapshot(), cache };
    const none = (): Promise<never> => Promise.reject(new Error('no request is made'));
    const api = { snapshot: () => snapshot, handle: none, trial: none, apply: none };
    await turnOfTheEventLoop();
    setImmediate(count);
    const call = { request: requestOf('POST /mcp'), api, refusal: null, fault: null };
    const { content } = await search.run({ words: 'SLOW one', limit: 1 }, call);
    isCounting = false;
    expect(JSON.parse(content[0]?.text ?? '')).to.include({ found: TABLES, shown: 1 });
    expect(JSON.parse(content[1]?.text ?? '')).to.deep.equal([
      { relation: 'table_0', schema: 'api', comment: 'a slow one' },
    ]);
    expect(turns.size).to.be.at.least(5);
  });
});
