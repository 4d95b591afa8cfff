import { expect } from 'chai';
import { differenceOf, type CheckAnswer } from '../../../src/check/requests.js';

const PAIR = { column: 'slug', hidden: 'plan', absent: 'check-1' };
const NOTHING: CheckAnswer = { status: 200, headers: { etag: '"4f53"' }, body: '[]', code: null };

describe('what distinguishes two answers of a check', () => {
  const difference = (one: Partial<CheckAnswer>, other: Partial<CheckAnswer>): string | null =>
    differenceOf({ ...NOTHING, ...one }, { ...NOTHING, ...other }, PAIR);

  it('is nothing where they repeat the values of their requests', () => {
    expect(difference({}, {})).to.equal(null);
    expect(difference({ body: '["plan"]', headers: { etag: '1' } }, { body: '["check-1"]' })).to.equal(null);
    expect(
      difference(
        { headers: { link: '</t?slug=eq.plan>', 'content-location': '/t?a' } },
        { headers: { link: '</t?slug=eq.check-1>' } },
      ),
    ).to.equal(null);
    // A value within a word is not that value.
    expect(difference({ body: 'planned' }, { body: 'planned' })).to.equal(null);
  });

  for (const [what, one, other, shown] of [
    ['the status', { status: 412 }, { status: 201 }, 'status 412, and 201'],
    [
      'the code of an error',
      { status: 409, code: '23505' },
      { status: 409, code: '23503' },
      'status 409 (23505), and 409 (23503)',
    ],
    [
      'the total',
      { headers: { 'content-range': '*/7' } },
      { headers: { 'content-range': '*/1' } },
      'content-range */7, and */1',
    ],
    [
      'a cursor',
      { headers: { link: '</t?after=WyJib2IiXQ>' } },
      { headers: {} },
      'link </t?after=WyJib2IiXQ>, and none',
    ],
    ['the entity tag', { headers: { etag: '"a"' } }, { headers: { etag: '"b"' } }, 'etag "a", and "b"'],
    ['the body', { body: 'true', headers: { etag: '"a"' } }, { body: 'false' }, 'body true, and false'],
    ['the text of an error', { body: '{"details":"bob"}' }, { body: '{}' }, 'body {"details":"bob"}, and {}'],
  ] as const)
    it(`is ${what}`, () => {
      expect(difference(one, other)).to.equal(shown);
    });
});
