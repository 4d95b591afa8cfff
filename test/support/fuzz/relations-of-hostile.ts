/** What holds for every request, also for one that is no request of the grammar: an answer of the contract. */
import fc from 'fast-check';
import { mutatedRequest, type TextRequest } from './arbitrary-mutations.js';
import { wildQuery } from './arbitrary-texts.js';
import type { FuzzClient } from './fuzz-client.js';
import { answersOfGet } from './relations-of-forms.js';
import { JSON_BODY, type Relation } from './relation.js';

/** Queries of pieces of the grammar give the same answer in each form, and never a fault of the service. */
export const wild: Relation<string> = {
  arbitrary: wildQuery,
  async check(query, client) {
    await Promise.all(
      ['/films', '/rpc/films_of', '/recent'].map((path) => answersOfGet(path, query, client)),
    );
    const path = `/marks?id=eq.-1&${query}`;
    await client.send({ method: 'DELETE', path, headers: { Prefer: 'tx=rollback' } });
    const headers = { ...JSON_BODY, Prefer: 'tx=rollback, return=representation' };
    await client.send({ method: 'PATCH', path, body: '{"label":"x"}', headers });
  },
};

const JSON_TYPE = /^application\/(?:vnd\.pgrst\.(?:object|array)\+)?json/;

/** A mutated request gets an answer that can be read. Its faults are found by the client. */
async function checkAnswer({ method, path, headers, body }: TextRequest, client: FuzzClient): Promise<void> {
  const sent = { method, path, headers, alone: true };
  const reply = await client.send(body === '' ? sent : { ...sent, body });
  const type = reply.headers['content-type'] ?? '';
  if (reply.text !== '' && JSON_TYPE.test(type)) JSON.parse(reply.text);
}

/** Mutated requests get an answer that can be read, and never a fault of the service. */
export const mutations: Relation<readonly TextRequest[]> = {
  arbitrary: fc.array(mutatedRequest, { minLength: 1, maxLength: 8 }),
  async check(requests, client) {
    for (const each of requests) await checkAnswer(each, client);
  },
};
