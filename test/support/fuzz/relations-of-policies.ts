/** Relations between the answers of a role and those of another whose policies hide rows. */
import { read } from './arbitrary-requests.js';
import { GUARDED_ROLE, GUARDS } from './fuzz-database.js';
import { keyOf, type RelationName } from './fuzz-schema.js';
import { same, type Relation } from './relation.js';
import { idsOf } from './relations-of-reads.js';
import { pairsOf, type Read } from './request-model.js';

const isGuarded = (relation: RelationName): relation is keyof typeof GUARDS =>
  Object.hasOwn(GUARDS, relation);

const GUARDS_OF: Readonly<Record<keyof typeof GUARDS, (id: number, other: number) => boolean>> = {
  films: (id) => id % 3 !== 0,
  directors: (id) => id % 4 !== 1,
  actors: (id) => id % 5 !== 2,
  roles: (film, actor) => (film + actor) % 6 !== 0,
  things: (id) => id % 2 === 0,
  kinds: (id) => id % 2 === 1,
};

/** A role sees, of what another role sees, the rows that its policies let through; fewer with `!inner`. */
export const policies: Relation<Read> = {
  arbitrary: read,
  async check({ relation, selection: selected }, client) {
    const { conditions, groups, embeds: embedded } = selected;
    if (!isGuarded(relation) || embedded.some(({ read: { embeds: further } }) => further.length > 0)) return;
    const items = keyOf(relation).map((field) => ({ field, alias: '' }));
    const bare = { items, conditions, groups, order: [], limit: null, offset: null, embeds: [] };
    const joins = { ...bare, embeds: embedded.map((each) => ({ ...each, spread: false })) };
    const guarded = { Authorization: await client.tokenOf(GUARDED_ROLE) };
    const [all, seen, allInner, seenInner] = await Promise.all([
      idsOf(client, relation, pairsOf(bare)),
      idsOf(client, relation, pairsOf(bare), guarded),
      idsOf(client, relation, pairsOf(joins)),
      idsOf(client, relation, pairsOf(joins), guarded),
    ]);
    const lets = GUARDS_OF[relation];
    const visible = all.filter((id) => {
      const [first = 0, second = 0] = JSON.parse(id) as readonly number[];
      return lets(first, second);
    });
    same(seen, visible, 'the rows under a policy');
    const known = new Set(allInner);
    same(
      seenInner.filter((id) => !known.has(id)),
      [],
      'rows that only the policy gives',
    );
  },
};
