import { expect } from 'chai';
import fc from 'fast-check';
import { partyIdOf } from '../../../src/base/identifiers.js';
import {
  decide,
  type Decision,
  type SessionView,
  type Transition,
  type Trigger,
} from '../../../src/signing/sessions/session-machine.js';
import { isTerminal } from '../../../src/signing/types.js';
import { runs } from '../../support/runs.js';

const PARTIES = ['a', 'b', 'c'].map(partyIdOf);
const STRANGER = partyIdOf('z');

const session = (overrides: Partial<SessionView> = {}): SessionView => ({
  state: 'created',
  participants: PARTIES.map((partyId) => ({ partyId, joined: false, reportedSignature: null })),
  threshold: 2,
  shareNeeded: false,
  shareSupplied: false,
  shareUndeliveredUntil: null,
  readyBy: 60,
  expiresAt: 300,
  signature: null,
  certified: null,
  ...overrides,
});

/** The steps of a decision, whatever led to them. */
function transitionsOf(decision: Decision): readonly Transition[] {
  if (decision.kind === 'lapsed') return [decision.transition];
  return decision.kind === 'moved' ? decision.transitions : [];
}

/** Applies a decision as the store does. */
function after(view: SessionView, trigger: Trigger, decision: Decision): SessionView {
  const transitionsMade = transitionsOf(decision);
  const happenings = transitionsMade.map(({ happening }) => happening);
  const joined = new Set(happenings.flatMap((one) => (one.type === 'party-joined' ? [one.partyId] : [])));
  const reported = happenings.some(({ type }) => type === 'party-reported' || type === 'completed');
  const completed = happenings.find((one) => one.type === 'completed');
  return {
    ...view,
    state: transitionsMade.at(-1)?.state ?? view.state,
    shareSupplied: view.shareSupplied || happenings.some(({ type }) => type === 'delegate-share-supplied'),
    signature: completed?.signature ?? view.signature,
    participants: view.participants.map((participant) => ({
      ...participant,
      joined: participant.joined || joined.has(participant.partyId),
      reportedSignature:
        reported && trigger.kind === 'report-signature' && trigger.partyId === participant.partyId
          ? trigger.signature
          : participant.reportedSignature,
    })),
  };
}

const APPROVAL = {
  kind: 'approve',
  signature: { keyId: 'ada', algorithm: 'ed25519', signature: '05' },
  repeated: false,
} as const;

const anyParty = fc.constantFrom(...PARTIES, STRANGER);
const anyTrigger: fc.Arbitrary<Trigger> = fc.oneof(
  { weight: 6, arbitrary: anyParty.map((partyId) => ({ kind: 'join', partyId, instanceId: 'i' }) as const) },
  { weight: 2, arbitrary: fc.constant({ kind: 'supply-share' } as const) },
  fc.boolean().map((repeated) => ({ ...APPROVAL, repeated })),
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('report-signature' as const),
      partyId: anyParty,
      signature: fc.constantFrom('aa', 'bb'),
      valid: fc.constantFrom(true, false, null, null, null),
      recoveryId: fc.constant(null),
    }),
  },
  fc.record({
    kind: fc.constant('report-abort' as const),
    partyId: anyParty,
    reason: fc.constant('party_aborted' as const),
    culprits: fc.subarray([...PARTIES, STRANGER]),
    detail: fc.constantFrom('', 'why'),
  }),
  anyParty.map(
    (partyId) => ({ kind: 'equivocation', partyId, firstSha256: '1', secondSha256: '2' }) as const,
  ),
  fc.constant({ kind: 'cancel', reason: null } as const),
  fc.constant({ kind: 'deny' } as const),
  { weight: 2, arbitrary: fc.constant({ kind: 'clock' } as const) },
);

const run = (first: SessionView, steps: readonly (readonly [Trigger, number])[]) => {
  let view = first;
  let now = 0;
  const transitions: Transition[] = [];
  const states: SessionView[] = [first];
  for (const [trigger, wait] of steps) {
    now += wait;
    const decision = decide(view, trigger, now);
    transitions.push(...transitionsOf(decision));
    view = after(view, trigger, decision);
    states.push(view);
  }
  return { view, transitions, states, now };
};

