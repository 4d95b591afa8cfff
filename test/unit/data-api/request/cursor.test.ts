import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { readHeaders } from '../../../../src/contract/request.js';
import { encodedQuery } from '../../../../src/data-api/request/query-string.js';
import {
  MAX_CURSOR,
  pageKey,
  pairsOfLinks,
  valuesOfPage,
  withPage,
  writeCursor,
  type PageSelection,
  type PageStart,
} from '../../../../src/data-api/request/cursor.js';

const SECRET = createHash('sha256').update('secret').digest();
const PREFER = { prefer: 'pagination=keyset' };

interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly role?: string;
}

/** A read whose role needs signed cursors if it is `guest`. */
function read(
  query: string,
  { method = 'GET', path = '/films', headers = PREFER, role = 'editor' }: Asked = {},
) {
  const request = { method, path, query, headers: readHeaders(method, headers), identity: { role } };
  const result: typeof request & PageSelection = withPage(request, {
    of: (name) => (name === 'guest' ? SECRET : null),
  });
  return result;
}

/** FNV-1a of 32 bits over the code units of a text, which a cursor has as the number of its order. */
const fnv = (text: string): number =>
  [...text].reduce((hash, unit) => Math.imul(hash ^ unit.charCodeAt(0), 16_777_619), 2_166_136_261 | 0) >>> 0;

const ROW: PageStart = { kind: 'row', values: ['a', null, ''] };

/** The cursor of the page that begins there, as the query would have it. */
function cursorOf(start: Exclude<PageStart, { kind: 'first' }>, query: string, asked: Asked = {}): string {
  const { orderMark = 0, cursorKey } = read(query, asked);
  return writeCursor(start, orderMark, cursorKey) ?? 'too long';
}

function codeOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
  return 'none';
}

describe('a page by keyset', () => {
  it('has the number of its order, which later releases read again', () => {
    for (const order of ['', 'title', 'title.desc,id'])
      expect(read(order === '' ? '' : `order=${order}`).orderMark).to.equal(fnv(order));
    expect(read('order=id&order=title').orderMark).to.equal(fnv('id'));
  });

  it('is chosen by a preference of a read of a table', () => {
    for (const prefer of [
      'pagination=keyset',
      'count=exact, pagination=keyset',
      'pagination=keyset , count=exact',
    ])
      expect(read('order=id', { headers: { prefer } }).page, prefer).to.deep.equal({ kind: 'first' });
    for (const prefer of ['pagination=keysets', 'xpagination=keyset', 'count=exact'])
      expect(read('order=id', { headers: { prefer } }).page, prefer).to.equal(undefined);
    expect(read('order=id', { headers: {} }).page).to.equal(undefined);
    expect(read('order=id', { method: 'HEAD' }).page).to.deep.equal({ kind: 'first' });
    expect(read('order=id', { method: 'POST' }).page).to.equal(undefined);
    expect(read('order=id', { path: '/rpc/f' }).page).to.equal(undefined);
  });

  it('begins where the cursor says, which is no filter', () => {
    const after = cursorOf(ROW, 'order=id&a=eq.1');
    const { query, page } = read(`order=id&after=${after};a=eq.1`);
    expect({ query, page }).to.deep.equal({ query: 'order=id&a=eq.1', page: ROW });
    const rest = cursorOf({ kind: 'rest' }, 'order=id');
    expect(read(`order=id&%61fter=${rest}`).page).to.deep.equal({ kind: 'rest' });
    expect(read('order=id&after').query).to.equal('order=id&after');
  });

  it('belongs to its order', () => {
    const after = cursorOf(ROW, 'order=id');
    expect(read(`order=id&order=x&after=${after}`).page).to.deep.equal(ROW);
    for (const query of ['order=id.desc', '', 'order=di'])
      expect(codeOf(() => read(`${query}&after=${after}`))).to.equal('DBR144');
    expect(read('order=id').orderMark).to.equal(read('x=1&order=id').orderMark);
    expect(read('order=id').orderMark).not.to.equal(read('order=id2').orderMark);
  });

  it('is refused for what is no cursor', () => {
    const mark = read('order=id').orderMark ?? 0;
    const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    for (const cursor of [
      '',
      'x',
      encoded({}),
      encoded([]),
      encoded([mark + 1]),
      encoded([mark, []].concat(1)),
      encoded([mark, 'a']),
      encoded([mark, [1]]),
      encoded([mark, ['a\0']]),
      encoded([mark, [{}]]),
      encoded([mark, ['x'.repeat(MAX_CURSOR)]]),
    ])
      expect(
        codeOf(() => read(`order=id&after=${cursor}`)),
        cursor,
      ).to.equal('DBR144');
    expect(read(`order=id&after=${encoded([mark, []])}`).page).to.deep.equal({ kind: 'row', values: [] });
  });

  it('is written up to the longest cursor', () => {
    const lengthOf = (letters: number): number | undefined =>
      writeCursor({ kind: 'row', values: ['x'.repeat(letters)] }, 7, undefined)?.length;
    const most = Array.from({ length: 2048 }, (_, letters) => letters).filter(
      (letters) => lengthOf(letters) !== undefined,
    );
    expect(lengthOf(most.length - 1)).to.equal(MAX_CURSOR);
    expect(lengthOf(most.length)).to.equal(undefined);
  });
});

