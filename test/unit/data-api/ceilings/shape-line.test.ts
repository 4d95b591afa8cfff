import { expect } from 'chai';
import { readHeaders } from '../../../../src/contract/request.js';
import type { ColumnTree } from '../../../../src/data-api/grammar/ast.js';
import { requireShape } from '../../../../src/data-api/ceilings/shape-line.js';
import { createQueryScanner } from '../../../../src/data-api/request/read-request.js';
import { DbrError } from '../../../../src/errors/dbr-error.js';
import { readRequest } from '../../../support/data-api/read-request.js';

const OPTIONS = {
  schemas: ['api', 'two words'],
  allowTx: true,
  isTimezone: (name: string) => name === 'UTC',
};
const queries = createQueryScanner(OPTIONS);

interface Sent {
  readonly mode?: 'off' | 'record' | 'enforce';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly role?: string;
  readonly allowed?: readonly string[];
  readonly graph?: ColumnTree;
}

function lineOf(
  line: string,
  { mode = 'record', headers = {}, body = '', role = 'anon', allowed = [], graph }: Sent = {},
): string | null {
  const [method = '', url = ''] = line.split(' ');
  const [path = '', query = ''] = url.split('?');
  const input = { method, path, query, headers, body: Buffer.from(body) };
  const request = readRequest(input, OPTIONS);
  const allowList = { has: (each: string) => allowed.includes(each), record: () => undefined };
  const { payload } = request;
  const planned = graph === undefined || payload?.kind !== 'json' ? payload : { ...payload, graph };
  return requireShape(mode, { ...input, headers: readHeaders(method, headers) }, request, planned, role, {
    queries,
    allowList,
  });
}

describe('the shape of a request', () => {
  for (const [line, sent, expected] of [
    ['GET /films', {}, 'anon GET api /films'],
    ['HEAD /films', {}, 'anon GET api /films'],
    [
      'GET /films?year=gte.1990&order=title&limit=20&offset=40',
      {},
      'anon GET api /films?limit=20&offset=$&order=title&year=gte.$',
    ],
    ['GET /', {}, 'anon GET api /'],
    ['GET /rpc/f?a=1', {}, 'anon GET api /rpc/f?a=$'],
    ['POST /rpc/f', { body: '{"a":1}' }, 'anon POST api /rpc/f'],
    ['DELETE /films?id=eq.1', {}, 'anon DELETE api /films?id=eq.$'],
    ['GET /the%20films', { headers: { 'accept-profile': 'two words' } }, 'anon GET two%20words /the%20films'],
    ['GET /films', { role: '*' }, '%2A GET api /films'],
    ['GET /films', { role: 'a b' }, 'a%20b GET api /films'],
    ['GET /films', { role: '\ud800\udc00 \udc00' }, '\ud800\udc00%20%udc00 GET api /films'],
    [
      'GET /films',
      { headers: { prefer: 'count=exact, handling=strict, timezone=UTC' } },
      'anon GET api /films count=exact',
    ],
    [
      'POST /films',
      { body: '[]', headers: { prefer: 'return=representation, resolution=merge-duplicates' } },
      'anon POST api /films resolution=merge-duplicates,return=representation',
    ],
    [
      'PATCH /films?id=eq.1',
      { body: '{"a":1}', headers: { prefer: 'max-affected=3, handling=strict' } },
      'anon PATCH api /films?id=eq.$',
    ],
  ] as const)
    it(expected, () => {
      expect(lineOf(line, sent)).to.equal(expected);
    });

  it('names the related resources of a graph, in any order', () => {
    const tree = (relations: ColumnTree['relations'] = []): ColumnTree => ({ columns: ['a'], relations });
    const related = (name: string, inner?: ColumnTree['relations']) => ({
      key: name,
      name,
      hint: null,
      tree: tree(inner),
    });
    const graph = tree([related('the roles', [related('person')]), related('awards')]);
    expect(lineOf('POST /films', { body: '[]', graph })).to.equal(
      'anon POST api /films graph=awards,the%20roles(person)',
    );
    expect(lineOf('POST /films', { body: '[]', graph: tree() })).to.equal('anon POST api /films');
  });

  it('is of no use to a mode that is off, and to OPTIONS', () => {
    expect(lineOf('GET /films', { mode: 'off' })).to.equal(null);
    expect(lineOf('OPTIONS /films', { mode: 'enforce' })).to.equal(null);
  });

  it('is not recorded if it is longer than a line', () => {
    const long = (letters: number): string | null => lineOf(`GET /${'f'.repeat(letters)}`);
    const most = 8192 - 'anon GET api /'.length;
    expect(long(most)).to.have.length(8192);
    expect(long(most + 1)).to.equal(null);
  });

  it('is allowed to one role, or to all', () => {
    for (const allowed of ['anon GET api /films', '* GET api /films'])
      expect(lineOf('GET /films', { mode: 'enforce', allowed: [allowed] })).to.equal(null);
  });

  it('is refused if the list lacks it, with its beginning', () => {
    for (const [line, role, shape] of [
      ['GET /films', 'anon', 'anon GET api /films'],
      ['GET /films', '*', '%2A GET api /films'],
      [`GET /${'f'.repeat(2000)}`, 'anon', `anon GET api /${'f'.repeat(1000 - 'anon GET api /'.length)}`],
    ] as const) {
      try {
        lineOf(line, { mode: 'enforce', role, allowed: ['anon GET api /people', '* POST api /films', '* '] });
        expect.fail('not refused');
      } catch (error) {
        if (!(error instanceof DbrError)) throw error;
        expect(error.name).to.equal('ShapeNotAllowed');
        expect(error.details).to.contain(shape).and.not.contain(`${shape}f`);
      }
    }
  });
});
