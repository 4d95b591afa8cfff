/** Relations between graphs and the flat requests that write the same rows. */
import fc from 'fast-check';
import { same, type Relation } from './relation.js';
import type { Pair } from './request-model.js';
import { lastOfTrial, SPACE, trial, type Write } from './write-model.js';

interface Book {
  readonly title: string | null;
  readonly pages: number | null;
  readonly labels: readonly string[];
}

interface Author {
  readonly name: string | null;
  readonly books: readonly Book[];
}

const text = fc.constantFrom('a', 'b "q"', 'Ä, é', '', 'null', '{i0/0/id}', '$from', '\\');

const book: fc.Arbitrary<Book> = fc.record({
  title: fc.option(text, { nil: null }),
  pages: fc.option(fc.integer({ min: 0, max: 9 }), { nil: null }),
  labels: fc.uniqueArray(text, { maxLength: 2 }),
});

const authors: fc.Arbitrary<readonly Author[]> = fc.array(
  fc.record({ name: fc.option(text, { nil: null }), books: fc.array(book, { maxLength: 3 }) }),
  { minLength: 1, maxLength: 3 },
);

/** The authors of a space with their books and labels, in the order in which they were written. */
const READ: Write = {
  ...{ method: 'GET', relation: 'authors', prefer: [] },
  pairs: [
    ['select', 'name,books(title,pages,labels(name))'],
    ['space', `eq.${SPACE}`],
    ['order', 'id'],
    ['books.order', 'id'],
    ['books.labels.order', 'name'],
  ],
};

const post = (relation: string, body: unknown, pairs: readonly Pair[] = []): Write => ({
  ...{ method: 'POST', relation, body, prefer: ['return=representation'] },
  pairs: [...pairs, ['select', 'id']],
});

/** A value of an earlier answer of the batch. */
const from = (item: number, index: number) => ({ $from: `i${String(item)}`, path: `/${String(index)}/id` });

const graphOf = (list: readonly Author[]): readonly unknown[] =>
  list.map(({ name, books }) => ({
    ...{ space: SPACE, name },
    books: books.map(({ title, pages, labels }) => ({
      ...{ space: SPACE, title, pages },
      labels: labels.map((label) => ({ space: SPACE, name: label })),
    })),
  }));

const COLUMNS: Pair = ['columns', 'space,name,books(space,title,pages,labels(space,name))'];

/** The flat inserts of the same rows, parents first, with references to the keys of the answers before. */
function flatInserts(list: readonly Author[]): readonly Write[] {
  const rows = list.flatMap(({ books }, author) => books.map((each) => ({ ...each, author })));
  const named = rows.flatMap(({ labels }, index) => labels.map((label) => ({ book: index, label })));
  return [
    post(
      'authors',
      list.map(({ name }) => ({ space: SPACE, name })),
    ),
    post(
      'books',
      rows.map(({ title, pages, author }) => ({ space: SPACE, title, pages, author: from(0, author) })),
    ),
    post(
      'labels',
      named.map(({ label }) => ({ space: SPACE, name: label })),
    ),
    {
      ...{ method: 'POST', relation: 'book_labels', prefer: [], pairs: [] },
      body: named.map(({ book: index }, label) => ({ book: from(1, index), label: from(2, label) })),
    },
  ];
}

/** A graph leaves the rows of flat inserts in order, with and without `columns`, and is returned as it is read. */
export const graphs: Relation<readonly Author[]> = {
  arbitrary: authors,
  async check(list, client) {
    const graph = graphOf(list);
    const returned: Write = {
      ...{ ...post('authors', graph), pairs: [COLUMNS, ...READ.pairs.filter(([key]) => key !== 'space')] },
    };
    const [flat, [answer, listed], found] = await Promise.all([
      lastOfTrial(client, [...flatInserts(list), READ]),
      trial(client, [returned, READ]),
      lastOfTrial(client, [post('authors', graph), READ]),
    ]);
    same(listed?.body, flat, 'the rows of a graph with columns');
    same(found, flat, 'the rows of a graph');
    same(answer?.body, listed?.body, 'the representation of a graph');
  },
};
