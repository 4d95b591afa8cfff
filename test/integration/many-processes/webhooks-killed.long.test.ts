import { expect } from 'chai';
import type { NewWebhook } from '../../../generated/types.js';
import {
  createServiceProcesses,
  tokenOf,
  type OneOfMany,
  type ServiceProcesses,
} from '../../support/service/service-processes.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/notifications/webhook-receiver.js';
import { until } from '../../support/until.js';
import { runs } from '../../support/runs.js';

const USERS = 5;
const MESSAGES = runs(60, 30);

describe('webhooks of a process that is killed', function () {
  this.timeout(180_000);
  let processes: ServiceProcesses;
  let receiver: WebhookReceiver;
  before(async () => {
    processes = await createServiceProcesses();
    receiver = await startWebhookReceiver();
  });
  after(async () => {
    await processes.drop();
    await receiver.close();
  });

  it('are sent by another, at least once and in the order of each user', async () => {
    const settings = { DBR_WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.1', DBR_WEBHOOKS_TIMEOUT: '1' };
    const token = await tokenOf({ sub: 'app', scope: 'notifications:write notifications:webhooks' });
    const killed = await processes.start(settings);
    const asApp = async (
      { ann }: OneOfMany,
      operation: 'createWebhook' | 'createNotifications',
      body: object,
    ) => {
      const response = await ann.call(operation, { token, body });
      expect(response.status).to.equal(201);
      return response.body;
    };
    const { webhookId } = (await asApp(killed, 'createWebhook', { url: receiver.url })) as NewWebhook;
    // The receiver holds responses, so that the process is killed in the middle of requests.
    receiver.answer = (response, _, count) => {
      if (count <= 20) response.writeHead(204).end();
    };
    for (let index = 0; index < MESSAGES; index += 1)
      await asApp(killed, 'createNotifications', {
        userIds: [`user-${String(index % USERS)}`],
        type: 'report.ready',
        title: String(index),
      });
    await until(() => receiver.received.length > 20);
    await killed.stop('SIGKILL');
    receiver.answer = (response) => void response.writeHead(204).end();
    await processes.start(settings);
    const { superuser } = processes.database;
    const sent = async (): Promise<number> =>
      Number(
        (
          await superuser.one<{ count: string }>(
            `select count(*) from dbr_notifications.webhook_messages where webhook_id = $1 and state = 'sent'`,
            [webhookId],
          )
        ).count,
      );
    await until(async () => (await sent()) === MESSAGES);
    for (let user = 0; user < USERS; user += 1) {
      const own = receiver.received.filter(({ event }) => event.data['userId'] === `user-${String(user)}`);
      const titles = own.map(({ event }) => Number(event.data['title']));
      // A repetition is of the last one: later ones were not sent before it.
      expect(titles).to.deep.equal([...titles].sort((one, other) => one - other));
      expect([...new Set(titles)]).to.deep.equal(
        Array.from({ length: MESSAGES / USERS }, (_, index) => index * USERS + user),
      );
    }
    expect(receiver.received.length).to.be.greaterThan(MESSAGES);
  });
});
