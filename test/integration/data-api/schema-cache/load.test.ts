import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import {
  type DatabaseSetting,
  loadDatabaseSettings,
} from '../../../../src/data-api/schema-cache/settings.js';
import { dumpSchemaCache } from '../../../../src/data-api/schema-cache/dump.js';
import { loadSchemaCache, type LoadOptions } from '../../../../src/data-api/schema-cache/load.js';
import {
  find,
  findRelationships,
  fromText,
  privilegesOf,
  toJson,
} from '../../../../src/data-api/schema-cache/lookups.js';
import type { Column, Routine, SchemaCache, Table } from '../../../../src/data-api/schema-cache/types.js';
import { closeDatabase, openDatabase, type Database } from '../../../../src/postgres/database.js';
import { withSession } from '../../../../src/postgres/session.js';
import { openRelay } from '../../../support/postgres/relay.js';
import { createTestDatabase, type TestDatabase } from '../../../support/postgres/database.js';
import { lines } from '../../../support/data-api/catalogue-rows.js';
import {
  createRoles,
  createSchema,
  dropRoles,
  PASSWORD,
  type RoleNames,
} from '../../../support/data-api/catalogue-schema.js';

const OPTIONS: LoadOptions = {
  generation: 7,
  schemas: ['shop', 'other', 'missing'],
  extraSearchPath: ['tools'],
  hoistedSettings: ['statement_timeout', 'default_transaction_isolation'],
  roleSettings: true,
};

