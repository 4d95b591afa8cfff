/** Relations between graphs and the flat requests that write the same rows. */
import fc from 'fast-check';
import { same, type Relation } from './relation.js';
import type { Pair } from './request-model.js';
import { answerOf, batchOf, lastOfTrial, SPACE, trial, type Write } from './write-model.js';

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

interface UpdateCase {
  readonly before: Author;
  readonly name: string | null;
  /** For each book of before: its new title, null to leave it out of the array. */
  readonly titles: readonly (string | null)[];
  readonly added: readonly string[];
  readonly deletes: boolean;
  /** The foreign key of the books in the graph: absent, that of their author, or that of another one. */
  readonly author: 'absent' | 'own' | 'other';
}

const id = (item: number, index: number): string => `{i${String(item)}/${String(index)}/id}`;

/** The single requests that write what the graph writes: the row, the rows that go, those that stay, those that come. */
function singleUpdates({ before: { books }, name, titles, added, deletes }: UpdateCase): readonly Write[] {
  const at = (relation: string, key: string): Pick<Write, 'relation' | 'pairs' | 'prefer'> => ({
    ...{ relation, prefer: [], pairs: [['id', `eq.${key}`]] },
  });
  const kept = books.flatMap((_, index) => (titles[index] == null ? [] : [{ index, title: titles[index] }]));
  const gone = books.flatMap((_, index) => (titles[index] == null && deletes ? [index] : []));
  const none: Write = { method: 'POST', relation: 'books', prefer: [], pairs: [], body: [] };
  const author = from(0, 0);
  const inserted = added.map((title) => ({ space: SPACE, author, title }));
  return [
    { ...at('authors', id(0, 0)), method: 'PATCH', body: { name } },
    ...gone.map((index): Write => ({ ...at('books', id(1, index)), method: 'DELETE' })),
    ...kept.map(({ index, title }): Write => ({
      ...at('books', id(1, index)),
      method: 'PATCH',
      body: { title },
    })),
    inserted.length === 0 ? none : { ...none, body: inserted },
  ];
}

/** PATCH of a graph leaves the rows of single requests. */
export const graphUpdates: Relation<UpdateCase> = {
  arbitrary: fc.record({
    before: fc.record({ name: text, books: fc.array(book, { maxLength: 3 }) }),
    name: fc.option(text, { nil: null }),
    titles: fc.array(fc.option(text, { nil: null }), { minLength: 3, maxLength: 3 }),
    added: fc.array(text, { maxLength: 2 }),
    deletes: fc.boolean(),
    author: fc.constantFrom('absent', 'own', 'other'),
  }),
  async check(each, client) {
    const { before, name, titles, added, deletes } = each;
    const author = each.author === 'absent' ? {} : { author: each.author === 'own' ? from(0, 0) : 0 };
    const kept = before.books.flatMap((_, index) =>
      titles[index] == null ? [] : [{ id: from(1, index), title: titles[index], ...author }],
    );
    const inserted = added.map((title) => ({ space: SPACE, title, ...author }));
    const books = [...kept, ...inserted];
    const graph: Write = {
      ...{ method: 'PATCH', relation: 'authors', pairs: [['id', `eq.${id(0, 0)}`]] },
      prefer: deletes ? ['missing-rows=delete'] : [],
      body: { name, books },
    };
    const seed = flatInserts([before]);
    if (each.author === 'other' && books.length > 0) {
      const space = client.space();
      const refused = answerOf(await client.send(batchOf([...seed, graph], space, 'tx=rollback')), space);
      const at = (refused.body as Readonly<Record<string, unknown>>)['code'];
      same([refused.status, at], [409, 'DBR179'], 'a graph with another foreign key');
      return;
    }
    const [single, nested] = await Promise.all([
      lastOfTrial(client, [...seed, ...singleUpdates(each), READ]),
      lastOfTrial(client, [...seed, graph, READ]),
    ]);
    same(nested, single, 'the rows after PATCH of a graph');
  },
};
