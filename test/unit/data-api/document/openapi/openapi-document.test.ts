import { expect } from 'chai';
import { describeAsOpenApi } from '../../../../../src/data-api/document/openapi-document.js';
import type { DocumentOptions } from '../../../../../src/data-api/document/model.js';
import type {
  Column,
  Privilege,
  Routine,
  SchemaCache,
  Table,
} from '../../../../../src/data-api/schema-cache/types.js';
import type {
  Operation,
  Parameter,
  PathItem,
  Reference,
  RequestBody,
  Response,
  Schema,
  Tag,
} from '../../../../../src/data-api/document/openapi.js';
import { EVERYTHING } from '../../../../support/data-api/document-options.js';
import { FILM_CACHE } from '../../../../support/data-api/film-cache.js';

interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly security: readonly object[];
  readonly tags: readonly Tag[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly requestBodies?: Readonly<Record<string, RequestBody>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly securitySchemes: object;
  };
}

/** The methods of a path. */
const methodsOf = ({ parameters: _parameters, ...operations }: PathItem = {}): readonly string[] =>
  Object.keys(operations);

/** The body of an operation that states it itself. */
function bodyOf(operation: Operation | undefined): RequestBody {
  const body = operation?.requestBody;
  if (body === undefined || '$ref' in body) throw new Error('the operation states no body');
  return body;
}

const describeFilms = (cache: Partial<SchemaCache> = {}, options: Partial<DocumentOptions> = {}) =>
  JSON.parse(
    [...describeAsOpenApi({ ...FILM_CACHE, ...cache }, { ...EVERYTHING, ...options })].join(''),
  ) as OpenApiDocument;

function films(): Table {
  const found = FILM_CACHE.tables.get('api')?.get('films');
  if (found === undefined) throw new Error('there are no films');
  return found;
}

const refersTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const tablesOf = (...tables: readonly Table[]): Partial<SchemaCache> => ({
  tables: new Map([['api', new Map(tables.map((table) => [table.name, table]))]]),
});

function withColumn(name: string, changes: Partial<Column>): Table {
  const table = films();
  const column = table.columns.get('title');
  if (column === undefined) throw new Error('films have no title');
  return { ...table, columns: new Map([...table.columns, [name, { ...column, name, ...changes }]]) };
}

const filmsWith = (name: string, changes: Partial<Column>): Partial<SchemaCache> =>
  tablesOf(withColumn(name, changes));

const withDefaults = (table: Table): Table => ({
  ...table,
  columns: new Map([...table.columns].map(([name, column]) => [name, { ...column, nullable: true }])),
});

const functionsOf = (...routines: readonly Routine[]): Partial<SchemaCache> => ({
  functions: new Map([['api', new Map(routines.map((routine) => [routine.name, [routine]]))]]),
});

function routine(name: string): Routine {
  const [found] = FILM_CACHE.functions.get('api')?.get(name) ?? [];
  if (found === undefined) throw new Error(`there is no function ${name}`);
  return found;
}

