/** The operations of webhooks, for the tenant of the token. */
import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import type { NotificationsHandlers } from '../../generated/operations.js';
import type { NewWebhook, Webhook, WebhookMessages, WebhookRequest } from '../../generated/types.js';
import { parseUuid } from '../base/identifiers.js';
import { networkSet } from '../base/networks.js';
import type { Principal, RequestContext } from '../contract/principal.js';
import { dbrError, invalidBody } from '../errors/dbr-error.js';
import { decodeCursor, pageOf } from '../operations/cursor.js';
import { NO_STORE, PRIVATE, jsonResponse } from '../operations/responses.js';
import { requireStorableBody, requireStorablePrincipal } from '../operations/storable-text.js';
import { command, type Parameter, type Row, bodyText, type Statement } from '../postgres/batch.js';
import { asSystem } from './role-sql.js';
import { first, runWrite, type Runner } from './store.js';
import { newSecret, type SecretBox } from './webhook-secrets.js';
import { isPublicAddress } from './webhook-send.js';
import {
  AS_TENANT,
  COUNT_ALL_WEBHOOKS,
  CREATE_WEBHOOK,
  DELETE_WEBHOOK,
  DROP_DEAD,
  GET_MESSAGE,
  LIST_MESSAGES,
  LIST_WEBHOOKS,
  LOCK_WEBHOOKS,
  MAX_WEBHOOKS,
  REPLACE_WEBHOOK,
  REPLAY,
  REPLAY_DEAD,
  ROTATE_SECRET,
} from './webhook-sql.js';

export interface WebhookParts {
  readonly pool: Runner;
  /** Null if the service has no key for secrets. */
  readonly box: SecretBox | null;
  /** Networks whose addresses are allowed although they are not public, and with `http`. */
  readonly allowedNetworks: readonly string[];
}

const SEQUENCE = /^\d{1,18}$/;
const MESSAGE_ID = /^msg_\d{1,18}$/;
const numberOf = (messageId: string): string => messageId.replace('msg_', '');

export function createWebhookHandlers({ pool, box, allowedNetworks }: WebhookParts) {
  const urlOf = urlReader(allowedNetworks);
  function run(principal: Principal, statement: Statement, parameters: readonly Parameter[]) {
    const { tenantId } = requireStorablePrincipal(principal);
    return runWrite(pool, [command(AS_TENANT, [tenantId])], statement, parameters);
  }

  /** Runs a statement that has a row if the tenant has the webhook. @throws DbrError WebhookNotFound */
  async function ofWebhook(
    principal: Principal,
    webhookId: string,
    statement: Statement,
    parameters: readonly Parameter[],
  ): Promise<Row> {
    const identifier = parseUuid(webhookId);
    const [row] = identifier === null ? [] : await run(principal, statement, [identifier, ...parameters]);
    if (row === undefined) throw dbrError('WebhookNotFound');
    return row;
  }

  async function change(
    principal: Principal,
    webhookId: string,
    statement: Statement,
    [ids, after]: readonly [ids: readonly string[] | undefined, after: string],
  ) {
    const numbers = ids === undefined ? null : `{${ids.map(numberOf).join(',')}}`;
    const row = await ofWebhook(principal, webhookId, statement, [numbers, after]);
    const last = bodyText(row);
    return { messages: Number(row.columns[0]), nextCursor: last === '' ? null : `msg_${last}` };
  }

  function requireBox(): SecretBox {
    if (box === null) throw dbrError('WebhooksOff');
    return box;
  }

  return {
    async listWebhooks(_request, { principal }) {
      return json({ jsonText: first(await run(principal, LIST_WEBHOOKS, [])).body ?? [] });
    },
    async createWebhook({ body }, { principal }) {
      const settings = settingsOf(body, urlOf);
      const sealing = requireBox();
      const webhookId = randomUUID();
      const secret = newSecret();
      const { tenantId } = requireStorablePrincipal(principal);
      const counting = [asSystem, command(LOCK_WEBHOOKS), command(COUNT_ALL_WEBHOOKS)];
      const parameters = [tenantId, webhookId, sealing.seal(secret, webhookId), ...settings];
      const before = [...counting, command(AS_TENANT, [tenantId])];
      const [row] = await runWrite(pool, before, CREATE_WEBHOOK, parameters);
      if (row === undefined) throw dbrError('TooManyWebhooks', { limit: String(MAX_WEBHOOKS) });
      return { status: 201, type: 'application/json', headers: NO_STORE, body: shown(row, secret) };
    },
    async replaceWebhook({ path, body }, { principal }) {
      const settings = settingsOf(body, urlOf);
      const row = await ofWebhook(principal, path.webhookId, REPLACE_WEBHOOK, settings);
      return json({ jsonText: row.body ?? [] });
    },
    async deleteWebhook({ path }, { principal }) {
      await ofWebhook(principal, path.webhookId, DELETE_WEBHOOK, []);
      return { status: 204 };
    },
    async rotateWebhookSecret({ path }, { principal }) {
      const sealing = requireBox();
      const secret = newSecret();
      const sealed = sealing.seal(secret, path.webhookId.toLowerCase());
      const row = await ofWebhook(principal, path.webhookId, ROTATE_SECRET, [sealed]);
      return jsonResponse(NO_STORE, shown(row, secret));
    },
    async listWebhookMessages({ path, query }, { principal }) {
      const [after = '0'] = query.cursor === undefined ? [] : decodeCursor(query.cursor, [SEQUENCE]);
      const parameters = [query.state, after, String(query.limit)];
      const row = await ofWebhook(principal, path.webhookId, LIST_MESSAGES, parameters);
      const messages = JSON.parse(bodyText(row)) as WebhookMessages['items'];
      return json(pageOf(messages, query.limit, ({ messageId }) => [numberOf(messageId)]));
    },
    async getWebhookMessage({ path }, { principal }) {
      const sequence = MESSAGE_ID.test(path.messageId) ? numberOf(path.messageId) : null;
      const row = await ofWebhook(principal, path.webhookId, GET_MESSAGE, [sequence]);
      if (bodyText(row) === '') throw dbrError('WebhookMessageNotFound');
      return json({ jsonText: row.body ?? [] });
    },
    async replayWebhookMessages({ path, body }, { principal }) {
      const { messageIds, dead, after } = body;
      if ([messageIds, dead, after].filter((each) => each !== undefined).length !== 1)
        throw invalidBody('', 'exclusive', 'must have exactly one of messageIds, dead and after');
      const statement = dead === true ? REPLAY_DEAD : REPLAY;
      return json(
        await change(principal, path.webhookId, statement, [messageIds, numberOf(after ?? 'msg_0')]),
      );
    },
    async dropWebhookMessages({ path, body }, { principal }) {
      const { messages } = await change(principal, path.webhookId, DROP_DEAD, [body.messageIds, '0']);
      return json({ messages });
    },
  } satisfies Partial<NotificationsHandlers<RequestContext>>;
}

