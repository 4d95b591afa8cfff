import { expect } from 'chai';
import {
  createApiKeys,
  hashPrefix,
  isApiKey,
  newApiKey,
  withoutKeys,
  type ApiKey,
  type ApiKeysOptions,
  type CredentialHeaders,
} from '../../../src/auth/api-keys.js';
import type { Authenticator, RoleRules } from '../../../src/auth/identity.js';
import { sha256 } from '../../../src/base/hash.js';
import type { Identity } from '../../../src/contract/request.js';
import { DbrError } from '../../../src/errors/dbr-error.js';
import type { TokenFault } from '../../../src/errors/token-error.js';

const OWN = `dbr_${'a'.repeat(43)}`;
const PUBLISHABLE = `sb_publishable_${'b'.repeat(22)}`;
const EXPIRED = `sb_secret_${'c'.repeat(22)}`;
const RATED = `dbr_${'d'.repeat(43)}`;
const RESERVED = `dbr_${'e'.repeat(43)}`;
const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoiYWRhIn0.c2lnbmF0dXJl';

const key = (text: string, more: Partial<ApiKey> = {}): readonly [string, ApiKey] => {
  const hash = sha256(text);
  return [
    hashPrefix(hash),
    { id: text.slice(-1).repeat(12), hash, role: 'machine', rate: null, expiresAtMs: null, ...more },
  ];
};
const KNOWN = new Map([
  key(OWN),
  key(PUBLISHABLE, { role: null }),
  key(EXPIRED, { expiresAtMs: Date.now() - 1 }),
  key(RATED, { rate: { requests: 2, seconds: 60 } }),
  key(RESERVED, { role: 'authenticator' }),
]);

const OF_TOKEN: Identity = { role: 'ada', claims: '{"role":"ada"}', authenticated: true };
const OF_NOBODY: Identity = { role: 'anon', claims: '{"role":"anon"}', authenticated: false };
const authenticator = (roleRules: RoleRules): Authenticator => ({
  roleRules,
  identify: (authorization) => (authorization?.includes(TOKEN) === true ? OF_TOKEN : OF_NOBODY),
  forgetTokens: () => undefined,
  tooShortFor: [],
});
const RULES: RoleRules = { anonymousRole: 'anon', loginRole: 'authenticator' };

function keysWith(more: Partial<ApiKeysOptions> = {}) {
  const used: string[] = [];
  const faults: TokenFault[] = [];
  const keys = createApiKeys({
    known: () => KNOWN,
    take: () => 0,
    onUse: (id) => used.push(id),
    observe: (observation) => {
      if (observation.kind === 'token-refused') faults.push(observation.fault);
    },
    ...more,
  });
  const identify = async (headers: CredentialHeaders, rules = RULES): Promise<Identity | DbrError> => {
    try {
      return await keys.identify(authenticator(rules), headers);
    } catch (error) {
      if (error instanceof DbrError) return error;
      throw error;
    }
  };
  return { identify, used, faults };
}

const OF_OWN: Identity = {
  role: 'machine',
  claims: '{"api_key_id":"aaaaaaaaaaaa","role":"machine"}',
  authenticated: true,
};

