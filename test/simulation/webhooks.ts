/** Clients that manage webhooks, and what the histories of their receivers allow. */
import { Webhook as Verifier } from 'standardwebhooks';
import { isObject } from '../../src/base/json.js';
import type { Write } from './audit.js';
import { EPOCH_MS } from './clock.js';
import type { Answer } from './http-client.js';
import type { Delivery, Receiver } from './receiver.js';
import { bearer, json, type Context, type Plan, type PlannedRequest, type Shown } from './requests.js';
import type { Sight } from './signing-audit.js';

export const WEBHOOKS = '/api/v1/notifications/webhooks';

/** Settings of the service: attempts before a message is dead, and the time of one, in milliseconds. */
export const ATTEMPTS = 3;
export const TIMEOUT_MS = 1000;
/** The network of the receivers. */
export const RECEIVERS = '198.51.100.0/24';

const FIRST_PORT = 4000;

/** The port of the receiver that an operation registers. */
export const receiverPortOf = (operation: number): number => FIRST_PORT + operation;

export interface Webhook {
  readonly webhookId: string;
  readonly url: string;
  readonly eventTypes: readonly string[] | null;
}

const isWebhook = (value: unknown): value is Webhook =>
  isObject(value) && typeof value['webhookId'] === 'string' && typeof value['url'] === 'string';

export function webhooksOf(body: string): readonly Webhook[] | null {
  const list: unknown = JSON.parse(body);
  const items = isObject(list) ? list['items'] : null;
  return Array.isArray(items) && items.every(isWebhook) ? items : null;
}

const urlOf = (tenant: number, port: number): string =>
  `http://198.51.100.1:${String(port)}/tenant/${String(tenant)}`;

const portOf = ({ url }: Webhook): number => Number(new URL(url).port);

function secretIn({ body }: Answer): Shown | null {
  const webhook: unknown = JSON.parse(body);
  const secret = isObject(webhook) ? webhook['secret'] : null;
  return isWebhook(webhook) && typeof secret === 'string'
    ? { kind: 'secret', port: portOf(webhook), secret }
    : null;
}

const registerWebhook: Plan = (context) => {
  const eventTypes = context.random.pick([null, null, ['notification.created'], ['notification.recalled']]);
  return {
    wire: {
      method: 'POST',
      path: WEBHOOKS,
      headers: json(context),
      body: JSON.stringify({ url: urlOf(context.claims.tenant, context.receiver), eventTypes }),
    },
    statuses: [201],
    check: (answer) => (secretIn(answer) === null ? `no secret: ${answer.body.slice(0, 100)}` : null),
    shows: secretIn,
    effect: { kind: 'webhook', port: context.receiver, eventTypes },
  };
};

/** Lists the webhooks of the tenant, and does something to one of them. */
const toOne =
  (change: (context: Context, webhook: Webhook) => PlannedRequest): Plan =>
  (context) => ({
    wire: { method: 'GET', path: WEBHOOKS, headers: bearer(context) },
    statuses: [200],
    check({ body }) {
      const foreign = webhooksOf(body)?.find(
        ({ url }) => !url.endsWith(`/tenant/${String(context.claims.tenant)}`),
      );
      return foreign === undefined ? null : `a webhook of another tenant: ${foreign.url}`;
    },
    next({ body }) {
      const [first, ...others] = webhooksOf(body) ?? [];
      return first === undefined ? null : change(context, context.random.pick([first, ...others]));
    },
  });

/** The request by which a webhook is switched on or off. */
export const switchRequest = (
  context: Pick<Context, 'claims'>,
  { webhookId, url, eventTypes }: Webhook,
  enabled: boolean,
): PlannedRequest['wire'] => ({
  method: 'PUT',
  path: `${WEBHOOKS}/${webhookId}`,
  headers: { ...bearer(context), 'Content-Type': 'application/json' },
  body: JSON.stringify({ url, eventTypes, enabled }),
});

const switchWebhook = toOne((context, webhook) => {
  const enabled = context.random.chance(0.6);
  return {
    wire: switchRequest(context, webhook, enabled),
    statuses: [200, 404],
    check: () => null,
    effect: { kind: 'webhook-change', port: portOf(webhook), change: enabled ? 'on' : 'off' },
  };
});

const deleteWebhook = toOne((context, webhook) => ({
  wire: { method: 'DELETE', path: `${WEBHOOKS}/${webhook.webhookId}`, headers: bearer(context) },
  statuses: [204, 404],
  check: () => null,
  effect: { kind: 'webhook-change', port: portOf(webhook), change: 'deleted' },
}));

