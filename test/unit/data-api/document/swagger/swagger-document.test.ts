import { expect } from 'chai';
import { describeAsSwagger, type PathItem } from '../../../../../src/data-api/document/swagger.js';

import type { DocumentOptions } from '../../../../../src/data-api/document/model.js';
import type { Privilege, SchemaCache, Table } from '../../../../../src/data-api/schema-cache/types.js';
import { EVERYTHING } from '../../../../support/data-api/document-options.js';
import { FILM_CACHE } from '../../../../support/data-api/film-cache.js';

/** The parts of the document that the tests read. */
interface SwaggerDocument {
  readonly info: unknown;
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly definitions: Readonly<Record<string, unknown>>;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly security?: unknown;
  readonly securityDefinitions?: Readonly<Record<string, unknown>>;
  readonly host?: string;
  readonly basePath?: string;
  readonly schemes?: readonly string[];
}

const describeFilms = (cache: Partial<SchemaCache> = {}, options: Partial<DocumentOptions> = {}) =>
  JSON.parse(
    [...describeAsSwagger({ ...FILM_CACHE, ...cache }, { ...EVERYTHING, ...options })].join(''),
  ) as SwaggerDocument;

/** The films alone, changed as given. */
function filmsAs(changes: Partial<Table>): Partial<SchemaCache> {
  const films = FILM_CACHE.tables.get('api')?.get('films');
  if (films === undefined) throw new Error('there are no films');
  const changed = { ...films, ...changes };
  return { tables: new Map([['api', new Map([[changed.name, changed]])]]) };
}

const commented = (description: string | null): Partial<SchemaCache> => ({
  schemas: [{ name: 'api', description }],
});

describe('description of a schema', () => {
  it('lists the root, then relations, then functions', () => {
    const { paths, definitions } = describeFilms();
    const relations = ['films', 'people', 'roles', 'specs', 'film_list', 'notes'];
    expect(Object.keys(definitions)).to.deep.equal(relations);
    expect(Object.keys(paths).slice(0, 7)).to.deep.equal(['/', ...relations.map((name) => `/${name}`)]);
    expect(Object.keys(paths).slice(7)).to.include.members(['/rpc/add', '/rpc/total', '/rpc/measure']);
  });

  it('describes no other schema', () => {
    const { paths, definitions } = describeFilms({}, { schema: 'elsewhere' });
    expect(Object.keys(paths)).to.deep.equal(['/']);
    expect(definitions).to.deep.equal({});
  });

  it('contains no dangling reference', () => {
    const document = describeFilms(filmsAs({ name: 'a/b~c' }));
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map(([, text]) => text);
    const known = new Set([
      ...Object.keys(document.parameters).map((name) => `#/parameters/${escaped(name)}`),
      ...Object.keys(document.definitions).map((name) => `#/definitions/${escaped(name)}`),
    ]);
    expect(references).to.include('#/definitions/a~1b~0c');
    expect(references.filter((text) => text === undefined || !known.has(text))).to.deep.equal([]);
  });

  describe('for a role', () => {
    const access = new Map<string, ReadonlySet<Privilege>>([
      ['reader', new Set(['SELECT'])],
      ['cleaner', new Set(['TRUNCATE', 'REFERENCES'])],
    ]);
    const roles = new Map([['member', { superuser: false, bypassesPolicies: false, inherits: ['reader'] }]]);
    const seenBy = (role: string): readonly string[] =>
      Object.keys(describeFilms({ ...filmsAs({ access }), roles, functions: new Map() }, { role }).paths);

    it('shows objects that it may read or write, directly or by inheritance', () => {
      expect(seenBy('reader')).to.deep.equal(['/', '/films']);
      expect(seenBy('member')).to.deep.equal(['/', '/films']);
    });

    it('hides other objects, also those that it may only truncate or reference', () => {
      expect(seenBy('stranger')).to.deep.equal(['/']);
      expect(seenBy('cleaner')).to.deep.equal(['/']);
    });

    it('hides functions that it may not execute, and describes the overload that it may', () => {
      const [integer, text] = FILM_CACHE.functions.get('api')?.get('measure') ?? [];
      if (integer === undefined || text === undefined) throw new Error('measure is not overloaded');
      const noRole = new Map();
      const functions = new Map([
        [
          'api',
          new Map([
            ['measure', [integer, { ...text, access: noRole }]],
            ['secret', [{ ...text, name: 'secret', access: noRole }]],
          ]),
        ],
      ]);
      const { paths } = describeFilms({ functions, tables: new Map() }, { role: 'reader' });
      expect(Object.keys(paths)).to.deep.equal(['/', '/rpc/measure']);
      expect(paths['/rpc/measure']?.get?.parameters).to.deep.equal([
        { name: 'size', in: 'query', required: true, type: 'integer', format: 'integer' },
      ]);
    });
  });

  it('describes the overload whose parameters have names', () => {
    const [integer, text] = FILM_CACHE.functions.get('api')?.get('measure') ?? [];
    if (integer === undefined || text === undefined) throw new Error('measure is not overloaded');
    const unnamed = { ...text, parameters: text.parameters.map((parameter) => ({ ...parameter, name: '' })) };
    const functions = new Map([['api', new Map([['measure', [integer, unnamed]]])]]);
    const { paths } = describeFilms({ functions, tables: new Map() }, { role: 'reader' });
    expect(paths['/rpc/measure']?.get?.parameters).to.deep.equal([
      { name: 'size', in: 'query', required: true, type: 'integer', format: 'integer' },
    ]);
  });

  describe('of itself', () => {
    it('has a title and a description when the schema has no comment', () => {
      expect(describeFilms().info).to.include({
        title: 'dbr API',
        description: 'This is a dynamic API generated by dbr',
      });
    });

    it('takes the title from the first line of the comment, and the rest after blank lines', () => {
      expect(describeFilms(commented('Films')).info).to.include({ title: 'Films', description: '' });
      expect(describeFilms(commented('Films\nand who\n\nmade them')).info).to.include({
        title: 'Films',
        description: 'and who\n\nmade them',
      });
      expect(describeFilms(commented('Films\n\n\nand people')).info).to.include({
        title: 'Films',
        description: 'and people',
      });
    });

    it('contains its address only with a public URI', () => {
      expect(describeFilms()).to.not.have.any.keys('host', 'basePath', 'schemes');
      const address = (publicUri: string) => {
        const { host, basePath, schemes } = describeFilms({}, { publicUri });
        return { host, basePath, schemes };
      };
      expect(address('https://films.example/api')).to.deep.equal({
        host: 'films.example:443',
        basePath: '/api',
        schemes: ['https'],
      });
      expect(address('http://[::1]:8080')).to.deep.equal({
        host: '[::1]:8080',
        basePath: '/',
        schemes: ['http'],
      });
    });

    it('requires a token only if the setting is on', () => {
      expect(describeFilms()).to.not.have.any.keys('security', 'securityDefinitions');
      const { security, securityDefinitions } = describeFilms({}, { withSecurity: true });
      expect(security).to.deep.equal([{ JWT: [] }]);
      expect(securityDefinitions?.['JWT']).to.include({
        in: 'header',
        name: 'Authorization',
        type: 'apiKey',
      });
    });
  });
});

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
