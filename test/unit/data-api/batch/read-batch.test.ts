import { expect } from 'chai';
import { DbrError } from '../../../../src/errors/dbr-error.js';
import { ItemFailure } from '../../../../src/data-api/batch/batch-item.js';
import { readBatch } from '../../../../src/data-api/batch/read-batch.js';

const read = (items: unknown, most = 10) => readBatch(Buffer.from(JSON.stringify(items)), most);

/** The error of a batch: its code and details, and the index and id of an item. */
async function refused(items: unknown, most?: number): Promise<readonly unknown[]> {
  try {
    await read(items, most);
  } catch (error) {
    const cause = error instanceof ItemFailure ? error.cause : error;
    if (!(cause instanceof DbrError)) throw error;
    const of = error instanceof ItemFailure ? [error.item.index, error.item.id] : [];
    return [cause.code, cause.details, ...of];
  }
  throw new Error('the batch was accepted');
}

const item = (members: object) => ({ method: 'GET', path: '/films', ...members });

describe('the items of a batch', () => {
  it('have method, path, query, headers and body', async () => {
    const items = await read([
      {
        id: 'a',
        method: 'POST',
        path: '/films?select=id',
        headers: { Prefer: 'missing=default' },
        body: { n: 1.0 },
      },
      item({ path: '/film s?título=eq.ñ' }),
    ]);
    const [first, second] = items;
    expect(first).to.deep.equal({
      index: 0,
      id: 'a',
      method: 'POST',
      path: '/films',
      query: 'select=id',
      marks: [],
      headers: { prefer: 'missing=default' },
      body: { kind: 'complete', bytes: Buffer.from('{"n":1}') },
    });
    expect(second).to.deep.include({ index: 1, id: null, path: '/film s', query: 't%C3%ADtulo=eq.%C3%B1' });
    expect(second?.body).to.deep.equal({ kind: 'complete', bytes: Buffer.alloc(0) });
  });

  it('have bodies that are no JSON as strings or as base64', async () => {
    const csv = { 'Content-Type': 'text/csv' };
    const [text, bytes] = await read([
      item({ method: 'POST', headers: csv, body: 'a\n"b"' }),
      item({ method: 'POST', headers: csv, body: { base64: 'YWI=' } }),
    ]);
    expect(text?.body).to.deep.equal({ kind: 'complete', bytes: Buffer.from('a\n"b"') });
    expect(bytes?.body).to.deep.equal({ kind: 'complete', bytes: Buffer.from('ab') });
    for (const body of [1, { base64: 'YW' }, { base64: 5 }, { base64: '', more: 1 }, { bytes: 'YWI=' }])
      expect(await refused([item({ method: 'POST', headers: csv, body })])).to.deep.equal([
        'DBR161',
        'A body that is not JSON is a string, or {"base64": "…"} for bytes.',
        0,
        null,
      ]);
  });

  it('refer to answers of earlier items in their queries and bodies', async () => {
    const [, query, body] = await read([
      item({ id: 'a' }),
      item({ path: '/films?id=eq.{a/0/id}&title=eq.{b}&year=in.({a},5)' }),
      item({ method: 'POST', body: { id: { $from: 'a', path: '/0/id' }, n: 1 } }),
    ]);
    const [mark, whole] = query?.marks ?? [];
    expect(query?.query).to.equal(`id=eq.${mark?.text ?? ''}&title=eq.{b}&year=in.(${whole?.text ?? ''},5)`);
    expect(mark?.reference).to.deep.equal({ item: 0, pointer: ['0', 'id'], spelled: '{a/0/id}' });
    expect(whole?.reference).to.deep.equal({ item: 0, pointer: [], spelled: '{a}' });
    expect(mark?.text).to.match(/^dbr[0-9a-f]{18}n1n0z$/);
    const spelled = '{"$from":"a","path":"/0/id"}';
    expect(body?.body).to.deep.equal({
      kind: 'template',
      json: Buffer.from(`{"id":${spelled},"n":1}`),
      slots: [{ start: 6, end: 6 + spelled.length, reference: { item: 0, pointer: ['0', 'id'], spelled } }],
    });
  });

  it('refer to declared items alone, if they declare any', async () => {
    const data = { $from: 'b', path: '/0' };
    const [, , third] = await read([
      item({ id: 'a' }),
      item({ id: 'b' }),
      item({ method: 'POST', path: '/films?x=eq.{b}&y=eq.{a/1}', references: ['a'], body: { data } }),
    ]);
    expect(third?.marks.map(({ reference }) => reference.spelled)).to.deep.equal(['{a/1}']);
    expect(third?.body).to.deep.equal({ kind: 'complete', bytes: Buffer.from(JSON.stringify({ data })) });
  });

  it('are refused as a whole', async () => {
    const long = item({ path: `/f?${'a'.repeat(65_000)}` });
    expect(await refused('text')).to.deep.equal(['DBR160', 'The body is not a JSON array.']);
    expect(await refused([])).to.deep.equal(['DBR160', 'The array has no items.']);
    expect(await refused([item({}), item({})], 1)).to.deep.equal(['DBR160', 'The limit is 1 items.']);
    const heads = 'The limit is 262144 bytes of paths and headers in all items together.';
    expect(await refused([long, long, long, long, long])).to.deep.equal(['DBR160', heads]);
    expect(await read([long, long, long, long])).to.have.length(4);
    const references = (count: number) => [
      item({ id: 'a' }),
      item({ path: `/f?x=${'{a/0}'.repeat(count)}` }),
    ];
    expect(await refused(references(1001))).to.deep.equal(['DBR160', 'The limit is 1000 references.']);
    expect(await read(references(1000))).to.have.length(2);
  });

  for (const [members, details] of [
    [{ method: 'OPTIONS' }, 'The method is one of GET, HEAD, QUERY, POST, PATCH, PUT, DELETE.'],
    [{ method: 5 }, 'The member "method" is a string.'],
    [{ path: '/' }, 'An item names a relation or a function, not the root.'],
    [{ path: '/openapi.json' }, 'An item names a relation or a function, not the root.'],
    [
      { path: 'films' },
      'A path begins with a slash, has no control characters and at most 65536 characters.',
    ],
    [
      { path: '/films\n' },
      'A path begins with a slash, has no control characters and at most 65536 characters.',
    ],
    [{ headers: [] }, 'The headers are a JSON object of strings.'],
    [
      { headers: { Authorization: 'a' } },
      'An item cannot have the header "Authorization": the batch has those of the caller.',
    ],
    [
      { headers: { Accept: 'a', accept: 'b' } },
      'The header "accept" is there twice, or is not the text of a header.',
    ],
    [{ headers: { Accept: 5 } }, 'The header "Accept" is there twice, or is not the text of a header.'],
    [
      { headers: { Accept: 'a\r\nb' } },
      'The header "Accept" is there twice, or is not the text of a header.',
    ],
    [
      { headers: { Prefer: 'return=minimal, tx=rollback' } },
      'The preferences tx, isolation, retry and explain are those of the batch.',
    ],
    [{ body: {} }, 'The body of GET has no meaning.'],
    [{ references: [1] }, 'The member "references" is an array of ids.'],
    [{ other: 1 }, 'The member "other" is unknown, or is there twice.'],
    [{ id: 'a b' }, 'An id has 1 to 64 letters, digits, dots, hyphens and underscores.'],
    [{ id: 'a'.repeat(65) }, 'An id has 1 to 64 letters, digits, dots, hyphens and underscores.'],
  ] as const)
    it(`are refused with ${JSON.stringify(members).slice(0, 60)}`, async () => {
      expect((await refused([item({ id: 'first' }), item(members)])).slice(0, 3)).to.deep.equal([
        'DBR161',
        details,
        1,
      ]);
    });

  it('have ids of their own', async () => {
    expect(await refused([item({ id: 'a' }), item({ id: 'a' })])).to.deep.equal([
      'DBR161',
      'The id "a" belongs to another item, too.',
      1,
      'a',
    ]);
  });

  const FORM = 'A reference in a body is an object with the members "$from" and "path", which are strings.';
  const LATER = 'The item does not come before the one with the reference.';
  for (const [name, second, details] of [
    ['a later item', item({ path: '/films?id=eq.{c/0}' }), LATER],
    ['itself', item({ id: 'b', path: '/films?id=eq.{b/0}' }), LATER],
    [
      'no item',
      item({ path: '/films?id=eq.{d/0}' }),
      'No item has this id. Braces that are no reference are percent-encoded.',
    ],
    ['a declared item that is later', item({ references: ['c'] }), LATER],
    [
      'a pointer with a wrong escape',
      item({ path: '/films?id=eq.{a/~2}' }),
      'The path is not a JSON pointer of at most 32 tokens.',
    ],
    ['a body without a path', item({ method: 'POST', body: { $from: 'a' } }), FORM],
    ['a body with another member', item({ method: 'POST', body: { $from: 'a', path: '', more: 1 } }), FORM],
    ['a body with a number', item({ method: 'POST', body: { $from: 'a', path: 0 } }), FORM],
  ] as const)
    it(`cannot refer to ${name}`, async () => {
      const found = await refused([item({ id: 'a' }), second, item({ id: 'c' })]);
      expect(found.slice(0, 3)).to.deep.equal(['DBR162', details, 1]);
    });
});