describe('the schema cache of a database', () => {
  const suffix = randomBytes(4).toString('hex');
  const roles: RoleNames = {
    authenticator: `cache_authenticator_${suffix}`,
    anon: `cache_anon_${suffix}`,
    staff: `cache_staff_${suffix}`,
    outsider: `cache_outsider_${suffix}`,
  };
  let test: TestDatabase;
  let database: Database;
  let cache: SchemaCache;

  before(async () => {
    test = await createTestDatabase();
    await withSession(test.uri, async (session) => {
      await session.script(createRoles(roles));
      await session.script(createSchema(roles));
    });
    database = openDatabase(test.uriFor(roles.authenticator, PASSWORD), {
      poolSize: 2,
      pipelined: true,
    });
    cache = await loadSchemaCache(database, OPTIONS);
  });

  after(async () => {
    await closeDatabase(database);
    const server = new URL(test.uri);
    server.pathname = '/postgres';
    await test.drop();
    await withSession(server.href, (session) => session.script(dropRoles(roles)));
  });

  function table(name: string, schema = 'shop'): Table {
    const found = find(cache.tables, schema, name);
    if (found === undefined) throw new Error(`no table ${schema}.${name}`);
    return found;
  }

  function column(tableName: string, name: string): Column {
    const found = table(tableName).columns.get(name);
    if (found === undefined) throw new Error(`no column ${name}`);
    return found;
  }

  const functions = (name: string): readonly Routine[] => find(cache.functions, 'shop', name) ?? [];

  function only(name: string): Routine {
    const [routine, ...others] = functions(name);
    if (routine === undefined || others.length > 0) throw new Error(`not one function ${name}`);
    return routine;
  }

  const related = (name: string, schema = 'shop'): string[] => lines(find(cache.relationships, schema, name));

  it('records generation, server version, schemas and time zones', () => {
    expect(cache.generation).to.equal(7);
    expect(cache.serverVersion).to.be.greaterThan(120_000);
    expect(cache.schemas).to.deep.equal([
      { name: 'shop', description: 'The shop' },
      { name: 'other', description: null },
      { name: 'missing', description: null },
    ]);
  });

  describe('tables', () => {
    it('belong to the exposed schemas, and are no partitions', () => {
      expect([...cache.tables.keys()]).to.have.members(['shop', 'other']);
      expect([...(cache.tables.get('shop')?.keys() ?? [])]).to.deep.equal([
        'both',
        'by_trigger',
        'chain',
        'cheap',
        'items',
        'makers',
        'odd',
        'odd_view',
        'orders',
        'totals',
        'visit_notes',
        'visits',
      ]);
    });

    it('have a kind and the commands that they allow', () => {
      const seen = ['items', 'orders', 'totals', 'cheap', 'visits', 'by_trigger'].map((name) => {
        const { kind, insertable, updatable, deletable } = table(name);
        return [kind, insertable, updatable, deletable];
      });
      expect(seen).to.deep.equal([
        ['table', true, true, true],
        ['view', true, true, true],
        ['view', false, false, false],
        ['materialized view', false, false, false],
        ['partitioned table', true, true, true],
        ['view', true, false, false],
      ]);
    });

    it('have descriptions and primary keys, also views', () => {
      expect(table('items').description).to.equal('What we sell');
      expect(column('items', 'price').description).to.equal('In euros');
      expect(table('items').primaryKey).to.deep.equal(['id']);
      expect(table('visits').primaryKey).to.deep.equal(['day', 'place']);
      expect(table('visit_notes').primaryKey).to.deep.equal([]);
      expect(table('orders').primaryKey).to.deep.equal(['number']);
      expect(table('cheap').primaryKey).to.deep.equal(['id']);
      expect(table('both').primaryKey).to.deep.equal([]);
      expect(table('odd_view').primaryKey).to.deep.equal([':resno']);
    });

    it('have columns in order, without dropped ones', () => {
      expect([...table('items').columns.keys()]).to.deep.equal(
        'id code short label fixed bits price size fit tags twice maker_id'.split(' '),
      );
    });
  });

  describe('columns', () => {
    it('have types with and without modifier, and the base type of a domain', () => {
      const names = ['code', 'short', 'label', 'fixed', 'bits', 'price', 'size', 'fit', 'tags'];
      const seen = names.map((name) => {
        const { type } = column('items', name);
        return [type.name, type.plainName, type.baseName, type.maxLength, type.isDomain];
      });
      expect(seen).to.deep.equal([
        ['shop.code', 'shop.code', 'character varying', 8, true],
        ['shop.short_code', 'shop.short_code', 'character varying', 8, true],
        ['character varying(20)', 'character varying', 'character varying', 20, false],
        ['character(4)', 'character', 'character', 4, false],
        ['bit(3)', 'bit', 'bit', 3, false],
        ['numeric(10,2)', 'numeric', 'numeric', null, false],
        ['shop.size', 'shop.size', 'shop.size', null, false],
        ['shop.fit', 'shop.fit', 'shop.size', null, true],
        ['text[]', 'text[]', 'text[]', null, false],
      ]);
    });

    it('share one value for equal types', () => {
      expect(column('items', 'maker_id').type).to.equal(column('makers', 'id').type);
    });

    it('have the labels of an enum, also through domains', () => {
      for (const name of ['size', 'fit']) {
        expect(column('items', name).type.enumLabels).to.deep.equal(['small', 'large', 'extra large']);
      }
    });

    it('have the nullability of the column or its domain', () => {
      expect(
        ['id', 'code', 'short', 'label', 'fixed'].map((name) => column('items', name).nullable),
      ).to.deep.equal([false, false, false, false, true]);
    });

    it('have their own default, else that of the domain, else that of its base domain', () => {
      expect(column('items', 'label').default).to.equal("'new'::character varying");
      expect(column('items', 'tags').default).to.equal("'{}'::text[]");
      expect(column('items', 'short').default).to.equal("'own'::character varying");
      expect(column('items', 'code').default).to.equal("'none'::character varying");
      expect(column('items', 'price').default).to.equal(null);
    });

    it('mark identities and generated columns', () => {
      expect(column('items', 'id')).to.include({ identity: 'by default', generated: false });
      expect(column('items', 'id').default).to.equal("nextval('shop.items_id_seq')");
      expect(column('makers', 'id')).to.include({ identity: 'always', default: null });
      expect(column('items', 'twice')).to.include({ identity: null, generated: true, default: null });
    });
  });

  describe('relationships', () => {
    it('belong to tables, views of hidden tables, materialized views and functions', () => {
      expect(related('items')).to.deep.equal([
        'one-to-many orders orders_item_id_fkey id=item',
        'one-to-many totals orders_item_id_fkey id=item',
        'many-to-one makers items_maker_id_fkey maker_id=id',
        'to-one makers maker_of()',
        'to-many items alike()',
      ]);
      expect(related('cheap')).to.include('many-to-one makers items_maker_id_fkey maker_id=id');
      expect(related('orders')).to.deep.equal([
        'many-to-one cheap orders_item_id_fkey item=id',
        'many-to-one items orders_item_id_fkey item=id',
      ]);
    });

    it('do not belong to other schemas, unions and expressions', () => {
      expect(related('items', 'other')).to.deep.equal([]);
      expect(related('both')).to.deep.equal([]);
      expect(related('totals').join()).not.to.contain('makers');
    });

    it('of partitioned tables are listed once', () => {
      expect(related('visits')).to.deep.equal([
        'one-to-many visit_notes visit_notes_day_place_fkey day=day,place=place',
      ]);
    });

    it('support names with brackets, quotes and backslashes', () => {
      const found = findRelationships(cache, { schema: 'shop', name: 'odd_view' }, 'odd', null);
      expect(lines(found)).to.deep.equal([
        'one-to-many odd odd_Größe, äöü_fkey :resno=Größe, äöü',
        'many-to-one odd odd_Größe, äöü_fkey :targetList (=a "b" {c} (d) \\e',
      ]);
    });
  });

  describe('functions', () => {
    it('are the callable ones, with overloads of fewer parameters first', () => {
      expect([...(cache.functions.get('shop')?.keys() ?? [])]).to.deep.equal([
        'add',
        'as_table',
        'colour',
        'loose',
        'many',
        'nothing',
        'one',
        'page',
        'pages',
        'sizes',
        'slow',
        'total',
        'whole',
      ]);
      expect(functions('add').map(({ parameters }) => parameters.length)).to.deep.equal([1, 2]);
      expect(functions('add')[1]?.description).to.equal('Adds');
      expect(cache.functions.has('hidden')).to.equal(false);
    });

    it('have their parameters', () => {
      expect(functions('add')[1]?.parameters).to.deep.equal([
        { name: 'a', type: 'integer', wideType: 'integer', required: true, variadic: false, default: null },
        { name: 'b', type: 'integer', wideType: 'integer', required: false, variadic: false, default: null },
      ]);
      expect(only('as_table').parameters).to.deep.equal([
        {
          name: 'c',
          type: 'character',
          wideType: 'character varying',
          required: true,
          variadic: false,
          default: null,
        },
      ]);
      expect(only('whole').parameters[0]).to.include({ name: '', type: 'json' });
    });

    it('distinguish input from output parameters in any order', () => {
      expect(only('many').parameters).to.deep.equal([
        { name: 'a', type: 'text', wideType: 'text', required: true, variadic: false, default: null },
        {
          name: 'v',
          type: 'bit[]',
          wideType: 'bit varying[]',
          required: false,
          variadic: true,
          default: `'{}'::"bit"[]`,
        },
      ]);
      expect(only('many').returns.columns).to.deep.equal([
        { name: 'x', type: 'integer' },
        { name: 'y', type: 'character' },
      ]);
    });

    it('have their result types', () => {
      const names = ['slow', 'sizes', 'one', 'as_table', 'many', 'loose', 'nothing'];
      const seen = names.map((name) => {
        const { kind, many, type, isDomain } = only(name).returns;
        return [kind, many, `${type.schema}.${type.name}`, isDomain];
      });
      expect(seen).to.deep.equal([
        ['scalar', false, 'pg_catalog.int4', false],
        ['scalar', true, 'shop.size', true],
        ['composite', false, 'shop.items', false],
        ['composite', true, 'pg_catalog.record', false],
        ['composite', true, 'pg_catalog.record', false],
        ['record', false, 'pg_catalog.record', false],
        ['void', false, 'pg_catalog.void', false],
      ]);
    });

    it('have their volatility, hoisted settings and isolation', () => {
      expect(only('slow')).to.include({ volatility: 'volatile', isolation: 'repeatable read' });
      expect(only('slow').settings).to.deep.equal([['statement_timeout', '1s']]);
      expect(functions('add')[0]).to.include({ volatility: 'immutable', isolation: null });
    });

    it('of one row are computed fields, also on the extra search path', () => {
      const fields = find(cache.computedFields, 'shop', 'items');
      expect([...(fields?.keys() ?? [])]).to.have.members(['total', 'shout', 'alike', 'maker_of']);
      expect(fields?.get('shout')).to.deep.equal([
        { function: { schema: 'tools', name: 'shout' }, type: 'text', many: false },
      ]);
    });
  });

  describe('media types and representations', () => {
    it('belong to functions that return a domain with their name', () => {
      expect(only('page').returns.media).to.deep.equal({
        mediaType: 'text/html',
        contentType: 'text/html',
        binary: false,
      });
      expect(only('pages').returns.media).to.equal(null);
    });

    it('belong to aggregates, for one relation or for any', () => {
      expect(find(cache.mediaHandlers.relation, 'shop', 'items')?.get('application/x-list')).to.deep.equal({
        mediaType: 'application/x-list',
        contentType: 'Application/X-List',
        binary: false,
        aggregate: { schema: 'shop', name: 'as_list' },
      });
      expect(cache.mediaHandlers.any.get('*/*')).to.deep.equal({
        mediaType: '*/*',
        contentType: 'application/octet-stream',
        binary: true,
        aggregate: { schema: 'shop', name: 'as_bytes' },
      });
    });

    it('are found by the type of a column, unless the authenticator may not use them', () => {
      const price = column('items', 'price');
      const colour = { type: { ...price.type, plainName: 'shop.colour' } };
      expect(toJson(cache, colour)).to.deep.equal({ schema: 'shop', name: 'json' });
      expect(fromText(cache, 'text', colour)).to.deep.equal({ schema: 'shop', name: 'colour' });
      expect(fromText(cache, 'json', colour)).to.equal(null);
      expect(toJson(cache, price)).to.equal(null);
      expect(toJson(cache, null)).to.equal(null);
    });
  });

  describe('privileges and settings of roles', () => {
    it('include grants on tables, columns and functions, and inheritance of roles', () => {
      const anon = privilegesOf(cache.roles, roles.anon);
      const staff = privilegesOf(cache.roles, roles.staff);
      expect(anon(table('makers').access, 'SELECT')).to.equal(true);
      expect(staff(table('makers').access, 'SELECT')).to.equal(true);
      expect(anon(table('items').access, 'UPDATE')).to.equal(true);
      expect(anon(table('items').access, 'DELETE')).to.equal(false);
      expect(staff(table('items').access, 'DELETE')).to.equal(true);
      expect(anon(table('odd').access, 'SELECT', 'INSERT', 'UPDATE', 'DELETE')).to.equal(false);
      expect(functions('add').map(({ access }) => staff(access, 'EXECUTE'))).to.deep.equal([false, true]);
    });

    it('include only settings that the authenticator may set, of roles that it may become', () => {
      expect([...cache.roleSettings]).to.deep.equal([
        [
          roles.anon,
          { settings: [['statement_timeout', '7s']], isolation: 'serializable', ceilings: new Map() },
        ],
      ]);
    });

    it('are not read if the setting is off', async () => {
      const without = await loadSchemaCache(database, { ...OPTIONS, roleSettings: false });
      expect(without.roleSettings.size).to.equal(0);
    });
  });

  it('can be rendered as JSON', () => {
    const text = [...dumpSchemaCache(cache)].join('');
    const shown = JSON.parse(text) as Record<string, { readonly name?: string; readonly access?: unknown }[]>;
    expect(Object.keys(shown)).to.deep.equal([
      'generation',
      'serverVersion',
      'schemas',
      'tables',
      'relationships',
      'functions',
      'computedFields',
      'representations',
      'mediaHandlers',
    ]);
    expect(shown['tables']).to.have.length(13);
    expect(shown['computedFields']?.map(({ name }) => name)).to.have.members([
      'total',
      'shout',
      'alike',
      'maker_of',
    ]);
    expect(shown['mediaHandlers']).to.have.length(2);
    expect(shown['functions']?.find(({ name }) => name === 'slow')?.access).to.deep.equal([
      { grantee: 'postgres', privileges: ['EXECUTE'] },
    ]);
    expect(text).not.to.contain('work_mem');
  });

  describe('loading', () => {
    it('takes a few trips, not one for each query', async () => {
      let trips = 0;
      let hasResponded = true;
      const relay = await openRelay(test.uriFor(roles.authenticator, PASSWORD), {
        fromClient: (send) => (chunk) => {
          if (hasResponded) trips++;
          hasResponded = false;
          send(chunk);
        },
        fromServer: (send) => (chunk) => {
          hasResponded = true;
          send(chunk);
        },
      });
      const relayed = openDatabase(relay.uri, { poolSize: 1, pipelined: true });
      try {
        await relayed.any('select 1');
        trips = 0;
        await loadSchemaCache(relayed, OPTIONS);
        expect(trips).to.be.within(3, 8);
      } finally {
        await closeDatabase(relayed);
        await relay.close();
      }
    });

    it('leaves the connection as it was', async () => {
      const next = await loadSchemaCache(database, { ...OPTIONS, generation: 8 });
      expect(next.generation).to.equal(8);
      const [settings] = await database.any<{ path: string; mode: string }>(
        "select current_setting('search_path') as path, current_setting('transaction_read_only') as mode",
      );
      expect(settings).to.deep.equal({ path: '"$user", public', mode: 'off' });
    });

    it('returns an empty cache for empty schemas', async () => {
      const empty = await loadSchemaCache(database, { ...OPTIONS, schemas: ['missing'] });
      expect([empty.tables.size, empty.relationships.size, empty.functions.size]).to.deep.equal([0, 0, 0]);
    });

    it('includes changes since the last load', async () => {
      await withSession(test.uri, (session) =>
        session.script('create table shop.fresh (id int primary key)'),
      );
      const next = await loadSchemaCache(database, { ...OPTIONS, generation: 9 });
      expect(find(next.tables, 'shop', 'fresh')?.primaryKey).to.deep.equal(['id']);
      expect(find(cache.tables, 'shop', 'fresh')).to.equal(undefined);
    });
  });

  describe('settings in the database', () => {
    const names = ['db-schemas', 'db-max-rows', 'db-tx-end'];
    const texts = (settings: ReadonlyMap<string, DatabaseSetting>) =>
      Object.fromEntries([...settings].map(([name, { text }]) => [name, text]));

    it('belong to the authenticator; those for this database take precedence', async () => {
      const settings = await loadDatabaseSettings(database, { prefixes: ['dbr.'], names, preConfig: null });
      expect(texts(settings)).to.deep.equal({
        'db-schemas': 'shop, other',
        'db-max-rows': '20',
      });
      expect(settings.get('db-max-rows')?.inDatabase).to.equal('dbr.db_max_rows');
    });

    it('also come from a function, over which those of the role take precedence', async () => {
      const settings = await loadDatabaseSettings(database, {
        prefixes: ['dbr.'],
        names,
        preConfig: 'tools.pre_config',
      });
      expect(texts(settings)).to.deep.equal({
        'db-schemas': 'shop, other',
        'db-max-rows': '20',
        'db-tx-end': 'rollback',
      });
    });

    it('treat the name of the function as a name, not as SQL', async () => {
      for (const preConfig of ['tools.missing', 'missing', 'tools.pre_config"; select 1; --', "x'"]) {
        let refused: unknown = null;
        try {
          await loadDatabaseSettings(database, { prefixes: ['dbr.'], names, preConfig });
        } catch (error) {
          refused = error;
        }
        expect(refused, preConfig).to.have.property('code', '42883');
      }
    });
  });
});
