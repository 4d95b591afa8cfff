import { expect } from 'chai';
import { runAtOnce } from '../../../../src/base/turns.js';
import { buildRoutines, type FunctionRow } from '../../../../src/data-api/schema-cache/functions.js';
import {
  buildColumnTypes,
  buildRelation,
  type ColumnRow,
  type RelationContext,
  type TableRow,
} from '../../../../src/data-api/schema-cache/relations.js';
import {
  buildMediaHandlers,
  buildRepresentations,
  readMedia,
} from '../../../../src/data-api/schema-cache/representations.js';
import { fromText, toJson } from '../../../../src/data-api/schema-cache/lookups.js';
import { readIsolation, readSetting } from '../../../../src/data-api/schema-cache/settings.js';
import { describeCatalogue } from '../../../support/data-api/catalogue-rows.js';
import { FILM_CACHE } from '../../../support/data-api/film-cache.js';

const typeOf = (baseName: string) => ({
  name: baseName,
  plainName: baseName,
  baseName,
  maxLength: null,
  enumLabels: [],
  isDomain: false,
});

const CONTEXT: RelationContext = {
  types: buildColumnTypes([
    { oid: 1, modifier: -1, type: typeOf('integer'), domainDefault: '7', domainNotNull: false },
    { oid: 1, modifier: 4, type: typeOf('text'), domainDefault: null, domainNotNull: true },
    {
      oid: 2,
      modifier: -1,
      type: typeOf('timestamp with time zone'),
      domainDefault: null,
      domainNotNull: false,
    },
  ]),
  constraints: new Map([[10, [['u', [2]] as const, ['p', [2, 1]] as const]]]),
  views: new Map([[20, [{ column: 1, relation: 10, relationColumn: 2 }]]]),
  access: (oid, acl) => new Map([[`${String(oid)} ${acl}`, new Set(['SELECT' as const])]]),
  tableAccess: (acl) => new Map([[acl, new Set()]]),
};

const ROW: TableRow = {
  oid: 10,
  schema: 's',
  name: 't',
  kind: 'table',
  description: null,
  insertable: true,
  updatable: false,
  deletable: true,
  keepsInserts: true,
  acl: 'acl',
  columns: [],
};

interface Changes {
  readonly type?: number;
  readonly modifier?: number;
  readonly notNull?: boolean;
  readonly default?: string;
  readonly description?: string;
  readonly identity?: ColumnRow[7];
  readonly generated?: ColumnRow[8];
}

const columnOf = (attnum: number, name: string, changes: Changes = {}): ColumnRow => {
  const { type = 1, modifier = -1, notNull = false, identity = '', generated = '' } = changes;
  const { default: value = null, description = null } = changes;
  return [attnum, name, type, modifier, notNull, value, description, identity, generated, notNull];
};

