import { expect } from 'chai';
import { tableDefinition, tableParameters, tablePath } from '../../../../../src/data-api/document/swagger.js';
import type {
  Column,
  ColumnType,
  ForeignKeyRelationship,
  Table,
} from '../../../../../src/data-api/schema-cache/types.js';

const type = (baseName: string, rest: Partial<ColumnType> = {}): ColumnType => ({
  name: baseName,
  plainName: baseName,
  baseName,
  maxLength: null,
  enumLabels: [],
  isDomain: false,
  ...rest,
});

const column = (name: string, columnType: ColumnType, rest: Partial<Column> = {}): Column => ({
  name,
  description: null,
  nullable: true,
  default: null,
  identity: null,
  generated: false,
  type: columnType,
  ...rest,
});

const table = (columns: readonly Column[], rest: Partial<Table> = {}): Table => ({
  schema: 'api',
  name: 'films',
  kind: 'table',
  description: null,
  columns: new Map(columns.map((each) => [each.name, each])),
  primaryKey: [],
  uniqueKeys: [],
  insertable: true,
  updatable: true,
  deletable: true,
  keepsInserts: true,
  access: new Map(),
  tableAccess: new Map(),
  ...rest,
});

const key = (
  target: string,
  columns: ForeignKeyRelationship['columns'],
  rest: Partial<ForeignKeyRelationship> = {},
): ForeignKeyRelationship => ({
  kind: 'foreign key',
  cardinality: 'many-to-one',
  source: { schema: 'api', name: 'films' },
  target: { schema: 'api', name: target },
  constraint: `films_${target}`,
  columns,
  sourceRefers: true,
  targetIsView: false,
  ...rest,
});

const described = (only: Column, rest: Partial<Table> = {}, keys: readonly ForeignKeyRelationship[] = []) =>
  tableDefinition(table([only], rest), keys).properties?.[only.name];

describe('description of a relation', () => {
  const shapes: readonly (readonly [string, unknown])[] = [
    ['integer', { format: 'integer', type: 'integer' }],
    ['bigint', { format: 'bigint', type: 'integer' }],
    ['numeric', { format: 'numeric', type: 'number' }],
    ['double precision', { format: 'double precision', type: 'number' }],
    ['boolean', { format: 'boolean', type: 'boolean' }],
    ['timestamp with time zone', { format: 'timestamp with time zone', type: 'string' }],
    ['jsonb', { format: 'jsonb' }],
    ['integer[]', { format: 'integer[]', type: 'array', items: { type: 'integer' } }],
    ['json[]', { format: 'json[]', type: 'array', items: {} }],
  ];
  for (const [name, expected] of shapes) {
    it(`describes the JSON of ${name}`, () => {
      expect(described(column('c', type(name)))).to.deep.equal(expected);
    });
  }

  it('contains the length, and the labels of an enum', () => {
    expect(described(column('c', type('character varying', { maxLength: 10 })))).to.include({
      maxLength: 10,
    });
    expect(described(column('c', type('api.mood', { enumLabels: ['good', 'bad'] })))).to.deep.equal({
      format: 'api.mood',
      type: 'string',
      enum: ['good', 'bad'],
    });
  });

  const defaults: readonly (readonly [string, string, unknown])[] = [
    ['integer', '7', 7],
    ['boolean', 'false', false],
    ['text', "'draft'::text", 'draft'],
    ['date', 'now()', 'now()'],
    ['integer', "nextval('films_id_seq'::regclass)", undefined],
    ['text[]', "'{}'::text[]", undefined],
    ['jsonb', "'{}'::jsonb", undefined],
  ];
  for (const [name, text, expected] of defaults) {
    it(`makes ${JSON.stringify(expected)} of the default ${text} of ${name}`, () => {
      const found = described(column('c', type(name), { default: text }));
      expect(found?.default).to.equal(expected);
      if (expected === undefined) expect(found).to.not.have.property('default');
    });
  }

  it('requires columns that cannot be null', () => {
    const columns = [column('a', type('text'), { nullable: false }), column('b', type('text'))];
    expect(tableDefinition(table(columns), []).required).to.deep.equal(['a']);
    expect(tableDefinition(table(columns.slice(1)), [])).to.not.have.property('required');
  });

  describe('marks keys', () => {
    const pairs = [{ left: 'c', right: 'id' }];
    const foreign = (name: string) =>
      `This is a Foreign Key to \`${name}.id\`.<fk table='${name}' column='id'/>`;

    it('after the comment of the column', () => {
      const commented = column('c', type('integer'), { description: 'Who made it' });
      const both = described(commented, { primaryKey: ['c'] }, [key('people', pairs)]);
      expect(both?.description).to.equal(
        `Who made it\n\nNote:\nThis is a Primary Key.<pk/>\n${foreign('people')}`,
      );
      expect(described(commented)?.description).to.equal('Who made it');
      expect(described(column('c', type('integer')))).to.not.have.property('description');
    });

    it('to a table rather than to a view of it', () => {
      const keys = [key('people_view', pairs, { targetIsView: true }), key('people', pairs)];
      expect(described(column('c', type('integer')), {}, keys)?.description).to.equal(
        `Note:\n${foreign('people')}`,
      );
    });

    it('not of several columns, nor of columns that refer to them', () => {
      const several = key('people', [...pairs, { left: 'd', right: 'e' }]);
      const back = key('roles', pairs, { sourceRefers: false, cardinality: 'one-to-many' });
      expect(described(column('c', type('integer')), {}, [several, back])).to.not.have.property(
        'description',
      );
    });
  });

  it('has all writing operations if one of them is allowed', () => {
    const methods = (writable: readonly ('insertable' | 'updatable' | 'deletable')[]) => {
      const none = { insertable: false, updatable: false, deletable: false };
      const some = Object.fromEntries(writable.map((name) => [name, true]));
      return Object.keys(tablePath(table([], { ...none, ...some })));
    };
    expect(methods([])).to.deep.equal(['get']);
    for (const kind of ['insertable', 'updatable', 'deletable'] as const) {
      expect(methods([kind]), kind).to.deep.equal(['get', 'post', 'patch', 'delete']);
    }
  });

  it('takes summary and description from its comment', () => {
    const { get } = tablePath(table([], { description: 'Films\n\nThat were made' }));
    expect(get).to.include({ summary: 'Films', description: 'That were made' });
    expect(tablePath(table([], { description: 'Films\n' })).get).to.not.have.property('description');
  });

  it('has a parameter for its rows, and one to filter by each column', () => {
    const commented = column('title', type('text'), { description: 'On the poster' });
    expect(tableParameters(table([commented]))).to.deep.equal([
      [
        'body.films',
        {
          name: 'films',
          description: 'films',
          required: false,
          in: 'body',
          schema: { $ref: '#/definitions/films' },
        },
      ],
      [
        'rowFilter.films.title',
        { name: 'title', description: 'On the poster', required: false, in: 'query', type: 'string' },
      ],
    ]);
  });
});