const json = <Body>(body: Body) => jsonResponse(PRIVATE, body);

/** The one response that has the secret. */
const shown = (row: Row, secret: string): NewWebhook => ({
  ...(JSON.parse(bodyText(row)) as Webhook),
  secret,
});

/** @throws DbrError InvalidBody */
function settingsOf(body: WebhookRequest, urlOf: (text: string) => string): readonly (string | null)[] {
  requireStorableBody(body);
  const { description = null, eventTypes = null, categories = null, enabled = true } = body;
  const { delaySeconds = null, unlessRead = false } = body;
  if (unlessRead && delaySeconds === null)
    throw invalidBody('/unlessRead', 'exclusive', 'cannot be true without delaySeconds');
  const texts = (list: readonly string[] | null): string | null =>
    list === null ? null : JSON.stringify(list);
  const delay = delaySeconds === null ? null : String(delaySeconds);
  const filters = [texts(eventTypes), texts(categories)];
  return [urlOf(body.url), description, ...filters, String(enabled), delay, String(unlessRead)];
}

const MAX_URL = 2000;

/**
 * Returns a function that reads an address to which messages can be sent: what the sender would refuse each time is refused here. The
 * addresses of a name are known when it is looked up.
 */
function urlReader(allowedNetworks: readonly string[]): (text: string) => string {
  const isAllowed = networkSet(allowedNetworks);
  return (text) => {
    const url = URL.canParse(text) ? new URL(text) : null;
    const isHttp = url?.protocol === 'http:' && allowedNetworks.length > 0;
    if (
      url === null ||
      (url.protocol !== 'https:' && !isHttp) ||
      url.username + url.password + url.hash !== '' ||
      url.href.length > MAX_URL
    )
      throw invalidBody(
        '/url',
        'url',
        'must be an address with https, without user name, password and fragment',
      );
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !isAllowed(host) && (isHttp || !isPublicAddress(host)))
      throw invalidBody('/url', 'url', 'must not be in a network that is not public');
    if (url.port === '0') throw invalidBody('/url', 'url', 'must not have port 0');
    return url.href;
  };
}