describe('relations of the cache', () => {
  it('have the columns and the key of the catalogue', () => {
    const columns = [columnOf(1, 'a', { notNull: true }), columnOf(2, 'b', { description: 'text of b' })];
    const { table, columnNames, isView } = buildRelation({ ...ROW, columns }, CONTEXT);
    expect(table.primaryKey).to.deep.equal(['b', 'a']);
    expect(isView).to.equal(false);
    expect([...columnNames]).to.deep.equal([
      [1, 'a'],
      [2, 'b'],
    ]);
    expect([...table.columns.values()]).to.deep.equal([
      {
        name: 'a',
        description: null,
        nullable: false,
        default: '7',
        identity: null,
        generated: false,
        type: typeOf('integer'),
      },
      {
        name: 'b',
        description: 'text of b',
        nullable: true,
        default: '7',
        identity: null,
        generated: false,
        type: typeOf('integer'),
      },
    ]);
    expect(table).to.deep.include({ kind: 'table', insertable: true, updatable: false, deletable: true });
    expect(table).not.to.have.property('oid');
    expect([...table.access.keys(), ...table.tableAccess.keys()]).to.deep.equal(['10 acl', 'acl']);
  });

  it('show the key of their table only as a whole', () => {
    const view = { ...ROW, oid: 20, kind: 'view' as const, columns: [columnOf(1, 'shown')] };
    const { table, isView } = buildRelation(view, CONTEXT);
    expect([table.primaryKey, isView]).to.deep.equal([[], true]);
    const [relation] = describeCatalogue([
      {
        oid: 21,
        name: 'v',
        columns: ['x', 'y'],
        shows: [
          [10, 1],
          [10, 2],
        ],
        constraints: [],
      },
    ]).relations;
    expect(relation?.isView).to.equal(true);
  });

  for (const [changes, expected] of [
    [{ default: '1' }, { default: '1' }],
    [
      { default: '1', generated: 's' },
      { default: null, generated: true },
    ],
    [{ generated: 'v' }, { default: null, generated: true }],
    [{ identity: 'a' }, { identity: 'always' }],
    [
      { identity: 'd', default: 'nextval' },
      { identity: 'by default', default: 'nextval' },
    ],
    [{ modifier: 4 }, { nullable: false, isUnproven: true, default: null }],
  ] as const)
    it(`have ${JSON.stringify(expected)} of ${JSON.stringify(changes)}`, () => {
      const { table } = buildRelation({ ...ROW, columns: [columnOf(1, 'a', changes)] }, CONTEXT);
      expect(table.columns.get('a')).to.deep.include(expected);
    });

  for (const kind of ['view', 'materialized view'] as const)
    it(`may be null in a ${kind}, whatever their domains are: it may have outer joins`, () => {
      const view = { ...ROW, oid: 20, kind, columns: [columnOf(1, 'a', { modifier: 4 })] };
      expect(buildRelation(view, CONTEXT).table.columns.get('a')).to.include({ nullable: true });
    });

  it('leave out a column whose type was added meanwhile', () => {
    const { table } = buildRelation({ ...ROW, columns: [columnOf(1, 'a', { type: 9 })] }, CONTEXT);
    expect(table.columns.size).to.equal(0);
  });

  for (const [description, expected] of [
    ['last-modified: at', 'at'],
    ['Films\n  last-modified:  at  \nmore', 'at'],
    ['last-modified: at\r\n', 'at'],
    ['last-modified: number', undefined],
    ['last-modified: none', undefined],
    ['not last-modified: at', undefined],
    [null, undefined],
  ] as const)
    it(`have the time of changes of the comment ${JSON.stringify(description)}`, () => {
      const columns = [columnOf(1, 'at', { type: 2 }), columnOf(2, 'number')];
      expect(buildRelation({ ...ROW, description, columns }, CONTEXT).table.lastModified).to.equal(expected);
    });
});

describe('functions of the cache', () => {
  const row: FunctionRow = {
    schema: 's',
    name: 'f',
    description: null,
    parameters: [],
    returns: { kind: 'scalar', many: false, type: { schema: 'pg_catalog', name: 'bytea' }, columns: [] },
    domain: null,
    volatility: 'stable',
    settings: ['search_path=a=b', 'default_transaction_isolation=SERIALIZABLE', 'work_mem=1'],
    acl: 'x',
  };
  const built = (changes: Partial<FunctionRow> = {}, hoistedSettings: readonly string[] = []) => {
    const access = (acl: string) => new Map([[acl, new Set<'EXECUTE'>()]]);
    const [routine] =
      runAtOnce(buildRoutines([{ ...row, ...changes }], { hoistedSettings, access }))
        .get('s')
        ?.get('f') ?? [];
    if (routine === undefined) throw new Error('no function');
    return routine;
  };

  it('have the settings that are hoisted, with the isolation apart', () => {
    expect(built()).to.deep.include({ settings: [], isolation: null, volatility: 'stable' });
    const names = ['search_path', 'default_transaction_isolation'];
    expect(built({}, names)).to.deep.include({
      settings: [['search_path', 'a=b']],
      isolation: 'serializable',
    });
    expect([...built().access.keys()]).to.deep.equal(['x']);
  });

  it('give a body of their own if their domain is a media type and they return one value', () => {
    expect(built().returns).to.deep.include({ isDomain: false, media: null });
    const media = { mediaType: 'image/png', contentType: 'image/PNG', binary: true };
    expect(built({ domain: 'image/PNG' }).returns).to.deep.include({ isDomain: true, media });
    const many = { ...row.returns, many: true };
    expect(built({ domain: 'image/png', returns: many }).returns).to.deep.include({ media: null });
    expect(built({ domain: 'colour' }).returns).to.deep.include({ isDomain: true, media: null });
  });

  it('keep the order of the rows', () => {
    const rows = [row, { ...row, description: 'second' }];
    const found = runAtOnce(buildRoutines(rows, { hoistedSettings: [], access: () => new Map() }));
    expect(
      found
        .get('s')
        ?.get('f')
        ?.map(({ description }) => description),
    ).to.deep.equal([null, 'second']);
  });
});