const rotateSecret = toOne((context, webhook) => ({
  wire: { method: 'POST', path: `${WEBHOOKS}/${webhook.webhookId}/secret`, headers: bearer(context) },
  statuses: [200, 404],
  check: () => null,
  shows: (answer) => (answer.status === 200 ? secretIn(answer) : null),
  effect: { kind: 'webhook-change', port: portOf(webhook), change: 'rotated' },
}));

/** The request by which messages of a webhook are sent again. */
export const replayRequest = (
  context: Pick<Context, 'claims'>,
  { webhookId }: Webhook,
  selection: object,
): PlannedRequest['wire'] => ({
  method: 'POST',
  path: `${WEBHOOKS}/${webhookId}/replay`,
  headers: { ...bearer(context), 'Content-Type': 'application/json' },
  body: JSON.stringify(selection),
});

const replayMessages = toOne((context, webhook) => ({
  wire: replayRequest(context, webhook, context.random.pick([{ dead: true }, { after: 'msg_0' }])),
  statuses: [200, 404],
  check: () => null,
  effect: { kind: 'webhook-change', port: portOf(webhook), change: 'replayed' },
}));

export const WEBHOOK_OPERATIONS = {
  registerWebhook,
  switchWebhook,
  deleteWebhook,
  rotateSecret,
  replayMessages,
} as const;

/** What waits, is dead, or is held by a process, in all tenants. */
export const WEBHOOK_REST = `
select (select count(*) from dbr_notifications.webhook_messages where state in ('new', 'waiting'))::int as waiting,
       (select count(*) from dbr_notifications.webhook_messages where state = 'dead')::int as dead,
       (select count(*) from dbr_notifications.webhook_lanes)::int as lanes`;

interface Message extends Pick<Delivery, 'at' | 'endedAt' | 'isAccepted'> {
  readonly sequence: number;
  readonly type: string;
  readonly notificationId: string;
  readonly tenantId: string;
  readonly userId: string | null;
  readonly title: string;
  /** Why it is no message; null if it is one. */
  readonly problem: string | null;
}

/** A secret, when it was asked for, and from when on it signs each request unless there is a newer one, in milliseconds. */
interface Secret {
  readonly text: string;
  readonly sentAt: number;
  /** Infinity if another one was made at the same time, so that it is not known which is newer. */
  readonly signsFrom: number;
}

function signatureProblem({ headers, body, at }: Delivery, secrets: readonly Secret[]): string | null {
  const [id, timestamp] = [headers.get('webhook-id') ?? '', headers.get('webhook-timestamp') ?? ''];
  const seconds = (EPOCH_MS + at) / 1000;
  if (!(Number(timestamp) <= seconds && Number(timestamp) > seconds - 3))
    return `the timestamp is ${timestamp} at ${seconds.toFixed(1)}`;
  if (secrets.length === 0) return null;
  const given = headers.get('webhook-signature')?.split(' ') ?? [];
  const signs = ({ text }: Secret): boolean =>
    given.includes(new Verifier(text).sign(id, new Date(Number(timestamp) * 1000), body));
  if (!secrets.some(signs)) return 'no signature is valid';
  const newest = secrets.findLast(({ sentAt }) => sentAt < at);
  const must = newest !== undefined && newest.signsFrom < at;
  return !must || signs(newest) ? null : 'the newest secret has not signed';
}

/** The secrets of a webhook in the order of their making; none if an answer that had one was lost. */
function secretsOf(
  port: number,
  makers: readonly Pick<Write, 'sentAt' | 'doneAt' | 'outcome'>[],
  sights: readonly Sight[],
): readonly Secret[] {
  if (makers.some(({ outcome }) => outcome !== 'acknowledged')) return [];
  const shown = sights.filter((sight) => sight.shown.kind === 'secret' && sight.shown.port === port);
  return shown
    .toSorted((one, other) => one.doneAt - other.doneAt)
    .flatMap((sight) => {
      const isAlone = shown.every(
        (other) => other === sight || other.doneAt < sight.sentAt || other.sentAt > sight.doneAt,
      );
      return sight.shown.kind === 'secret'
        ? [
            {
              text: sight.shown.secret,
              sentAt: sight.sentAt,
              signsFrom: isAlone ? sight.doneAt + TIMEOUT_MS : Infinity,
            },
          ]
        : [];
    });
}

function messageOf(delivery: Delivery, secrets: readonly Secret[]): Message {
  const { headers, body, at, endedAt, isAccepted } = delivery;
  const event: unknown = JSON.parse(body);
  const data = isObject(event) && isObject(event['data']) ? event['data'] : {};
  return {
    ...{ at, endedAt, isAccepted },
    sequence: Number(headers.get('webhook-id')?.slice('msg_'.length)),
    type: String(isObject(event) ? event['type'] : ''),
    notificationId: String(data['notificationId']),
    tenantId: String(data['tenantId']),
    userId: typeof data['userId'] === 'string' ? data['userId'] : null,
    title: String(data['title']),
    problem: signatureProblem(delivery, secrets),
  };
}

