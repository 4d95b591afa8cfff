import { expect } from 'chai';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { descriptionBody } from '../../../../src/data-api/description.js';
import { createDescriptions } from '../../../../src/data-api/document/describe.js';
import type { DocumentPlan } from '../../../../src/data-api/plan/plan.js';
import type { SchemaCache, Table } from '../../../../src/data-api/schema-cache/types.js';
import { FILM_CACHE } from '../../../support/data-api/film-cache.js';
import { DATA_API_SETTINGS } from '../../../support/data-api/pipeline.js';

const SETTINGS = { ...DATA_API_SETTINGS, 'openapi-mode': 'ignore-privileges' } as const;

const plan = (version: DocumentPlan['version']): DocumentPlan => ({
  kind: 'document',
  schema: 'api',
  version,
  contentType: 'application/openapi+json; charset=utf-8',
});

/** A schema with that many relations. */
function relations(count: number): SchemaCache {
  const films = FILM_CACHE.tables.get('api')?.get('films');
  if (films === undefined) throw new Error('there are no films');
  const tables = Array.from({ length: count }, (_, at): [string, Table] => {
    const name = `films_${String(at)}`;
    return [name, { ...films, name }];
  });
  return { ...FILM_CACHE, tables: new Map([['api', new Map(tables)]]) };
}

const textOf = (body: ReturnType<typeof descriptionBody>): Promise<string> => text(Readable.from(body));

describe('the description of a schema', () => {
  for (const version of ['2.0', '3.1'] as const)
    it(`of ${version} is its text`, async () => {
      const description = await createDescriptions(relations(2), SETTINGS, '').of(plan(version), 'reader');
      const text = await textOf(descriptionBody(description));
      expect(JSON.parse(text)).to.have.property('paths');
      const { bytes, length, isPacked } = description;
      expect([bytes.toString('utf8'), length, isPacked]).to.deep.equal([
        text,
        Buffer.byteLength(text),
        false,
      ]);
    });

  it('is cached compressed if it is long, and has at most 6.5 kB of text for a relation', async () => {
    const count = 500;
    const description = await createDescriptions(relations(count), SETTINGS, '').of(plan('3.1'), 'reader');
    const { bytes, length, isPacked } = description;
    const text = await textOf(descriptionBody(description));
    expect(gunzipSync(bytes).toString('utf8')).to.equal(text);
    expect([length, isPacked]).to.deep.equal([Buffer.byteLength(text), true]);
    expect(text.length / count).to.be.lessThan(6500);
    expect(bytes.length).to.be.lessThan(text.length / 20);
  });

  it('is made once for concurrent requests', async () => {
    const descriptions = createDescriptions(relations(2), SETTINGS, '');
    const [first, second] = await Promise.all([
      descriptions.of(plan('3.1'), 'reader'),
      descriptions.of(plan('3.1'), 'reader'),
    ]);
    expect(first).to.equal(second);
    expect(await descriptions.of(plan('3.1'), 'reader')).to.equal(first);
  });
});