describe('a schema as OpenAPI 3.1', () => {
  describe('rows', () => {
    it('contain every column when read, with null if the column allows it', () => {
      const row = describeFilms().components.schemas['films'];
      expect(row?.required).to.deep.equal([...films().columns.keys()]);
      expect(row?.properties?.['id']).to.deep.equal({
        type: 'integer',
        description: 'Part of the primary key.',
      });
      expect(row?.properties?.['year']).to.deep.equal({ type: ['integer', 'null'] });
      expect(row?.properties?.['details']).to.deep.equal({});
      expect(row?.properties?.['genres']).to.deep.equal({
        type: ['array', 'null'],
        items: { type: 'string' },
      });
    });

    it('require columns without default and null in an insert, and no column in an update', () => {
      const { schemas } = describeFilms(filmsWith('code', { nullable: false, default: null })).components;
      expect(schemas['films.insert']?.required).to.deep.equal(['code']);
      expect(schemas['films.update']).to.not.have.property('required');
      expect(schemas['films.update']?.properties).to.have.property('code');
    });

    it('of an update are those of an insert, by reference, if no column is required', () => {
      const { schemas } = describeFilms(tablesOf(withDefaults(films()))).components;
      expect(schemas['films.insert']).to.not.have.property('required');
      expect(schemas['films.update']).to.deep.equal({ $ref: '#/components/schemas/films.insert' });
      const { schemas: readOnly } = describeFilms(
        tablesOf({ ...withDefaults(films()), insertable: false }),
      ).components;
      expect(readOnly).to.not.have.property('films.insert');
      expect(readOnly['films.update']?.properties).to.have.property('title');
    });

    it('omit generated columns when written', () => {
      for (const changes of [{ generated: true }, { identity: 'always' }] as const) {
        const { schemas } = describeFilms(filmsWith('made', { nullable: false, ...changes })).components;
        expect(schemas['films']?.properties).to.have.property('made');
        expect(schemas['films.insert']?.properties).to.not.have.property('made');
        expect(schemas['films.update']).to.deep.equal({ $ref: '#/components/schemas/films.insert' });
      }
    });

    it('name the labels of an enum, and null beside them', () => {
      const type = { ...(films().columns.get('title')?.type ?? never()), enumLabels: ['g', 'pg'] };
      const { schemas } = describeFilms(filmsWith('rating', { type, nullable: true })).components;
      expect(schemas['films']?.properties?.['rating']).to.deep.equal({
        anyOf: [{ type: 'string', enum: ['g', 'pg'] }, { type: 'null' }],
      });
    });

    it('have any schema for types whose own cast makes the JSON', () => {
      const { schemas } = describeFilms().components;
      expect(schemas['films']?.properties?.['poster']).to.deep.equal({});
    });
  });

  describe('in version', () => {
    const contentOf = (response: Response | Reference | undefined) =>
      response !== undefined && 'content' in response ? response.content : undefined;
    const formsOf = (version: DocumentOptions['version']) => {
      const { openapi, paths } = describeFilms({}, { version });
      const { get, post, patch, query } = paths['/films'] ?? {};
      return {
        openapi,
        rows: contentOf(get?.responses['200']),
        bodies: [post, patch].map((operation) => Object.keys(bodyOf(operation).content)),
        query: query === undefined ? null : { id: query.operationId, body: bodyOf(query).content },
        answersAlike:
          query !== undefined && JSON.stringify(query.responses) === JSON.stringify(get?.responses),
      };
    };
    const rows = { schema: { type: 'array', items: refersTo('films') } };
    const text = { schema: { type: 'string' } };
    /** What a media handler of the database makes. */
    const rendered = { 'application/x-list': { schema: {} } };

    it('3.1 describe JSON alone, of which generators make one method for each operation', () => {
      expect(formsOf('3.1')).to.deep.equal({
        openapi: '3.1.0',
        rows: { 'application/json': rows, ...rendered },
        bodies: [['application/json'], ['application/json']],
        query: null,
        answersAlike: false,
      });
    });

    it('3.2 describe all media types, the items of streams and QUERY', () => {
      const csv = ['text/csv', 'text/csv; dialect=rfc4180'];
      const body = { schema: refersTo('Query') };
      expect(formsOf('3.2')).to.deep.equal({
        openapi: '3.2.0',
        rows: {
          'application/json': rows,
          'application/vnd.pgrst.object+json': { schema: refersTo('films') },
          'text/csv': text,
          'text/csv; dialect=rfc4180': text,
          'application/x-ndjson': { itemSchema: refersTo('films') },
          ...rendered,
        },
        bodies: [
          ['application/json', ...csv, 'application/x-ndjson'],
          ['application/json', ...csv],
        ],
        query: {
          id: 'query_films',
          body: { 'application/json': body, 'application/x-www-form-urlencoded': body },
        },
        answersAlike: true,
      });
    });
  });

  describe('live reads', () => {
    const events = { itemSchema: refersTo('LiveReadEvent') };

    it('are events of GET and QUERY in 3.2', () => {
      const { paths, components } = describeFilms({}, { version: '3.2', hasLive: true });
      const described = Object.entries(paths).flatMap(([path, { parameters: _parameters, ...operations }]) =>
        Object.entries(operations).flatMap(([method, { responses }]) =>
          Object.entries(responses)
            .filter(([, response]) => 'content' in response && 'text/event-stream' in response.content)
            .map(([status, response]) => {
              if (!('content' in response)) throw new Error('the response states no content');
              expect(response.content['text/event-stream']).to.deep.equal(events);
              return `${method} ${path} ${status}`;
            }),
        ),
      );
      expect(described).to.include.members(['get /films 200', 'query /films 200']);
      expect(described.every((each) => /^(get|query) .* 200$/.test(each))).to.equal(true);
      expect(components.schemas).to.have.property('LiveReadEvent');
    });

    it('are named in the text of 3.1, and absent where they are off', () => {
      const { info, ...rest } = describeFilms({}, { hasLive: true });
      expect(info.description).to.include('text/event-stream');
      expect(JSON.stringify(rest)).not.to.match(/event-stream|LiveReadEvent/);
      expect(JSON.stringify(describeFilms({}, { version: '3.2' }))).not.to.match(
        /event-stream|LiveReadEvent/,
      );
    });
  });

  describe('relations', () => {
    it('have the operations that the relation allows', () => {
      const verbs = (changes: Partial<Table>): readonly string[] =>
        methodsOf(describeFilms(tablesOf({ ...films(), ...changes })).paths['/films']);
      expect(verbs({})).to.deep.equal(['get', 'post', 'put', 'patch', 'delete']);
      expect(verbs({ primaryKey: [] })).to.deep.equal(['get', 'post', 'patch', 'delete']);
      expect(verbs({ insertable: false })).to.deep.equal(['get', 'patch', 'delete']);
      expect(verbs({ insertable: false, updatable: false, deletable: false })).to.deep.equal(['get']);
    });

    it('have the columns to write in the operations that write rows', () => {
      const { parameters: _parameters, ...operations } = describeFilms().paths['/films'] ?? {};
      const writing = Object.entries(operations).filter(([, { parameters }]) =>
        JSON.stringify(parameters ?? []).includes('#/components/parameters/columns'),
      );
      expect(writing.map(([method]) => method)).to.deep.equal(['post', 'put', 'patch']);
    });

    it('are filtered by their columns, whose names are quoted where they would be parameters or paths', () => {
      for (const [name, component, key] of [
        ['year', 'filter.year', 'year'],
        ['été 1', 'filter._e9_t_e9__20_1', 'été 1'],
        ['order', 'filter.order', '"order"'],
        ['a.b', 'filter.a.b', '"a.b"'],
        ['x,y"\\', 'filter.x_2c_y_22__5c_', String.raw`"x,y\"\\"`],
      ] as const) {
        const { paths, components } = describeFilms(filmsWith(name, {}));
        expect(JSON.stringify(paths['/films']?.parameters)).to.include(
          `#/components/parameters/${component}"`,
        );
        expect(components.parameters[component]?.name).to.equal(key);
        expect(components.parameters['order']?.description).to.match(/desc/);
      }
    });

    it('with unusual names have valid paths and component names', () => {
      const odd = (name: string): Table => ({ ...films(), name });
      const { paths, components } = describeFilms(
        tablesOf(odd('a b'), odd('a_20_b'), odd('{x}/é'), odd('Error')),
      );
      expect(Object.keys(paths)).to.include.members(['/a%20b', '/a_20_b', '/%7Bx%7D%2F%C3%A9', '/Error']);
      const names = Object.keys(components.schemas);
      expect(names).to.include.members(['a_20_b', 'a_20_b_2', '_7b_x_7d__2f__e9_', 'Error_2']);
      expect(names.filter((name) => !/^[\w.-]+$/.test(name))).to.deep.equal([]);
    });
  });

  it('has a batch that succeeds as an example, where a relation may be read', () => {
    const examplesOf = (cache: Partial<SchemaCache>): readonly string[] => {
      const body = describeFilms(cache, { maxBatch: 3 }).paths['/']?.post?.requestBody;
      const [content] = body === undefined || '$ref' in body ? [] : Object.values(body.content);
      return Object.values(content?.examples ?? {}).map(({ value }) => JSON.stringify(value));
    };
    expect(examplesOf(tablesOf(films())).slice(1)).to.deep.equal([
      '[{"method":"GET","path":"/films?limit=1"}]',
    ]);
    expect(examplesOf({ tables: new Map() })).to.have.length(1);
  });

  describe('bodies with related rows', () => {
    const orNull = (name: string) => ({ anyOf: [refersTo(name), { type: 'null' }] });
    const arrayOf = (name: string) => ({ type: 'array', items: refersTo(name) });

    /** What a role with these privileges sees. */
    const describedFor = (privileges: Readonly<Record<string, readonly Privilege[]>>) => {
      const tables = [...(FILM_CACHE.tables.get('api')?.values() ?? [])].map((table) => ({
        ...table,
        access: new Map([['writer', new Set(privileges[table.name] ?? [])]]),
      }));
      return describeFilms(
        { ...tablesOf(...tables), roles: new Map(), functions: new Map() },
        { role: 'writer' },
      );
    };
    const graphsOf = ({ components }: OpenApiDocument): readonly string[] =>
      Object.keys(components.schemas).filter((name) => name.endsWith('.graph'));

    it('are those that the role may insert', () => {
      const document = describedFor({ films: ['INSERT'], roles: ['INSERT'], people: ['SELECT'] });
      const { schemas } = document.components;
      expect(graphsOf(document)).to.have.members(['films.graph', 'roles.graph']);
      expect(schemas['films.graph']?.properties?.['roles']).to.deep.equal(arrayOf('roles.graph'));
      expect(schemas['roles.graph']?.properties?.['films']).to.deep.equal(orNull('films.graph'));
      expect(bodyOf(document.paths['/films']?.post).content['application/json']?.schema).to.deep.equal({
        anyOf: [refersTo('films.graph'), arrayOf('films.graph')],
      });
      expect(graphsOf(describedFor({ films: ['INSERT'] }))).to.deep.equal([]);
    });
  });

  describe('of more than 1,000 relations', () => {
    const MANY = 1001;
    const manyLike = (table: Table) =>
      tablesOf(...Array.from({ length: MANY }, (_, at) => ({ ...table, name: `films_${String(at)}` })));

    /** The first relation of a large schema that has tables like this one. */
    const first = (table: Table, cache: Partial<SchemaCache> = {}) => {
      const document = describeFilms({ ...manyLike(table), ...cache });
      return { document, path: document.paths['/films_0'], schemas: document.components.schemas };
    };
    const refersTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

    it('has the same operations, parameters and rows, and states once what holds for all', () => {
      const small = describeFilms(tablesOf({ ...films(), name: 'films_0' }));
      const { document, path } = first(films());
      expect(document).to.not.have.property('tags');
      expect(document.components).to.not.have.property('headers');
      expect(document.info.description).to.match(/`text\/csv`.*`Content-Range` and `ETag`\.$/s);
      const full = small.paths['/films_0'];
      expect(methodsOf(path)).to.deep.equal(methodsOf(full));
      expect(path?.parameters).to.have.deep.members([
        ...(full?.parameters ?? []),
        ...['offset', 'after', 'columns', 'on_conflict'].map((name) => ({
          $ref: `#/components/parameters/${name}`,
        })),
      ]);
      expect(path?.post).to.deep.equal({
        operationId: 'post_films_0',
        requestBody: { $ref: '#/components/requestBodies/films_0.body' },
        responses: {
          '2XX': { $ref: '#/components/responses/films_0.rows' },
          '4XX': { $ref: '#/components/responses/Refused' },
        },
      });
      expect(path?.put?.requestBody).to.deep.equal({
        required: true,
        content: { 'application/json': { schema: refersTo('films_0.insert') } },
      });
      expect(path?.patch?.requestBody).to.deep.equal(path?.post?.requestBody);
      expect(path?.delete).to.not.have.property('requestBody');
      expect(document.components.responses['films_0.rows']).to.deep.equal({
        description: 'The rows.',
        content: { 'application/json': { schema: { type: 'array', items: refersTo('films_0') } } },
      });
      expect(document.components.requestBodies?.['films_0.body']).to.deep.equal({
        required: true,
        content: {
          'application/json': {
            schema: {
              anyOf: [refersTo('films_0.insert'), { type: 'array', items: refersTo('films_0.insert') }],
            },
          },
        },
      });
    });

    it('has rows that require the members of the body, and state what it does not', () => {
      const { schemas } = first(films());
      const { schemas: full } = describeFilms(tablesOf({ ...films(), name: 'films_0' })).components;
      expect(schemas['films_0.insert']).to.deep.equal(full['films_0.insert']);
      expect(schemas).to.not.have.property('films_0.update');
      expect(schemas['films_0']).to.deep.equal({
        allOf: [refersTo('films_0.insert')],
        type: 'object',
        required: [...films().columns.keys()],
        properties: { id: { type: 'integer', description: 'Part of the primary key.' } },
      });
    });

    it('has two bodies if inserts require columns', () => {
      const { path, schemas, document } = first(withColumn('code', { nullable: false, default: null }));
      const required = { type: 'string' };
      expect(schemas['films_0.insert']).to.deep.equal({
        allOf: [refersTo('films_0.update')],
        type: 'object',
        required: ['code'],
        properties: { code: required },
      });
      expect(schemas['films_0.update']).to.not.have.property('required');
      expect(schemas['films_0.update']?.properties).to.deep.include({ code: required });
      expect(schemas['films_0']?.allOf).to.deep.equal([refersTo('films_0.update')]);
      const itemsOf = (operation: Operation | undefined) =>
        bodyOf(operation).content['application/json']?.schema?.anyOf?.[0];
      expect([path?.post, path?.patch].map(itemsOf)).to.deep.equal([
        refersTo('films_0.insert'),
        refersTo('films_0.update'),
      ]);
      expect(document.components).to.not.have.property('requestBodies');
    });

    it('has the whole row where there is no body, or where values have another form in it', () => {
      const readOnly = first({ ...films(), insertable: false, updatable: false });
      expect(readOnly.schemas['films_0']?.properties).to.have.all.keys(...films().columns.keys());
      expect(readOnly.schemas['films_0']).to.not.have.property('allOf');
      expect(readOnly.schemas).to.not.have.any.keys('films_0.insert', 'films_0.update');
      const readAsText = FILM_CACHE.representations.get('api.colour') ?? never();
      const converted = first(films(), { representations: new Map([['api.colour', readAsText]]) });
      expect(converted.schemas['films_0']).to.not.have.property('allOf');
      expect(converted.schemas['films_0']?.properties?.['poster']).to.deep.equal({});
      expect(converted.schemas['films_0.insert']?.properties?.['poster']).to.deep.equal({
        type: ['integer', 'null'],
      });
      const insertOnly = first({ ...withColumn('made', { generated: true }), updatable: false });
      expect(insertOnly.schemas['films_0']?.properties).to.have.all.keys('id', 'made');
      expect(insertOnly.schemas['films_0.insert']?.properties).to.not.have.property('made');
      expect(bodyOf(insertOnly.path?.post).content).to.have.all.keys('application/json');
    });

    it('has a column of the row where no generator would find required members otherwise', () => {
      const { schemas } = first({ ...films(), primaryKey: [] });
      expect(Object.keys(schemas['films_0']?.properties ?? {})).to.deep.equal(['id']);
    });

    it('takes a bounded number of bytes for each relation', () => {
      const ofNine = manyLike(withColumn('code', { nullable: true }));
      const text = [...describeAsOpenApi({ ...FILM_CACHE, ...ofNine }, EVERYTHING)].join('');
      expect(text.length / MANY).to.be.below(3050);
    });
  });

  describe('functions', () => {
    it('have no GET if they are volatile', () => {
      const { paths } = describeFilms();
      expect(Object.keys(paths['/rpc/films_since'] ?? {})).to.deep.equal(['get', 'post']);
      expect(Object.keys(paths['/rpc/new_films'] ?? {})).to.deep.equal(['post']);
    });

    it('refer to the rows of a described relation', () => {
      const { paths } = describeFilms();
      expect(JSON.stringify(paths['/rpc/films_since']?.get?.responses['200'])).to.include(
        '"application/json":{"schema":{"type":"array","items":{"$ref":"#/components/schemas/films"}}}',
      );
    });

    it('have the schema of the value that they return', () => {
      const { paths } = describeFilms();
      expect(paths['/rpc/add']?.post?.responses['200']).to.deep.equal({
        description: 'The result.',
        content: { 'application/json': { schema: { type: ['integer', 'null'] } } },
      });
    });

    it('require the arguments without a default', () => {
      const body = bodyOf(describeFilms().paths['/rpc/add']?.post);
      expect(body.required).to.equal(true);
      expect(body.content['application/json']?.schema).to.include({ type: 'object' });
      expect(body.content['application/json']?.schema?.required).to.deep.equal(['a']);
    });

    it('accept repeated variadic arguments', () => {
      const [values] = describeFilms().paths['/rpc/total']?.get?.parameters ?? [];
      expect(values).to.deep.equal({
        name: 'values',
        in: 'query',
        required: true,
        schema: { type: 'array', items: { type: 'integer' } },
      });
    });

    it('with one unnamed parameter accept the body itself', () => {
      const { paths } = describeFilms();
      expect(Object.keys(paths['/rpc/take'] ?? {})).to.deep.equal(['post']);
      expect(bodyOf(paths['/rpc/take']?.post).content).to.deep.equal({
        'application/json': { schema: {} },
      });
    });

    it('with overloads accept the arguments of each overload', () => {
      const { paths } = describeFilms();
      const argumentsOf = (type: string) => ({
        type: 'object',
        required: ['size'],
        properties: { size: { type: [type, 'null'] } },
      });
      expect(bodyOf(paths['/rpc/measure']?.post).content['application/json']?.schema).to.deep.equal({
        anyOf: [argumentsOf('integer'), argumentsOf('string')],
      });
      expect(paths['/rpc/measure']?.get?.parameters?.[0]).to.deep.include({
        name: 'size',
        required: true,
        schema: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
      });
    });

    it('have status 204 if they return nothing', () => {
      const act = routine('new_films');
      const { paths } = describeFilms(functionsOf({ ...act, returns: { ...act.returns, kind: 'void' } }));
      expect(Object.keys(paths['/rpc/new_films']?.post?.responses ?? {})).to.deep.equal([
        '204',
        '400',
        'default',
      ]);
    });

    it('have the media types that they render', () => {
      const act = routine('add');
      const media = { mediaType: 'image/png', contentType: 'image/png', binary: true };
      const { paths } = describeFilms(functionsOf({ ...act, returns: { ...act.returns, media } }));
      expect(paths['/rpc/add']?.get?.responses['200']).to.deep.equal({
        description: 'The result.',
        content: { 'image/png': { schema: {} } },
      });
    });

    it('have the columns that they declare', () => {
      const act = routine('add');
      const columns = [
        { name: 'code', type: 'character' },
        { name: 'distance', type: 'double precision' },
      ];
      const returns = {
        ...act.returns,
        kind: 'composite',
        type: { schema: 'pg_catalog', name: 'record' },
        columns,
      } as const;
      const { paths } = describeFilms(functionsOf({ ...act, returns }));
      expect(paths['/rpc/add']?.get?.responses['200']).to.have.nested.property(
        'content.application/json.schema.required',
      );
    });
  });

  it('names its server and how to authenticate', () => {
    const document = describeFilms({}, { publicUri: 'https://api.example.org/v1' });
    expect(document.servers).to.deep.equal([{ url: 'https://api.example.org/v1' }]);
    expect(document.security).to.deep.equal([{ jwt: [] }, {}]);
    expect(document.components.securitySchemes).to.have.property('jwt');
    expect(describeFilms().servers).to.deep.equal([{ url: '/' }]);
  });

  it('describes the objects that the role may use', () => {
    const access = new Map([['reader', new Set(['SELECT'] as const)]]);
    const roles = new Map();
    const pathsFor = (role: string): readonly string[] =>
      Object.keys(
        describeFilms({ ...tablesOf({ ...films(), access }), roles, functions: new Map() }, { role }).paths,
      );
    expect(pathsFor('reader')).to.deep.equal(['/', '/films']);
    expect(pathsFor('stranger')).to.deep.equal(['/']);
  });

  it('describes itself', () => {
    const { paths } = describeFilms();
    expect(paths['/']?.get?.responses['200']).to.deep.equal({
      description: 'The description as OpenAPI.',
      content: { 'application/openapi+json': { schema: { type: 'object' } } },
    });
  });

  it('describes exactly the operations for which the role has privileges', () => {
    const described = (...privileges: Privilege[]) =>
      describeFilms(
        {
          ...tablesOf({ ...films(), access: new Map([['writer', new Set(privileges)]]) }),
          roles: new Map(),
          functions: new Map(),
        },
        { role: 'writer' },
      );
    const methods = (...privileges: Privilege[]): readonly string[] =>
      methodsOf(described(...privileges).paths['/films']);
    expect(methods('SELECT')).to.deep.equal(['get']);
    expect(methods('INSERT')).to.deep.equal(['post']);
    expect(methods('INSERT', 'UPDATE')).to.deep.equal(['post', 'put', 'patch']);
    expect(methods('SELECT', 'DELETE')).to.deep.equal(['get', 'delete']);
    const { schemas, parameters } = described('INSERT').components;
    expect(Object.keys(schemas).filter((name) => name.startsWith('films'))).to.deep.equal([
      'films',
      'films.insert',
    ]);
    expect(Object.keys(parameters)).to.deep.equal(['select', 'columns', 'on_conflict', 'Prefer']);
  });

  it('gives each operation a unique identifier, and declares every tag', () => {
    const odd = (name: string): Table => ({ ...films(), name });
    const document = describeFilms(tablesOf(odd('a b'), odd('a_20_b'), odd('rpc_add')));
    const operations = Object.values(document.paths).flatMap(({ parameters: _parameters, ...item }) =>
      Object.values(item),
    );
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).to.equal(ids.length);
    expect(ids).to.include.members(['get_a_20_b', 'get_a_20_b_2', 'post_rpc_add']);
    expect(document.tags.map(({ name }) => name)).to.include.members(operations.flatMap(({ tags }) => tags));
  });

  it('takes summaries and descriptions from comments', () => {
    const commented = tablesOf({ ...films(), description: 'Films of the festival\n\nSince 1968.' });
    const get = describeFilms(commented).paths['/films']?.get;
    expect(get?.summary).to.equal('Films of the festival');
    expect(get?.description).to.equal('Read rows of `films`.\n\nSince 1968.');
    expect(describeFilms(tablesOf({ ...films(), description: null })).paths['/films']?.get?.summary).to.equal(
      'Read rows of films',
    );
  });
});

function never(): never {
  throw new Error('not there');
}