describe('the life of a signing session', () => {
  it('keeps its invariants for every order of events', () => {
    const steps = fc.array(fc.tuple(anyTrigger, fc.constantFrom(0, 0, 0, 1, 5, 40, 120)), { maxLength: 40 });
    fc.assert(
      fc.property(steps, fc.boolean(), (given, shareNeeded) => {
        const { transitions, states, view, now } = run(session({ shareNeeded }), given);
        const ends = transitions.filter(({ state }) => isTerminal(state));
        expect(ends.length, 'one end at most').to.be.at.most(1);
        if (ends.length === 1) expect(transitions.at(-1), 'nothing after the end').to.equal(ends[0]);
        const terminal = states.find(({ state }) => isTerminal(state));
        if (terminal !== undefined) expect(view.state, 'an end is final').to.equal(terminal.state);
        const started = transitions.filter(({ happening }) => happening.type === 'started');
        expect(started.length, 'begins once').to.be.at.most(1);
        for (const one of states.filter(({ state }) => state === 'in_progress')) {
          expect(
            one.participants.every(({ joined }) => joined),
            'all have joined',
          ).to.equal(true);
          expect(one.shareNeeded && !one.shareSupplied, 'with the share').to.equal(false);
        }
        const happenings = transitions.flatMap(({ happening }) =>
          'partyId' in happening ? [happening.partyId] : [],
        );
        expect(happenings, 'strangers change nothing').not.to.include(STRANGER);
        expect(view.state === 'completed', 'signed or not').to.equal(view.signature !== null);
        const swept = decide(view, { kind: 'clock' }, Math.max(now, 300));
        expect(isTerminal(view.state) ? swept.kind : 'lapsed', 'ends in time').to.equal(swept.kind);
      }),
      { numRuns: runs(2000, 500) },
    );
  });

  it('begins when the last party joins', () => {
    const { view, transitions } = run(
      session(),
      PARTIES.map((partyId) => [{ kind: 'join', partyId, instanceId: 'i' }, 0] as const),
    );
    expect(view.state).to.equal('in_progress');
    expect(transitions.map(({ happening }) => happening.type)).to.deep.equal([
      'party-joined',
      'party-joined',
      'party-joined',
      'started',
    ]);
  });

  it('waits for the share of a delegate', () => {
    const joins = PARTIES.map((partyId) => [{ kind: 'join', partyId, instanceId: 'i' }, 0] as const);
    const { view } = run(session({ shareNeeded: true }), joins);
    expect(view.state).to.equal('awaiting_parties');
    const supplied = decide(view, { kind: 'supply-share' }, 1);
    expect(supplied.kind === 'moved' ? supplied.transitions.map(({ state }) => state) : []).to.deep.equal([
      'awaiting_parties',
      'in_progress',
    ]);
    const twice = decide({ ...view, shareSupplied: true }, { kind: 'supply-share' }, 1);
    expect(twice).to.deep.equal({ kind: 'refused', refusal: { kind: 'share-supplied-already' } });
    const unexpected = decide(session(), { kind: 'supply-share' }, 1);
    expect(unexpected).to.deep.equal({ kind: 'refused', refusal: { kind: 'share-unexpected' } });
  });

  it('keeps its state for an approval, and for one that is repeated, whenever it comes', () => {
    const approved = decide(session({ state: 'awaiting_parties' }), APPROVAL, 0);
    const happening = { type: 'approved', keyId: 'ada' };
    expect(approved).to.deep.equal({
      kind: 'moved',
      transitions: [{ state: 'awaiting_parties', happening }],
    });
    for (const state of ['created', 'in_progress', 'completed'] as const)
      expect(decide(session({ state }), { ...APPROVAL, repeated: true }, 0)).to.deep.equal({
        kind: 'unchanged',
      });
    const late = decide(session(), APPROVAL, Number.MAX_SAFE_INTEGER);
    expect(late.kind).to.equal('lapsed');
  });

  it('lists the missing parties when it expires', () => {
    const view = session({
      shareNeeded: true,
      participants: PARTIES.map((partyId) => ({ partyId, joined: partyId === 'a', reportedSignature: null })),
    });
    expect(decide(view, { kind: 'join', partyId: partyIdOf('b'), instanceId: 'i' }, 60)).to.deep.equal({
      kind: 'lapsed',
      transition: {
        state: 'expired',
        happening: { type: 'expired', missingParties: ['b', 'c'], shareMissing: true },
      },
    });
  });

  it('ends when the share expires before the delegate received it, and not after', () => {
    const lapsed = {
      kind: 'lapsed',
      transition: {
        state: 'failed',
        happening: {
          type: 'failed',
          reason: 'share_unusable',
          partyId: null,
          culprits: [],
          detail: 'the share expired before the delegate received it',
        },
      },
    };
    for (const state of ['created', 'awaiting_parties', 'in_progress'] as const) {
      const view = session({ state, shareNeeded: true, shareSupplied: true, shareUndeliveredUntil: 40 });
      expect(decide(view, { kind: 'clock' }, 39)).to.deep.equal({ kind: 'unchanged' });
      expect(decide(view, { kind: 'clock' }, 40)).to.deep.equal(lapsed);
      expect(decide(view, { kind: 'join', partyId: partyIdOf('a'), instanceId: 'i' }, 41)).to.deep.equal(
        lapsed,
      );
      const delivered = { ...view, shareUndeliveredUntil: null };
      expect(decide(delivered, { kind: 'clock' }, 41)).to.deep.equal({ kind: 'unchanged' });
    }
    const over = session({ state: 'completed', signature: 'aa', shareUndeliveredUntil: 40 });
    expect(decide(over, { kind: 'clock' }, 41)).to.deep.equal({ kind: 'unchanged' });
  });

  it('fails at a signature that does not verify, and completes at one that does', () => {
    const view = session({ state: 'in_progress' });
    const report = (valid: boolean) =>
      decide(
        view,
        { kind: 'report-signature', partyId: partyIdOf('a'), signature: 'aa', valid, recoveryId: 1 },
        1,
      );
    expect(report(true)).to.deep.equal({
      kind: 'moved',
      transitions: [
        {
          state: 'completed',
          happening: { type: 'completed', signature: 'aa', recoveryId: 1, partyId: 'a' },
        },
      ],
    });
    expect(report(false)).to.have.nested.property('transitions[0].happening.reason', 'invalid_signature');
  });

  it('knows the signature of a completed session again, and takes no other one', () => {
    const view = session({ state: 'completed', signature: 'aa' });
    const report = (signature: string, state: SessionView['state'] = 'completed') =>
      decide(
        { ...view, state },
        { kind: 'report-signature', partyId: partyIdOf('a'), signature, valid: true, recoveryId: null },
        1,
      );
    expect(report('aa')).to.deep.equal({ kind: 'unchanged' });
    const refused = { kind: 'refused', refusal: { kind: 'terminal', state: 'completed' } };
    expect(report('bb')).to.deep.equal(refused);
    expect(report('aa', 'failed')).to.deep.equal({
      ...refused,
      refusal: { kind: 'terminal', state: 'failed' },
    });
  });

  it('counts equal reports if the signature cannot be verified', () => {
    const report = (partyId: string, signature: string): readonly [Trigger, number] => [
      { kind: 'report-signature', partyId: partyIdOf(partyId), signature, valid: null, recoveryId: null },
      0,
    ];
    const view = session({ state: 'in_progress' });
    expect(run(view, [report('a', 'aa'), report('b', 'bb')]).view.state).to.equal('in_progress');
    expect(run(view, [report('a', 'aa'), report('a', 'aa')]).view.state).to.equal('in_progress');
    expect(run(view, [report('a', 'aa'), report('b', 'aa')]).view.state).to.equal('completed');
    expect(run(view, [report('a', 'aa'), report('a', 'bb')]).view.state).to.equal('failed');
  });
});

