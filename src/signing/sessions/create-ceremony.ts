/** Creation of a ceremony: checks who takes part, and writes its session in one transaction. */
import type { CeremonyRequest } from '../../../generated/types.js';
import { lengthPrefixed } from '../../base/bytes.js';
import { sha256 } from '../../base/hash.js';
import {
  newSessionId,
  parseSessionId,
  type AccountId,
  type PartyId,
  type SessionId,
} from '../../base/identifiers.js';
import { dbrError, type Problem } from '../../errors/dbr-error.js';
import type { DatabaseTask } from '../../postgres/transaction.js';
import { knowsOf, requireSign, type Actor } from '../access.js';
import { lockAccountShared, type Account } from '../accounts/account-store.js';
import { audit } from '../audit.js';
import type { SigningContext } from '../context.js';
import { insertCreatedEvents, insertParticipants, participantRows } from './insert-sessions.js';
import type { CreatedSession } from './create-session.js';
import { notifyOfCreation } from './owner-notifications.js';
import type { SessionRecord } from './session-record.js';
import { findSession } from './session-store.js';
import { requestOf, requestPart, requestView, requireRequest, type SignedRequest } from './signed-request.js';
import { inTenant } from '../transaction.js';
import type { ShareType } from '../types.js';
import type { CeremonyPlan, Holder } from '../router-port.js';
import { participantsOf, planStatement } from './ceremony.js';
import {
  findCandidates,
  insertCeremony,
  insertCeremonySession,
  type CandidateParty,
} from './ceremony-store.js';

const DEFAULT_TTL_SECONDS = 300;

interface NewCeremony {
  readonly actor: Actor;
  readonly accountId: AccountId;
  /** Takes the rate limit of the account, for a new session alone. @throws DbrError RateLimited */
  readonly admit: () => Promise<void>;
  readonly body: CeremonyRequest;
}

/**
 * Creates the session of a ceremony, or finds the one that the same request created before.
 * @throws DbrError AccountNotFound, Forbidden, RateLimited, SessionConflict, AccountNotActive, CeremonyOpen, CeremonyInvalid
 *   with every problem, and the errors of `requestOf` and `requireRequest`
 */
export async function createCeremony(context: SigningContext, request: NewCeremony): Promise<CreatedSession> {
  const { actor, accountId, body } = request;
  const sessionId = (body.sessionId === undefined ? null : parseSessionId(body.sessionId)) ?? newSessionId();
  const signed = body.request === undefined ? null : requestOf(body.request);
  const identifying = [accountId, actor.userId, identifyingText(body)];
  const requestSha256 = sha256(
    lengthPrefixed([...identifying, ...(signed === null ? [] : [requestPart(signed)])]),
  );
  const result = await inTenant(context.pool, actor.tenantId, async (transaction) => {
    const account = await lockAccountShared(transaction, accountId);
    if (account === null || !knowsOf(actor, account)) throw dbrError('AccountNotFound');
    requireSign(actor, account);
    const existing = await findSession(transaction, sessionId);
    if (existing !== null) {
      if (!existing.requestSha256.equals(requestSha256)) throw dbrError('SessionConflict');
      return { session: existing, created: false };
    }
    await request.admit();
    if (account.tenantFrozen) throw dbrError('AccountNotActive');
    const plan = await planOf(transaction, account, body);
    requireRequest(account, signed);
    const planned = { account, plan, sessionId, requestSha256, signed };
    const session = await write(context, transaction, request, planned);
    return { session, created: true };
  });
  if (result.created) context.written([result.session]);
  return result;
}

/** Equal for two requests if and only if they ask for the same ceremony. */
const identifyingText = ({
  kind,
  dealers,
  after,
  ttlSeconds = DEFAULT_TTL_SECONDS,
}: CeremonyRequest): string => {
  const shares = after?.shares.map(({ partyId, shareIndex, shareType }) => [partyId, shareIndex, shareType]);
  return JSON.stringify([kind, ttlSeconds, dealers, after?.threshold, shares]);
};