describe('what the database renders', () => {
  it('is found by the domain of a column', () => {
    const representations = buildRepresentations([
      { source: 'colour', target: 'json', schema: 's', name: 'shown' },
      { source: 'text', target: 'colour', schema: 's', name: 'read' },
    ]);
    const cache = { ...FILM_CACHE, representations };
    const colour = { type: { ...typeOf('text'), plainName: 'colour', isDomain: true } };
    expect(toJson(cache, colour)).to.deep.equal({ schema: 's', name: 'shown' });
    expect(fromText(cache, 'text', colour)).to.deep.equal({ schema: 's', name: 'read' });
    expect(fromText(cache, 'json', colour)).to.equal(null);
    expect([toJson(cache, null), toJson(cache, { type: typeOf('text') })]).to.deep.equal([null, null]);
    expect(fromText(cache, 'text', null)).to.equal(null);
  });

  it('are media types that domains name', () => {
    expect(readMedia('*/*', 'bytea')).to.deep.equal({
      mediaType: '*/*',
      contentType: 'application/octet-stream',
      binary: true,
    });
    expect(readMedia('Text/X', 'text')).to.deep.include({ mediaType: 'text/x', binary: false });
    for (const name of ['text', 'a/b/c', 'a b/c', '/a']) expect(readMedia(name, 'text'), name).to.equal(null);
  });

  it('has handlers for one relation or for all', () => {
    const { relations } = describeCatalogue([{ oid: 5, name: 'films', columns: ['id'] }]);
    const handler = { schema: 's', name: 'as_x', relation: null, domain: 'a/x', baseType: 'text' };
    const { any, relation } = buildMediaHandlers(
      [
        handler,
        { ...handler, relation: 5, domain: 'a/y' },
        { ...handler, relation: 6 },
        { ...handler, domain: 'x' },
      ],
      new Map(relations.map((one) => [one.oid, one])),
    );
    expect([...any.keys()]).to.deep.equal(['a/x']);
    expect([...relation.keys()]).to.deep.equal(['public']);
    expect(relation.get('public')?.get('films')?.get('a/y')).to.deep.equal({
      mediaType: 'a/y',
      contentType: 'a/y',
      binary: false,
      aggregate: { schema: 's', name: 'as_x' },
    });
  });
});

describe('settings of the catalogue', () => {
  it('are pairs', () => {
    expect(readSetting('a=b=c')).to.deep.equal(['a', 'b=c']);
    expect(readSetting('a')).to.deep.equal(['a', '']);
    expect(readSetting('=b')).to.deep.equal(['', 'b']);
  });

  it('name the isolation in any case', () => {
    expect(
      ['SERIALIZABLE', 'Repeatable Read', 'read committed', 'read uncommitted', 'x'].map(readIsolation),
    ).to.deep.equal([
      'serializable',
      'repeatable read',
      'read committed',
      'read committed',
      'read committed',
    ]);
  });
});