describe('API keys', () => {
  it('have forms that no token has', () => {
    for (const kind of ['own', 'publishable', 'secret'] as const) {
      const made = newApiKey(kind);
      expect(isApiKey(made), kind).to.equal(true);
      expect(made).to.match(/^(?:dbr|sb_publishable|sb_secret)_[\w-]{43}$/);
      expect(newApiKey(kind)).not.to.equal(made);
    }
    for (const text of [
      '',
      'dbr_',
      `dbr_${'a'.repeat(21)}`,
      `dbr_${'a'.repeat(201)}`,
      `DBR_${'a'.repeat(30)}`,
      TOKEN,
    ])
      expect(isApiKey(text), text).to.equal(false);
    expect(isApiKey(`dbr_${'ä'.repeat(30)}`)).to.equal(false);
    expect(isApiKey(`dbr_${'a'.repeat(30)}\n`)).to.equal(false);
  });

  it('open their role by either header, and by both', async () => {
    const { identify, used } = keysWith();
    const bearer = `Bearer ${OWN}`;
    const first = await identify({ apikey: OWN });
    expect(first).to.deep.equal(OF_OWN);
    expect(await identify({ authorization: bearer }), 'one object').to.equal(first);
    expect(await identify({ authorization: bearer, apikey: OWN })).to.equal(first);
    expect(await identify({ authorization: `bearer   ${OWN} `, apikey: ` ${OWN} ` })).to.equal(first);
    expect(await identify({ authorization: 'Basic Zm9v', apikey: OWN })).to.equal(first);
    expect(used, 'one use for each request').to.have.length(5);
  });

  it('without a role are the anonymous one', async () => {
    const { identify } = keysWith();
    const claims = '{"api_key_id":"bbbbbbbbbbbb","role":"anon"}';
    expect(await identify({ apikey: PUBLISHABLE })).to.deep.equal({
      role: 'anon',
      claims,
      authenticated: false,
    });
    const refused = await identify({ apikey: PUBLISHABLE }, { anonymousRole: null, loginRole: null });
    expect(refused).to.be.instanceOf(DbrError).and.include({ code: 'DBR302' });
  });

  it('leave the identity to a token beside them, and must be valid there', async () => {
    const { identify, used } = keysWith();
    const authorization = `Bearer ${TOKEN}`;
    expect(await identify({ authorization, apikey: PUBLISHABLE })).to.equal(OF_TOKEN);
    expect(used).to.deep.equal(['bbbbbbbbbbbb']);
    for (const apikey of ['nonsense', `dbr_${'z'.repeat(43)}`, EXPIRED])
      expect(await identify({ authorization, apikey })).to.include({ code: 'DBR304' });
    expect(await identify({ authorization: `Bearer ${OWN}`, apikey: EXPIRED })).to.include({
      code: 'DBR304',
    });
    expect(await identify({ authorization: `Bearer ${OWN}`, apikey: PUBLISHABLE })).to.deep.equal(OF_OWN);
  });

  it('ignore a token in apikey, as legacy keys of Supabase are', async () => {
    const { identify } = keysWith();
    expect(await identify({ apikey: TOKEN })).to.equal(OF_NOBODY);
    expect(await identify({ apikey: TOKEN, authorization: `Bearer ${TOKEN}` })).to.equal(OF_TOKEN);
    expect(await identify({ apikey: ' ' })).to.equal(OF_NOBODY);
    expect(await identify({})).to.equal(OF_NOBODY);
  });

  it('that are wrong get one error without the key, and count by their fault', async () => {
    const { identify, faults } = keysWith();
    const wrong = [
      'x',
      `${OWN}a`,
      OWN.slice(0, -1),
      `sb_secret_${'a'.repeat(43)}`,
      `dbr_${'\u00e4'.repeat(43)}`,
      `dbr_${'a'.repeat(14_000)}`,
      `${OWN}, ${OWN}`,
      EXPIRED,
      RESERVED,
    ];
    for (const apikey of wrong) {
      const error = await identify({ apikey });
      expect(error, apikey.slice(0, 60))
        .to.be.instanceOf(DbrError)
        .and.include({ code: 'DBR304', status: 401 });
      expect(JSON.stringify(error)).not.to.contain(apikey);
    }
    expect(await identify({ apikey: [OWN, OWN] })).to.include({ code: 'DBR304' });
    for (const text of ['dbr_', 'dbr_short', EXPIRED])
      expect(await identify({ authorization: `Bearer ${text}` })).to.include({ code: 'DBR304' });
    expect(new Set(faults)).to.deep.equal(
      new Set(['unknown API key', 'API key expired', 'role not allowed']),
    );
  });

  it('get 503 while they are not known', async () => {
    const { identify } = keysWith({ known: () => null });
    expect(await identify({ apikey: OWN })).to.include({ code: 'DBR412', status: 503 });
    expect(await identify({})).to.equal(OF_NOBODY);
  });

  it('are counted, and refused beyond their rate', async () => {
    const counted: string[] = [];
    const { identify } = keysWith({
      take(id) {
        counted.push(id);
        return Promise.resolve(counted.length > 2 ? 30 : 0);
      },
    });
    expect(await identify({ apikey: OWN })).to.deep.equal(OF_OWN);
    expect(await identify({ apikey: RATED, authorization: `Bearer ${RATED}` })).to.include({
      role: 'machine',
    });
    expect(await identify({ apikey: RATED, authorization: `Bearer ${TOKEN}` })).to.equal(OF_TOKEN);
    const refused = await identify({ apikey: RATED });
    expect(refused).to.include({ code: 'DBR411', status: 429 });
    expect(refused).to.have.deep.property('headers', { 'Retry-After': '30' });
    expect(counted).to.deep.equal(['dddddddddddd', 'dddddddddddd', 'dddddddddddd']);
  });

  it('are taken out of the headers that transactions see', () => {
    const others = ['Accept', '*/*', 'Authorization', `Bearer ${TOKEN}`];
    expect(withoutKeys([...others, 'apikey', OWN, 'APIKEY', 'x'])).to.deep.equal(others);
    expect(withoutKeys(['authorization', `Bearer ${OWN}`, 'X-A', 'b'])).to.deep.equal(['X-A', 'b']);
  });
});