/** What is known of a webhook: its registration, and what was done to it. */
interface History {
  readonly receiver: Receiver;
  readonly registered: Write;
  readonly eventTypes: readonly string[] | null;
  readonly changes: readonly Change[];
  readonly messages: readonly Message[];
}

interface Change extends Pick<Write, 'sentAt' | 'doneAt' | 'outcome'> {
  readonly change: 'on' | 'off' | 'deleted' | 'rotated' | 'replayed';
}

function historyOf(receiver: Receiver, writes: readonly Write[], sights: readonly Sight[]): History | null {
  const { port, deliveries } = receiver;
  const registered = writes.find(({ effect }) => effect.kind === 'webhook' && effect.port === port);
  if (registered?.effect.kind !== 'webhook') return null;
  const changes = writes.flatMap(({ effect, sentAt, doneAt, outcome }) =>
    effect.kind === 'webhook-change' && effect.port === port && outcome !== 'refused'
      ? [{ change: effect.change, sentAt, doneAt, outcome }]
      : [],
  );
  const rotations = changes.filter(({ change }) => change === 'rotated');
  const secrets = secretsOf(port, [registered, ...rotations], sights);
  return {
    ...{ receiver, registered, changes, eventTypes: registered.effect.eventTypes },
    messages: deliveries.map((delivery) => messageOf(delivery, secrets)),
  };
}

type Notify = Write & { readonly effect: { readonly kind: 'notify' } };
const isNotify = (write: Write): write is Notify => write.effect.kind === 'notify';

/** Whether the webhook must receive the notification, must not, or may: null. */
function isDue({ registered, eventTypes, changes }: History, write: Notify): boolean | null {
  if (write.outcome === 'refused' || registered.outcome === 'refused' || write.tenant !== registered.tenant)
    return false;
  if (eventTypes !== null && !eventTypes.includes('notification.created')) return false;
  if (write.doneAt < registered.sentAt) return false;
  const deleted = changes.filter(({ change }) => change === 'deleted');
  if (deleted.some(({ doneAt }) => doneAt < write.sentAt)) return false;
  const switches = changes.filter(({ change }) => change === 'on' || change === 'off');
  const isCertain =
    write.outcome === 'acknowledged' && registered.outcome === 'acknowledged' && deleted.length === 0;
  if (!isCertain || registered.doneAt > write.sentAt) return null;
  // What waits when a webhook is switched off stays, and the auditor switches all of them on.
  return switches.every(({ change, sentAt }) => change === 'on' || sentAt > write.doneAt) ? true : null;
}

const laneOf = ({ userId }: Message): string => userId ?? '';

/** How long a response may be on its way, and a sender may take to begin with the next message, in milliseconds. */
const SLACK_MS = 150;

function* auditLane(lane: readonly Message[], history: History): Generator<string> {
  const isReplayed = history.changes.some(({ change }) => change === 'replayed');
  for (const [at, message] of lane.entries()) {
    const before = lane[at - 1];
    if (before === undefined) continue;
    if (message.at < Math.min(before.endedAt, before.at + TIMEOUT_MS) - SLACK_MS)
      yield `msg_${String(message.sequence)} is sent while msg_${String(before.sequence)} is under way`;
    if (isReplayed || message.sequence === before.sequence) continue;
    const attemptsOf = (sequence: number): readonly Message[] =>
      lane.slice(0, at).filter((each) => each.sequence === sequence);
    // The auditor sends dead messages again.
    const mayBeDead = attemptsOf(message.sequence).length >= ATTEMPTS;
    if (message.sequence < before.sequence && !mayBeDead)
      yield `msg_${String(message.sequence)} is sent after msg_${String(before.sequence)}`;
    const attempts = attemptsOf(before.sequence);
    if (!attempts.some(({ isAccepted }) => isAccepted) && attempts.length < ATTEMPTS)
      yield `msg_${String(message.sequence)} is sent, and msg_${String(before.sequence)} was not accepted in ${String(attempts.length)} attempts`;
  }
}

/** Times after which messages are sent again, of which half may be left out, in milliseconds. */
const PAUSES_MS = [2000, 6000] as const;