interface Planned {
  readonly account: Account;
  readonly plan: CeremonyPlan;
  readonly sessionId: SessionId;
  readonly requestSha256: Buffer;
  readonly signed: SignedRequest | null;
}

async function write(
  context: SigningContext,
  transaction: DatabaseTask,
  { actor, accountId, body }: NewCeremony,
  { account, plan, sessionId, requestSha256, signed }: Planned,
): Promise<SessionRecord> {
  const { tenantId, userId } = actor;
  const { ttlSeconds = DEFAULT_TTL_SECONDS } = body;
  const participants = participantsOf(plan);
  const planHash = sha256(planStatement({ tenantId, accountId, sessionId }, plan));
  const inserted = await insertCeremonySession(
    transaction,
    ...([
      sessionId,
      tenantId,
      accountId,
      userId,
      plan.kind,
      participants.length,
      planHash,
      requestSha256,
    ] as const),
    // Approvals are made by people, who need the time that the creator gives them.
    ...([signed === null ? context.readySeconds : ttlSeconds, ttlSeconds] as const),
    ...([signed?.content ?? null, signed === null ? null : JSON.stringify(signed.signatures)] as const),
  );
  if (inserted.length === 0) throw dbrError('CeremonyOpen');
  await insertParticipants(transaction, tenantId, participantRows(sessionId, participants));
  const before = plan.before === null ? null : JSON.stringify(plan.before);
  await insertCeremony(transaction, sessionId, tenantId, before, JSON.stringify(plan.after));
  const data = { ...auditView(plan), planSha256: planHash.toString('hex') };
  await insertCreatedEvents(transaction, tenantId, JSON.stringify([{ sessionId, data }]));
  await audit(transaction, actor, {
    action: 'ceremony.create',
    subject: `session:${sessionId}`,
    before: null,
    after: { accountId: account.accountId, ...data, ...(signed === null ? {} : requestView(signed)) },
  });
  const session = await findSession(transaction, sessionId);
  if (session === null) throw new Error('a session that was inserted cannot be read');
  await notifyOfCreation(context.notifications, transaction, [session], false);
  return session;
}

const auditView = ({ kind, before, after }: CeremonyPlan): object => ({ kind, before, after });

/** @throws DbrError CeremonyInvalid with every problem */
async function planOf(
  transaction: DatabaseTask,
  account: Account,
  body: CeremonyRequest,
): Promise<CeremonyPlan> {
  const { kind } = body;
  const problems: Problem[] = [...accountProblems(account, kind), ...memberProblems(body)];
  const dealing = kind === 'keygen' ? [] : dealersOf(account, body.dealers ?? [], problems);
  const { threshold, shares } =
    kind === 'reshare' && body.after !== undefined
      ? body.after
      : { threshold: account.threshold, shares: account.shares.filter(({ status }) => status === 'active') };
  const names = [...dealing, ...shares].map(({ partyId }) => partyId);
  const parties = await findCandidates(transaction, names);
  const candidates = new Map(parties.map((party) => [String(party.partyId), party]));
  const holders = (list: readonly NamedShare[], path: string): readonly Holder[] =>
    list.flatMap((share, index) => holderOf(share, candidates, `${path}/${String(index)}`, problems));
  const before =
    kind === 'keygen' ? null : { threshold: account.threshold, holders: holders(dealing, '/dealers') };
  const after = { threshold, holders: holders(shares, '/after/shares') };
  problems.push(...holdingProblems(threshold, shares));
  if (problems.length > 0) throw dbrError('CeremonyInvalid', {}, { problems });
  return { kind, before, after };
}

