import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import { tenantIdOf, userIdOf } from '../../../src/base/identifiers.js';
import { packageRoot } from '../../../src/base/package.js';
import {
  collectParameters,
  MAX_DIGESTS,
  MAX_SCHEDULED,
  produceParameters,
  scheduleParameters,
  updateParameters,
} from '../../../src/notifications/produce-sql.js';
import type { NotificationDraft } from '../../../src/notifications/types.js';

const DRAFT: NotificationDraft = {
  tenantId: tenantIdOf('acme'),
  userIds: [userIdOf('ann'), userIdOf('bob')],
  type: 'deploy.done',
  title: 'title',
  category: 'deploys',
  severity: 'info',
  body: 'body',
  data: '{"a":1}',
  actor: '{"id":"x"}',
  actionUrl: '/deploys/1',
  groupKey: 'group',
  dedupeKey: 'dedupe',
  expiresAt: '2030-01-01T00:00:00Z',
};

const PARAMETERS = [
  'acme',
  '["ann","bob"]',
  'deploy.done',
  'title',
  'deploys',
  'info',
  'body',
  '{"a":1}',
  '{"id":"x"}',
  '/deploys/1',
  'group',
  'dedupe',
  '2030-01-01T00:00:00Z',
];

describe('the parameters of a notification', () => {
  it('are its members, in the order of the function', () => {
    expect(produceParameters(DRAFT)).to.deep.equal([...PARAMETERS, null]);
    expect(produceParameters({ ...DRAFT, userIds: null, topic: 'deploys' })).to.deep.equal([
      'acme',
      null,
      ...PARAMETERS.slice(2),
      'deploys',
    ]);
  });

  it('have the window of a digest in place of a topic', () => {
    expect(collectParameters(DRAFT, { key: 'day', windowSeconds: 60, sliding: false })).to.deep.equal([
      ...PARAMETERS,
      'day',
      '60',
      'false',
    ]);
  });

  it('have the time and the key of a schedule behind the topic', () => {
    expect(scheduleParameters(DRAFT, { sendAt: '2030-01-01T00:00:00Z', cancelKey: 'k' })).to.deep.equal([
      ...PARAMETERS,
      null,
      '2030-01-01T00:00:00Z',
      'k',
    ]);
  });

  it('are of as many scheduled notifications as the function of the database allows', async () => {
    const text = await readFile(`${packageRoot()}/migrations/0024_scheduled_notifications.sql`, 'utf8');
    const numberOf = (name: string): number =>
      Number(new RegExp(`${name} constant integer := (\\d+);`).exec(text)?.[1]);
    expect({ messages: numberOf('most_messages'), bytes: numberOf('most_bytes') }).to.deep.equal(
      MAX_SCHEDULED,
    );
  });

  it('name the members that a change has, also those that it sets to null', () => {
    expect(updateParameters({ title: 'new', body: null })).to.deep.equal([
      '["title","body"]',
      'new',
      null,
      ...Array<null>(5).fill(null),
    ]);
    expect(
      updateParameters({
        title: 'a',
        body: 'b',
        severity: 'critical',
        data: '{}',
        actor: '{"id":"y"}',
        actionUrl: '/x',
        expiresAt: '2031-01-01T00:00:00Z',
      }).slice(1),
    ).to.deep.equal(['a', 'b', 'critical', '{}', '{"id":"y"}', '/x', '2031-01-01T00:00:00Z']);
  });

  it('are of as many open digests as the function of the database allows', async () => {
    const text = await readFile(`${packageRoot()}/migrations/0016_digests.sql`, 'utf8');
    const numberOf = (name: string): number =>
      Number(new RegExp(`${name} constant integer := (\\d+);`).exec(text)?.[1]);
    expect({ user: numberOf('most_of_user'), tenant: numberOf('most_of_tenant') }).to.deep.equal(MAX_DIGESTS);
  });
});