describe('a signed cursor', () => {
  const guest = { role: 'guest' };
  const after = cursorOf(ROW, 'order=id&a=eq.1', guest);

  it('is taken with its own query', () => {
    expect(after).to.match(/^[\w-]+\.[\w-]{22}$/);
    expect(read(`order=id&a=eq.1&after=${after}`, guest).page).to.deep.equal(ROW);
    expect(read(`after=${after}&order=id&a=eq.%31`, guest).page).to.deep.equal(ROW);
    expect(read('order=id', { role: 'editor' }).cursorKey).to.equal(undefined);
  });

  it('is taken with the query as the links of its page spell it', () => {
    const query = 'order=year.desc,id&or=(a.eq.%C3%A4%20b,c.gt.1)';
    const next = cursorOf(ROW, query, guest);
    const link = encodedQuery(pairsOfLinks(query));
    expect(link).not.to.equal(query);
    expect(read(`${link}&after=${next}`, guest).page).to.deep.equal(ROW);
  });

  it('is refused with another query, path, schema or signature', () => {
    const refused = (query: string, asked: Asked = guest): void => {
      expect(codeOf(() => read(query, asked))).to.equal('DBR144');
    };
    refused(`order=id&a=eq.2&after=${after}`);
    refused(`order=id&a=eq.1&after=${after}`, { ...guest, path: '/people' });
    refused(`order=id&a=eq.1&after=${after}`, {
      ...guest,
      headers: { ...PREFER, 'accept-profile': 'other' },
    });
    refused(`order=id&a=eq.1&after=${cursorOf(ROW, 'order=id&a=eq.1')}`);
    refused(`order=id&a=eq.1&after=${after.slice(0, -1)}`);
    refused(`order=id&a=eq.1&after=${after.split('.')[0] ?? ''}.`);
    const other = cursorOf({ kind: 'row', values: ['b'] }, 'order=id&a=eq.1', guest);
    refused(`order=id&a=eq.1&after=${other.split('.')[0] ?? ''}.${after.split('.')[1] ?? ''}`);
  });
});

it('the links of a page repeat all parameters but the cursor', () => {
  expect(pairsOfLinks('a=eq.1&after=x&b').map(({ key, value }) => [key, value])).to.deep.equal([
    ['a', 'eq.1'],
    ['b', null],
  ]);
});

it('the values of a page are bound, and its nulls are part of the key of its plan', () => {
  expect(valuesOfPage(ROW)).to.deep.equal(['a', '']);
  expect(valuesOfPage({ kind: 'rest' })).to.deep.equal([]);
  expect(valuesOfPage(undefined)).to.deep.equal([]);
  expect([undefined, ROW, { kind: 'rest' } as const, { kind: 'first' } as const].map(pageKey)).to.deep.equal([
    '',
    '\npage 101',
    '\npage rest',
    '\npage first',
  ]);
});