/** Where no process is lost: a message that was accepted is not sent again, and others after their pause. */
function* auditAttempts(
  lane: readonly Message[],
  { changes }: History,
  replayedAt: number,
): Generator<string> {
  if (changes.some(({ change }) => change === 'replayed')) return;
  for (const sequence of new Set(lane.map((message) => message.sequence))) {
    const attempts = lane.filter((message) => message.sequence === sequence);
    const name = `msg_${String(sequence)}`;
    if (attempts.slice(0, -1).some(({ isAccepted }) => isAccepted))
      yield `${name} was accepted, and is sent again`;
    const first = attempts.filter((attempt) => attempt.at < replayedAt);
    if (first.length > ATTEMPTS) yield `${name} is sent ${String(first.length)} times`;
    for (const [at, pause] of PAUSES_MS.entries()) {
      const [before, after] = [attempts[at], attempts[at + 1]];
      if (before === undefined || after === undefined) break;
      const waited = after.at - before.at;
      if (waited < pause / 2) yield `${name} is sent again after ${waited.toFixed(0)} ms`;
    }
  }
}

/** Longest time to the first attempt of a message while receivers accept all, in milliseconds: less than half of a lease. */
const PROMPT_MS = 8000;
/** The time that each message may take which was sent before. */
const EACH_MS = 350;

export interface Circumstances {
  /** No process and no connection to the database was lost. */
  readonly isQuiet: boolean;
  /** No receiver refuses, and no process was lost, except that some were stopped by a signal. */
  readonly isPrompt: boolean;
  /** When the auditor asked for the dead messages, in milliseconds. */
  readonly replayedAt: number;
  /** Returns the number of requests that all receivers had before a time. */
  readonly sentBefore: (at: number) => number;
}

function* auditReceiver(
  history: History,
  writes: readonly Write[],
  { isQuiet, isPrompt, replayedAt, sentBefore }: Circumstances,
): Generator<string> {
  const { messages, registered, changes } = history;
  const notifies = writes.filter(isNotify);
  const ids = new Map<string, number>();
  for (const { problem, sequence, type, notificationId, title, tenantId, userId, at } of messages) {
    const name = `msg_${String(sequence)}`;
    if (problem !== null) yield `${name}: ${problem}`;
    if (type !== 'notification.created') yield `${name} has type ${type}`;
    const sent = notifies.find(({ effect }) => effect.title === title);
    if (sent === undefined) yield `${name} has ${title}, which was not sent`;
    else if (isDue(history, sent) === false) yield `${name} has ${title}, which is not due (${sent.name})`;
    else if (sent.effect.readers === null ? userId !== null : !sent.effect.readers.includes(userId ?? ''))
      yield `${name} has ${title} for ${String(userId)}`;
    if (tenantId !== `tenant ${String(registered.tenant)}`) yield `${name} is of ${tenantId}`;
    if ((ids.get(notificationId) ?? sequence) !== sequence) yield `${name}: ${title} has two messages`;
    ids.set(notificationId, sequence);
    const gone = changes.find(({ change, doneAt }) => change === 'deleted' && doneAt + TIMEOUT_MS < at);
    if (isQuiet && gone !== undefined) yield `${name} is sent after its webhook was deleted`;
  }
  for (const lane of new Set(messages.map(laneOf))) {
    const own = messages.filter((message) => laneOf(message) === lane);
    yield* auditLane(own, history);
    if (isQuiet) yield* auditAttempts(own, history, replayedAt);
  }
  for (const write of notifies) {
    if (isDue(history, write) !== true) continue;
    for (const reader of write.effect.readers ?? [null]) {
      const own = messages.filter(({ title, userId }) => title === write.effect.title && userId === reader);
      const first = own[0]?.at ?? Infinity;
      const name = `${write.effect.title} for ${String(reader)}`;
      if (!own.some(({ isAccepted }) => isAccepted)) yield `${name} was not accepted (${write.name})`;
      const late = first - write.doneAt - EACH_MS * sentBefore(first);
      if (isPrompt && changes.length === 0 && late > PROMPT_MS)
        yield `${name} is sent after ${(first - write.doneAt).toFixed(0)} ms`;
    }
  }
}

/** Compares what receivers have received with what clients have done. */
export function auditWebhooks(
  receivers: readonly Receiver[],
  writes: readonly Write[],
  sights: readonly Sight[],
  given: Omit<Circumstances, 'sentBefore'>,
): readonly string[] {
  const times = receivers.flatMap(({ deliveries }) => deliveries.map(({ at }) => at));
  const circumstances = { ...given, sentBefore: (at: number) => times.filter((time) => time < at).length };
  return receivers.flatMap((receiver) => {
    const history = historyOf(receiver, writes, sights);
    const owner = `the receiver at ${String(receiver.port)}`;
    if (history === null)
      return receiver.deliveries.length === 0 ? [] : [`${owner} has requests, and was not registered`];
    return [...auditReceiver(history, writes, circumstances)].map((problem) => `${owner}: ${problem}`);
  });
}