/** A new key has the holders and the threshold of the account; a reshared one those that the request names. */
function memberProblems({ kind, dealers, after, request }: CeremonyRequest): readonly Problem[] {
  return Object.entries({ dealers, after, request }).flatMap(([member, value]) => {
    if (kind === 'reshare' && value === undefined)
      return [problem(`/${member}`, 'required', 'is needed to reshare a key')];
    if (kind === 'keygen' && value !== undefined && member !== 'request')
      return [problem(`/${member}`, 'unexpected', 'a new key has the holders of the account')];
    return [];
  });
}

interface NamedShare {
  readonly partyId: string;
  readonly shareIndex: number;
  readonly shareType: ShareType;
}

function accountProblems(
  { keyType, status, publicKey }: Account,
  kind: CeremonyRequest['kind'],
): readonly Problem[] {
  const problems: Problem[] = [];
  if (keyType !== 'ed25519') problems.push(problem('', 'key_type', 'ceremonies make keys of type ed25519'));
  if (kind === 'keygen' && publicKey !== null)
    problems.push(problem('/kind', 'key_known', 'the account has a key; only its shares can be made again'));
  if (kind === 'keygen' && status !== 'pending' && publicKey === null)
    problems.push(problem('', 'account_not_pending', `the account is ${status}`));
  if (kind === 'reshare' && (status !== 'active' || publicKey === null))
    problems.push(problem('', 'account_not_active', `the account is ${status}`));
  return problems;
}

/** The shares that deal: those of the named parties, in the order of their indices. */
function dealersOf(
  { shares, threshold }: Account,
  dealers: readonly string[],
  problems: Problem[],
): readonly NamedShare[] {
  const dealing = dealers.flatMap((partyId, index) => {
    const share = shares.find((one) => one.partyId === partyId && one.status === 'active');
    if (share !== undefined && dealers.indexOf(partyId) === index) return [share];
    problems.push(
      share === undefined
        ? problem(
            `/dealers/${String(index)}`,
            'party_has_no_share',
            'the party holds no share of the account',
          )
        : problem(`/dealers/${String(index)}`, 'duplicate_party', 'the party is named twice'),
    );
    return [];
  });
  if (dealing.length < threshold)
    problems.push(problem('/dealers', 'below_threshold', `${String(threshold)} parties must deal together`));
  return [...dealing].sort((one, other) => one.shareIndex - other.shareIndex);
}

function holderOf(
  { partyId, shareIndex, shareType }: NamedShare,
  candidates: ReadonlyMap<string, CandidateParty>,
  path: string,
  problems: Problem[],
): readonly Holder[] {
  const party = candidates.get(partyId);
  if (party === undefined) {
    problems.push(problem(path, 'unknown_party', 'there is no such party'));
    return [];
  }
  if (party.status !== 'active')
    problems.push(problem(path, 'party_not_active', `the party is ${party.status}`));
  // The user would have to receive its share, and the ceremony has no way for that.
  if (party.role === 'delegate' || shareType === 'delegate')
    problems.push(problem(path, 'delegate', 'a delegate stores no share, so it takes part in no ceremony'));
  return [{ partyId: party.partyId, shareIndex, shareType, identityPublicKey: party.identityPublicKey }];
}

function holdingProblems(threshold: number, shares: readonly NamedShare[]): readonly Problem[] {
  const problems: Problem[] = [];
  const repeats = (key: (share: NamedShare) => PartyId | string | number): boolean =>
    new Set(shares.map(key)).size < shares.length;
  if (repeats(({ partyId }) => partyId))
    problems.push(problem('/after/shares', 'duplicate_party', 'a party holds two shares'));
  if (repeats(({ shareIndex }) => shareIndex))
    problems.push(problem('/after/shares', 'duplicate_index', 'two shares have one index'));
  if (shares.filter(({ shareType }) => shareType !== 'backup').length < threshold)
    problems.push(
      problem('/after/shares', 'below_threshold', `${String(threshold)} shares must sign together`),
    );
  return problems;
}

const problem = (path: string, code: string, message: string): Problem => ({ path, code, message });
