import { expect } from 'chai';
import {
  derive,
  describeCatalogue,
  lines,
  type Described,
} from '../../../support/data-api/catalogue-rows.js';

const PEOPLE: Described = { oid: 1, name: 'people', columns: ['id', 'mentor_id'], constraints: [['p', [1]]] };
const FILMS: Described = {
  oid: 2,
  name: 'films',
  columns: ['id', 'director_id', 'producer_id'],
  constraints: [
    ['p', [1]],
    ['f', [2], 'director', 1, [1]],
    ['f', [3], 'producer', 1, [1]],
  ],
};
const CREDITS: Described = {
  oid: 3,
  name: 'credits',
  columns: ['film_id', 'person_id', 'role'],
  constraints: [
    ['p', [1, 2, 3]],
    ['f', [1], 'credits_film', 2, [1]],
    ['f', [2], 'credits_person', 1, [1]],
  ],
};

const of = (tables: readonly Described[], name: string, schema = 'public'): string[] =>
  lines(derive(tables).get(schema)?.get(name));

describe('relationships', () => {
  it('makes a relationship in both directions of a foreign key', () => {
    expect(of([PEOPLE, FILMS], 'films')).to.deep.equal([
      'many-to-one people director director_id=id',
      'many-to-one people producer producer_id=id',
    ]);
    expect(of([PEOPLE, FILMS], 'people')).to.deep.equal([
      'one-to-many films director id=director_id',
      'one-to-many films producer id=producer_id',
    ]);
  });

  it('makes one-to-one of a foreign key over a whole key, in any order of columns', () => {
    const halls: Described = {
      oid: 1,
      name: 'halls',
      columns: ['venue', 'code'],
      constraints: [['p', [1, 2]]],
    };
    const lamps: Described = {
      oid: 2,
      name: 'lamps',
      columns: ['id', 'hall_code', 'hall_venue'],
      constraints: [
        ['p', [1]],
        ['u', [2, 3]],
        ['f', [3, 2], 'lamp_hall', 1, [1, 2]],
      ],
    };
    expect(of([halls, lamps], 'lamps')).to.deep.equal([
      'one-to-one halls lamp_hall hall_venue=venue,hall_code=code',
    ]);
    expect(of([halls, lamps], 'halls')).to.deep.equal([
      'one-to-one lamps lamp_hall venue=hall_venue,code=hall_code',
    ]);
  });

  it('finds many-to-many where the primary key covers both foreign keys', () => {
    expect(of([PEOPLE, FILMS, CREDITS], 'films')).to.include(
      'many-to-many people by credits id=film_id person_id=id',
    );
    expect(of([PEOPLE, FILMS, CREDITS], 'people')).to.include(
      'many-to-many films by credits id=person_id film_id=id',
    );
  });

  it('finds no many-to-many where the primary key lacks a column of a foreign key', () => {
    const narrow: Described = {
      ...CREDITS,
      constraints: [['p', [1, 3]], ...(CREDITS.constraints ?? []).slice(1)],
    };
    expect(of([PEOPLE, FILMS, narrow], 'films').join()).not.to.contain('many-to-many');
  });

  it('finds no many-to-many through a junction that is not exposed', () => {
    expect(of([PEOPLE, FILMS, { ...CREDITS, hidden: true }], 'films').join()).not.to.contain('credits');
  });

  it('records the relations that a hidden junction joins', () => {
    const films: Described = { oid: 2, name: 'films', columns: ['id'], constraints: [['p', [1]]] };
    const notes: Described = { oid: 4, name: 'notes', columns: ['id'] };
    const relationships = derive([PEOPLE, films, notes, { ...CREDITS, hidden: true }]).get('public');
    expect([...(relationships ?? [])].sort()).to.deep.equal([
      ['films', []],
      ['people', []],
    ]);
    const narrow: Described = {
      ...CREDITS,
      hidden: true,
      constraints: [['p', [1, 3]], ...(CREDITS.constraints ?? []).slice(1)],
    };
    expect(derive([PEOPLE, films, narrow]).size).to.equal(0);
  });

  it('makes relationships within one schema only', () => {
    const articles: Described = {
      oid: 4,
      name: 'press.articles',
      columns: ['film_id'],
      constraints: [['f', [1], 'article_film', 2, [1]]],
    };
    expect(of([FILMS, articles], 'articles', 'press')).to.deep.equal([]);
    expect(of([FILMS, articles], 'films').join()).not.to.contain('articles');
  });

  it('makes two relationships of a self-reference', () => {
    const people: Described = {
      ...PEOPLE,
      constraints: [
        ['p', [1]],
        ['f', [2], 'mentor', 1, [1]],
      ],
    };
    expect(of([people], 'people')).to.deep.equal([
      'one-to-many people mentor id=mentor_id',
      'many-to-one people mentor mentor_id=id',
    ]);
  });

  it('names one-to-many first, then many-to-one, then many-to-many', () => {
    const people: Described = {
      ...PEOPLE,
      columns: ['id', 'best_film_id'],
      constraints: [
        ['p', [1]],
        ['f', [2], 'best_film', 2, [1]],
      ],
    };
    expect(of([people, FILMS, CREDITS], 'people').map((line) => line.split(' ', 2).join(' '))).to.deep.equal([
      'one-to-many credits',
      'one-to-many films',
      'one-to-many films',
      'many-to-one films',
      'many-to-many films',
    ]);
  });

  describe('through views', () => {
    const list: Described = {
      oid: 10,
      name: 'list',
      columns: ['no', 'by'],
      shows: [
        [2, 1],
        [2, 2],
      ],
    };
    const cards: Described = {
      oid: 11,
      name: 'cards',
      columns: ['card', 'author'],
      shows: [
        [10, 1],
        [10, 2],
      ],
    };
    const faces: Described = { oid: 12, name: 'faces', columns: ['face'], shows: [[1, 1]] };

    it('connects view and table, table and view, view and view', () => {
      const tables = [PEOPLE, FILMS, list, faces];
      expect(of(tables, 'list')).to.deep.equal([
        'many-to-one faces director by=face',
        'many-to-one people director by=id',
      ]);
      expect(of(tables, 'faces')).to.include('one-to-many list director face=by');
      expect(of(tables, 'films')).to.include('many-to-one faces director director_id=face');
    });

    it('follows views over views down to their tables', () => {
      expect(of([PEOPLE, FILMS, list, cards], 'cards')).to.deep.equal([
        'many-to-one people director author=id',
      ]);
    });

    it('shows keys of tables that are not exposed', () => {
      const tables = [PEOPLE, { ...FILMS, hidden: true as const }, list];
      expect(of(tables, 'list')).to.deep.equal(['many-to-one people director by=id']);
      expect(of(tables, 'films')).to.deep.equal([]);
    });

    it('uses a key only if the view shows all its columns', () => {
      const halls: Described = {
        oid: 1,
        name: 'halls',
        columns: ['venue', 'code'],
        constraints: [['p', [1, 2]]],
      };
      const seats: Described = {
        oid: 2,
        name: 'seats',
        columns: ['venue', 'code'],
        constraints: [['f', [1, 2], 'seat_hall', 1, [1, 2]]],
      };
      const half: Described = { oid: 3, name: 'half', columns: ['venue'], shows: [[1, 1]] };
      expect(of([halls, seats, half], 'half')).to.deep.equal([]);
      expect(of([halls, seats, half], 'seats')).to.deep.equal([
        'many-to-one halls seat_hall venue=venue,code=code',
      ]);
    });

    it('makes one relationship for each way a view names a foreign key', () => {
      const twice: Described = {
        oid: 10,
        name: 'twice',
        columns: ['a', 'b'],
        shows: [
          [2, 2],
          [2, 2],
        ],
      };
      expect(of([PEOPLE, FILMS, twice], 'twice')).to.deep.equal([
        'many-to-one people director a=id',
        'many-to-one people director b=id',
      ]);
    });

    it('bounds the number of combinations of one key', () => {
      const columns = Array.from({ length: 200 }, (_, at) => `c${at}`);
      const wide: Described = { oid: 10, name: 'wide', columns, shows: columns.map(() => [2, 2]) };
      expect(of([PEOPLE, FILMS, wide], 'wide')).to.have.length(64);
    });

    it('ends at views that refer to each other', () => {
      const one: Described = { oid: 10, name: 'one', columns: ['x'], shows: [[11, 1]] };
      const other: Described = { oid: 11, name: 'other', columns: ['x'], shows: [[10, 1]] };
      expect(of([PEOPLE, FILMS, one, other], 'one')).to.deep.equal([]);
    });

    it('gives a view the primary keys that it shows completely, by the first name of each column', () => {
      const both: Described = {
        oid: 10,
        name: 'both',
        columns: ['a', 'b', 'c', 'd'],
        shows: [
          [2, 1],
          [2, 1],
          [1, 2],
          [1, 1],
        ],
      };
      const table = (tables: readonly Described[], name: string): readonly string[] | undefined =>
        describeCatalogue(tables).relations.find((relation) => relation.name.name === name)?.table.primaryKey;
      expect(table([PEOPLE, FILMS, both], 'both')).to.deep.equal(['a', 'd']);
      expect(table([PEOPLE, FILMS, CREDITS, list], 'list')).to.deep.equal(['no']);
      expect(table([CREDITS], 'credits')).to.deep.equal(['film_id', 'person_id', 'role']);
    });
  });

  describe('by functions', () => {
    const row = (name: string, gives: number | null, single = false, schema = 'public') => ({
      schema,
      name,
      relation: 1,
      gives,
      type: 'films',
      many: !single,
      single,
      alone: true,
      heirs: [],
    });
    const ofPeople = (...functions: ReturnType<typeof row>[]): string[] =>
      lines(derive([PEOPLE, FILMS], functions).get('public')?.get('people'));

    it('adds computed relationships', () => {
      expect(ofPeople(row('best', 2, true), row('all_of', 2))).to.deep.equal([
        'one-to-many films director id=director_id',
        'one-to-many films producer id=producer_id',
        'to-one films best()',
        'to-many films all_of()',
      ]);
    });

    it('lets a function with the name of a relation replace the relationships to it', () => {
      expect(ofPeople(row('films', 2))).to.deep.equal(['to-many films films()']);
    });

    it('ignores functions of another schema, and functions that return no rows of a relation', () => {
      expect(ofPeople(row('films', 2, false, 'toolbox'), row('age', null, true))).to.have.length(2);
    });
  });
});