describe('what a trigger does', () => {
  const [A, B] = [partyIdOf('a'), partyIdOf('b')];
  const refused = (refusal: object) => ({ kind: 'refused', refusal });
  const moved = (state: string, happening: object) => ({
    kind: 'moved',
    transitions: [{ state, happening }],
  });
  const failed = (reason: string, partyId: unknown, culprits: unknown, detail: unknown) =>
    moved('failed', { type: 'failed', reason, partyId, culprits, detail });
  const UNCHANGED = { kind: 'unchanged' };
  const JOIN = { kind: 'join', partyId: A, instanceId: 'i' } as const;
  const abort = (more: { readonly partyId?: typeof A; readonly detail?: string }): Trigger => ({
    ...{ kind: 'report-abort', partyId: A, reason: 'party_aborted', culprits: [B, STRANGER], detail: 'why' },
    ...more,
  });
  const equivocation = (partyId: typeof A): Trigger => ({
    ...{ kind: 'equivocation', partyId, firstSha256: '01', secondSha256: '02' },
  });
  const report = (more: Partial<Extract<Trigger, { readonly kind: 'report-signature' }>> = {}): Trigger => ({
    ...{ kind: 'report-signature', partyId: A, signature: 's', valid: null, recoveryId: null },
    ...more,
  });
  const running = session({ state: 'in_progress' });
  const completed = session({ state: 'completed', signature: 's' });
  const terminal = (state: string) => refused({ kind: 'terminal', state });

  const CASES: readonly (readonly [what: string, view: SessionView, trigger: Trigger, decision: object])[] = [
    ['the clock', session(), { kind: 'clock' }, UNCHANGED],
    ['a join', session(), JOIN, moved('awaiting_parties', { type: 'party-joined', partyId: A })],
    [
      'a join of a stranger',
      session(),
      { ...JOIN, partyId: STRANGER },
      refused({ kind: 'not-a-participant' }),
    ],
    ['a join after the end', completed, JOIN, terminal('completed')],
    [
      'a share that no delegate needs',
      session(),
      { kind: 'supply-share' },
      refused({ kind: 'share-unexpected' }),
    ],
    ['a share after the end', completed, { kind: 'supply-share' }, terminal('completed')],
    ['an approval after the end', completed, APPROVAL, terminal('completed')],
    [
      'an approval after the start',
      session({ state: 'in_progress' }),
      APPROVAL,
      refused({ kind: 'wrong-state', state: 'in_progress' }),
    ],
    [
      'a second share',
      session({ shareNeeded: true, shareSupplied: true }),
      { kind: 'supply-share' },
      refused({ kind: 'share-supplied-already' }),
    ],
    [
      'a late share',
      session({ shareNeeded: true, state: 'in_progress' }),
      { kind: 'supply-share' },
      refused({ kind: 'wrong-state', state: 'in_progress' }),
    ],
    [
      'a share',
      session({ shareNeeded: true }),
      { kind: 'supply-share' },
      moved('created', { type: 'delegate-share-supplied' }),
    ],
    [
      'a share before the parties',
      session({ shareNeeded: true, state: 'awaiting_parties' }),
      { kind: 'supply-share' },
      moved('awaiting_parties', { type: 'delegate-share-supplied' }),
    ],
    ['an abort', running, abort({}), failed('party_aborted', A, [B], 'why')],
    ['an abort without words', running, abort({ detail: '' }), failed('party_aborted', A, [B], null)],
    ['an abort of a stranger', running, abort({ partyId: STRANGER }), refused({ kind: 'not-a-participant' })],
    ['an abort after the end', completed, abort({}), terminal('completed')],
    ['an equivocation', running, equivocation(A), failed('equivocation', A, [A], 'payloads 01 and 02')],
    [
      'an equivocation of a stranger',
      running,
      equivocation(STRANGER),
      refused({ kind: 'not-a-participant' }),
    ],
    [
      'a cancellation',
      session(),
      { kind: 'cancel', reason: 'r' },
      moved('cancelled', { type: 'cancelled', reason: 'r' }),
    ],
    ['a second cancellation', session({ state: 'cancelled' }), { kind: 'cancel', reason: 'r' }, UNCHANGED],
    ['a cancellation after the end', completed, { kind: 'cancel', reason: 'r' }, terminal('completed')],
    [
      'a denial',
      running,
      { kind: 'deny' },
      moved('cancelled', { type: 'cancelled', reason: 'policy_denied' }),
    ],
    ['a denial after the end', completed, { kind: 'deny' }, UNCHANGED],
    ['a report', running, report(), moved('in_progress', { type: 'party-reported', partyId: A })],
    ['a report too early', session(), report(), refused({ kind: 'wrong-state', state: 'created' })],
    [
      'a report of a stranger',
      running,
      report({ partyId: STRANGER }),
      refused({ kind: 'not-a-participant' }),
    ],
    [
      'a valid signature',
      running,
      report({ valid: true }),
      moved('completed', { type: 'completed', signature: 's', recoveryId: null, partyId: A }),
    ],
    ['an invalid signature', running, report({ valid: false }), failed('invalid_signature', A, [A], null)],
    ['the known signature', completed, report(), UNCHANGED],
    ['another signature after the end', completed, report({ signature: 't' }), terminal('completed')],
  ];
  for (const [what, view, trigger, decision] of CASES)
    it(`is decided for ${what}`, () => {
      expect(decide(view, trigger, 0)).to.deep.equal(decision);
    });

  for (const [state, now, ends] of [
    ['created', 59, false],
    ['created', 60, true],
    ['awaiting_parties', 60, true],
    ['in_progress', 299, false],
    ['in_progress', 300, true],
    ['completed', 1000, false],
  ] as const)
    it(`${ends ? 'ends' : 'keeps'} a session that is ${state} at ${String(now)}`, () => {
      expect(decide(session({ state }), { kind: 'clock' }, now).kind).to.equal(ends ? 'lapsed' : 'unchanged');
    });

  it('expires with what is missing', () => {
    const missing = (overrides: Partial<SessionView>, now = 300) => {
      const decision = decide(session(overrides), { kind: 'clock' }, now);
      return decision.kind === 'lapsed' ? decision.transition.happening : decision.kind;
    };
    expect(missing({})).to.deep.equal({ type: 'expired', missingParties: PARTIES, shareMissing: false });
    expect(missing({ shareNeeded: true })).to.deep.include({ shareMissing: true });
    expect(missing({ shareNeeded: true, shareSupplied: true })).to.deep.include({ shareMissing: false });
    const participants = PARTIES.map((partyId) => ({
      partyId,
      joined: true,
      reportedSignature: partyId === A ? 's' : null,
    }));
    expect(missing({ state: 'in_progress', participants })).to.deep.include({
      missingParties: PARTIES.slice(1),
    });
    expect(missing({ participants })).to.deep.include({ missingParties: [] });
  });

  describe('of a ceremony', () => {
    const RESULT = { publicKey: 'aa', transcriptSha256: 'bb' };
    const report = (
      at: number,
      more: Partial<Extract<Trigger, { kind: 'report-certificate' }>> = {},
    ): Trigger => ({
      kind: 'report-certificate',
      partyId: PARTIES[at] ?? STRANGER,
      result: RESULT,
      signature: `0${String(at)}`,
      valid: true,
      ...more,
    });
    /** All have joined; the first `reported` have reported. */
    const running = (reported: number, overrides: Partial<SessionView> = {}): SessionView =>
      session({
        state: 'in_progress',
        participants: PARTIES.map((partyId, at) => ({
          ...{ partyId, joined: true, reportedSignature: at < reported ? `0${String(at)}` : null },
        })),
        certified: reported === 0 ? null : RESULT,
        ...overrides,
      });
    const endOf = (view: SessionView, trigger: Trigger): unknown => {
      const { happening } = transitionsOf(decide(view, trigger, 0)).at(-1) ?? {};
      return happening?.type === 'failed' ? [happening.reason, happening.culprits] : happening?.type;
    };

    it('is completed by the last participant, and by no fewer', () => {
      expect(endOf(running(0), report(0))).to.equal('party-reported');
      expect(endOf(running(1), report(1))).to.equal('party-reported');
      expect(endOf(running(2), report(2))).to.equal('completed');
    });

    it('does not count a report twice', () => {
      expect(decide(running(1), report(0), 0).kind).to.equal('unchanged');
      expect(decide(running(3, { state: 'completed' }), report(2), 0).kind).to.equal('unchanged');
      expect(decide(running(3, { state: 'failed' }), report(2), 0).kind).to.equal('refused');
    });

    it('fails with the culprit where one party is to blame, and without one where two disagree', () => {
      const other = { ...RESULT, transcriptSha256: 'cc' };
      expect(endOf(running(1), report(1, { valid: false }))).to.deep.equal([
        'invalid_signature',
        [PARTIES[1]],
      ]);
      expect(endOf(running(1), report(1, { result: other }))).to.deep.equal(['equivocation', []]);
      expect(endOf(running(1), report(0, { result: other, signature: 'ff' }))).to.deep.equal([
        'equivocation',
        [PARTIES[0]],
      ]);
    });

    it('takes no report before all have joined, and none of a stranger', () => {
      expect(decide(session(), report(0), 0)).to.deep.equal({
        kind: 'refused',
        refusal: { kind: 'wrong-state', state: 'created' },
      });
      expect(decide(running(0), report(7), 0)).to.deep.equal({
        kind: 'refused',
        refusal: { kind: 'not-a-participant' },
      });
    });
  });
});
