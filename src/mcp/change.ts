/**
 * The tools `propose_change` and `apply_change`. A proposal runs and is rolled back; its token signs who asked, what for, and
 * which rows it has met. Applied, the same batch commits if it meets the same rows, and once: the token has an idempotency key.
 * Where a person applies what agents propose, the token is kept for the console, and agents see none.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { sha256Text, sortedJson } from '../base/hash.js';
import { exactJsonIn, isObject, type JsonObject, listOf, objectOf } from '../base/json.js';
import { callerOf } from '../data-api/batch/idempotency.js';
import { find } from '../data-api/schema-cache/lookups.js';
import { dbrError } from '../errors/dbr-error.js';
import type { ReloadableSettings } from '../settings/settings.js';
import {
  answerOf,
  type Call,
  decodeText,
  invalid,
  LONGEST_ANSWER,
  optionalText,
  profileOf,
  type Question,
  requestOf,
} from './ask.js';
import { forgetProposal, isWaiting, keepProposal } from './proposals.js';
import { dataAnswer, type Tool } from './tool.js';

/** How long a token is valid, in seconds, unless idempotency keys are kept for a shorter time: of an agent, and of a person. */
const LIFE = 600;
const LIFE_OF_KEPT = 86_400;
const BATCH = 'application/vnd.dbr.batch+json';
/** One segment: a relation. Functions may do what no rollback undoes. */
const PATH = String.raw`^/[^/?#]+(?:\?[^#]*)?$`;

const CHANGES = {
  type: 'array',
  minItems: 1,
  maxItems: 100,
  description:
    'Done together or not at all. POST inserts a row or a list of rows, with related rows inside; PATCH sets members of the rows of the filters; PUT writes the row of a key; DELETE removes the rows of the filters.',
  items: {
    type: 'object',
    properties: {
      method: { enum: ['POST', 'PATCH', 'PUT', 'DELETE'] },
      path: {
        type: 'string',
        maxLength: 8192,
        pattern: PATH,
        description: 'Relation and filters: `/orders?id=eq.7`',
      },
      body: { description: 'JSON; long numbers as strings' },
    },
    required: ['method', 'path'],
    additionalProperties: false,
  },
};
const SCHEMA = { type: 'string', maxLength: 200 };

interface Change {
  readonly method: string;
  readonly relation: string;
  readonly item: JsonObject;
}

/** @param most rows that a change may concern: of more, no answer is made; null for any number */
function changesOf(args: JsonObject, most: number | null): readonly Change[] {
  return listOf(args['changes']).map((each) => {
    const { method, path, body } = objectOf(each);
    const { pathname, searchParams } = new URL(`http://dbr${String(path)}`);
    if (searchParams.has('select')) return invalid('path', 'cannot have select: a proposal shows whole rows');
    const isBounded = most !== null && (method === 'PATCH' || method === 'DELETE');
    const bound = isBounded ? `, handling=strict, max-affected=${String(most)}` : '';
    const headers = { prefer: `return=representation${bound}` };
    const item = { method, path, headers, ...(body === undefined ? {} : { body }) };
    return { method: String(method), relation: decodeText(pathname.slice(1)), item };
  });
}

const questionOf = (args: JsonObject, changes: readonly Change[], more: Question['headers']): Question => ({
  method: 'POST',
  path: '/',
  headers: { accept: 'application/json', 'content-type': BATCH, ...profileOf(args), ...more },
  body: Buffer.from(JSON.stringify(changes.map(({ item }) => item))),
});

/** The rows that each change of a batch has met. */
type Met = readonly (readonly unknown[])[];

const metBy = (text: string): Met =>
  listOf(exactJsonIn(text)).map((answer) => {
    const { body } = objectOf(answer);
    return listOf(isObject(body) ? [body] : body);
  });

const counted = (met: Met): readonly number[] => met.map(({ length }) => length);

/** Whether no person can review them. Their keys would take long to compare, too. */
const areTooMany = (met: Met, { api }: Call): boolean =>
  counted(met).reduce((sum, count) => sum + count, 0) > api.snapshot().settings['mcp-max-rows'];

/** Of each change the number of rows, and their keys unless they are new; of deleted rows without a key, all of them. */
function digestOf(changes: readonly Change[], met: Met, args: JsonObject, { api }: Call): string {
  const { cache } = api.snapshot();
  const schema = optionalText(args, 'schema') ?? cache.schemas[0]?.name ?? '';
  const compared = met.map((rows, index) => {
    const { method = '', relation = '' } = changes[index] ?? {};
    const key = find(cache.tables, schema, relation)?.primaryKey ?? [];
    // What a change makes of a row without a key may differ from one time to the next. A deleted row is as it was.
    const isWhole = key.length === 0 && method === 'DELETE';
    const keys =
      method === 'POST'
        ? []
        : rows.map((row) => JSON.stringify(isWhole ? row : key.map((name) => objectOf(row)[name])));
    return { rows: rows.length, keys: keys.sort() };
  });
  return sha256Text(JSON.stringify(compared), 'base64url').slice(0, 22);
}

