/** Relations between the answers at both levels of compatibility, where releases of PostgREST do not differ. */
import fc from 'fast-check';
import { read, selection } from './arbitrary-requests.js';
import { SEED, WHOLE, write } from './arbitrary-writes.js';
import type { FuzzReply } from './fuzz-client.js';
import { pathOf, rowsOf, same, type Relation } from './relation.js';
import {
  conditionsOf,
  pairsOf,
  type Condition,
  type Embed,
  type Read,
  type Selection,
} from './request-model.js';
import { answersOfBatch, batchOf, errorOf, type Write } from './write-model.js';

/**
 * Whether the condition searches a column that is no `tsvector` with a configuration: level 12 converts the column with
 * that of the database.
 */
const isConverted = ({ column, modifier, operator }: Condition): boolean =>
  operator.endsWith('fts') && modifier !== '' && column !== 'words';

const comparable = ({ status, headers, text }: FuzzReply) =>
  status >= 400 && text !== ''
    ? { status, error: errorOf(text) }
    : {
        status,
        text,
        type: headers['content-type'],
        range: headers['content-range'],
        location: headers['content-location'],
        tag: headers['etag'],
      };

/** A read has the same answer at both levels. */
export const levels: Relation<Read> = {
  arbitrary: read.filter(({ selection: selected }) => !conditionsOf(selected).some(isConverted)),
  async check({ relation, selection: selected }, client) {
    const request = { method: 'GET', path: pathOf(relation, pairsOf(selected)) };
    const [earlier, later] = await Promise.all([
      client.send(request),
      client.send({ ...request, level: '16' }),
    ]);
    same(comparable(later), comparable(earlier), `${request.path} at level 16`);
  },
};

/** Text searches with a configuration in the filters of writes. */
const CONVERTED = /fts\((?:english|simple)\)/;

/** A batch of writes has the same answers at both levels. */
export const writesAtLevels: Relation<readonly Write[]> = {
  arbitrary: fc.array(
    write.filter((each) => !CONVERTED.test(JSON.stringify(each))),
    { minLength: 1, maxLength: 4 },
  ),
  async check(writes, client) {
    const space = client.space();
    const batch = batchOf([SEED, ...writes, WHOLE], space, 'tx=rollback');
    const earlier = await client.send(batch);
    const later = await client.send({ ...batch, level: '16' });
    const answers = (reply: FuzzReply) =>
      reply.status === 200 ? answersOfBatch(reply, space) : [reply.status, errorOf(reply.text)];
    same(answers(later), answers(earlier), 'the writes at level 16');
  },
};

/** At level 16, the spread of a to-many relationship gives, for each item, the array of an embed. */
export const spreads: Relation<{ readonly roles: Selection }> = {
  arbitrary: selection('roles', 0).map((roles) => ({ roles })),
  async check({ roles }, client) {
    const fields = ['actor', 'part'].map((field) => ({ field, alias: '' }));
    const related: Embed = {
      name: 'roles',
      relation: 'roles',
      alias: '',
      one: false,
      join: '',
      spread: false,
      read: { ...roles, items: fields },
    };
    const whole = { conditions: [], groups: [], order: ['id'], limit: null, offset: null };
    const films = { ...whole, items: [{ field: 'id', alias: '' }], embeds: [related] };
    const spread = { ...films, embeds: [{ ...related, spread: true }] };
    const [nested, later] = await Promise.all([
      rowsOf(client, pathOf('films', pairsOf(films))),
      client.send({ method: 'GET', path: pathOf('films', pairsOf(spread)), level: '16' }),
    ]);
    const expected = nested.map(({ id, roles: list }) => {
      const rows = list as readonly { readonly actor: unknown; readonly part: unknown }[];
      return { id, actor: rows.map(({ actor }) => actor), part: rows.map(({ part }) => part) };
    });
    same(later.status, 200, later.text);
    same(JSON.parse(later.text), expected, 'the spread at level 16');
  },
};