/** Signs tokens: end, idempotency key and digest of the rows in the clear, and the signature over them, caller and changes. */
function signatureOf(key: Buffer, signed: string, args: JsonObject, { request }: Call): string {
  const changes = sortedJson([args['schema'] ?? null, args['changes']]);
  return createHmac('sha256', key)
    .update(JSON.stringify([signed, callerOf(request.identity).digest, changes]))
    .digest('base64url')
    .slice(0, 32);
}

const TOKEN = /^((\d{1,12})\.([\w-]{16})\.([\w-]{22}))\.([\w-]{32})$/;

const now = (): number => Math.floor(Date.now() / 1000);

/** Whether the service keeps what applying a change needs. */
const mayApply = (settings: ReloadableSettings): boolean =>
  settings['db-idempotency'] && !settings['db-tx-end'].startsWith('rollback');

/** @param key that signs tokens, of all processes of the service @param appliesToo `mcp-apply` */
export function changeTools(key: Buffer, appliesToo: boolean): readonly Tool[] {
  const properties = { changes: CHANGES, schema: SCHEMA };
  const propose: Tool = {
    name: 'propose_change',
    title: 'Show what changes would do',
    description: `Runs changes of rows and takes them back: answers the rows as they would be. ${appliesToo ? 'Show them to the user; apply_change applies them with the token.' : 'A person applies them.'}`,
    inputSchema: { type: 'object', properties, required: ['changes'] },
    kind: 'proposes',
    async run(args, call) {
      const { settings, pool } = call.api.snapshot();
      const { identity } = call.request;
      const changes = changesOf(args, settings['mcp-max-rows']);
      const { text } = await answerOf(
        call,
        await call.api.trial(requestOf(call, questionOf(args, changes, {}))),
      );
      const met = metBy(text);
      const rows = counted(met);
      if (areTooMany(met, call))
        return invalid(
          'changes',
          `change more than ${String(settings['mcp-max-rows'])} rows: propose fewer, so that a person can review them`,
        );
      // All anonymous callers are one.
      if (!appliesToo && !(mayApply(settings) && identity.authenticated))
        return dataAnswer({ rows, applied: false }, text);
      const life = Math.min(appliesToo ? LIFE : LIFE_OF_KEPT, settings['db-idempotency-time']);
      const end = now() + life;
      const id = randomBytes(12).toString('base64url');
      const signed = `${String(end)}.${id}.${digestOf(changes, met, args, call)}`;
      const token = `${signed}.${signatureOf(key, signed, args, call)}`;
      const answer = { rows, applied: false, expires: new Date(end * 1000).toISOString() };
      if (appliesToo) return dataAnswer({ ...answer, token }, text);
      const schema = optionalText(args, 'schema');
      const given = JSON.stringify(args['changes']);
      await keepProposal(pool, { id, token, schema, changes: given, answer: text }, identity, life);
      return dataAnswer(
        { ...answer, kept: true, next: 'A person applies or dismisses it in the console.' },
        text,
      );
    },
  };
  const apply: Tool = {
    name: 'apply_change',
    title: 'Apply changes that were proposed',
    description:
      'Applies the changes of a proposal, unless they would now concern other rows. Only after the user has agreed to the rows that propose_change showed. Repeated with the same token, it answers the same and writes nothing.',
    inputSchema: {
      type: 'object',
      properties: { token: { type: 'string', maxLength: 200 }, ...properties },
      required: ['token', 'changes'],
    },
    kind: 'writes',
    async run(args, call) {
      const { settings, pool } = call.api.snapshot();
      if (!mayApply(settings))
        throw dbrError('IdempotencyUnavailable', {
          reason: 'Changes need db-idempotency, and db-tx-end = commit',
        });
      const [, signed = '', end = '', id = '', digest, signature = ''] =
        TOKEN.exec(optionalText(args, 'token') ?? '') ?? [];
      const expected = Buffer.from(signatureOf(key, signed, args, call));
      if (signature.length !== expected.length || !timingSafeEqual(Buffer.from(signature), expected))
        return invalid('token', 'is not that of these changes and this caller');
      if (Number(end) < now()) return invalid('token', 'has expired: propose the change again');
      const changes = changesOf(args, null);
      const request = requestOf(call, questionOf(args, changes, { 'idempotency-key': `"${id}"` }));
      const stands = appliesToo || (await isWaiting(pool, id, call.request.identity));
      // Not called if the changes have been applied, and their answer was kept.
      const reply = await call.api.apply(request, (made) => {
        if (!stands) invalid('token', 'is of a proposal that does not wait: it was dismissed, or never kept');
        const body = Buffer.concat(Array.isArray(made.body) ? made.body : []);
        const { length } = body;
        // The rows may have grown since they were proposed, and are parsed at once.
        if (length > LONGEST_ANSWER) throw dbrError('ResultTooLarge', { length, limit: LONGEST_ANSWER });
        const met = metBy(body.toString('utf8'));
        if (areTooMany(met, call) || digestOf(changes, met, args, call) !== digest)
          invalid(
            'changes',
            'concern other rows than were proposed: nothing was changed, propose them again',
          );
      });
      const { text } = await answerOf(call, reply);
      // The changes are committed, and what fails now must not hide that. What is left expires.
      if (!appliesToo) await forgetProposal(pool, id, call.request.identity).catch(() => null);
      return dataAnswer({ rows: counted(metBy(text)), applied: true }, text);
    },
  };
  return [propose, appliesToo ? apply : { ...apply, hidden: true }];
}
