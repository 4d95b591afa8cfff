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

const anyParty = fc.constantFrom(...PARTIES, STRANGER);
const anyTrigger: fc.Arbitrary<Trigger> = fc.oneof(
  { weight: 6, arbitrary: anyParty.map((partyId) => ({ kind: 'join', partyId, instanceId: 'i' }) as const) },
  { weight: 2, arbitrary: fc.constant({ kind: 'supply-share' } as const) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('report-signature' as const),
      partyId: anyParty,
      signature: fc.constantFrom('aa', 'bb'),
      valid: fc.constantFrom(true, false, null, null, null),
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
      decide(view, { kind: 'report-signature', partyId: partyIdOf('a'), signature: 'aa', valid }, 1);
    expect(report(true)).to.deep.equal({
      kind: 'moved',
      transitions: [{ state: 'completed', happening: { type: 'completed', signature: 'aa', partyId: 'a' } }],
    });
    expect(report(false)).to.have.nested.property('transitions[0].happening.reason', 'invalid_signature');
  });

  it('knows the signature of a completed session again, and takes no other one', () => {
    const view = session({ state: 'completed', signature: 'aa' });
    const report = (signature: string, state: SessionView['state'] = 'completed') =>
      decide(
        { ...view, state },
        { kind: 'report-signature', partyId: partyIdOf('a'), signature, valid: true },
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
      { kind: 'report-signature', partyId: partyIdOf(partyId), signature, valid: null },
      0,
    ];
    const view = session({ state: 'in_progress' });
    expect(run(view, [report('a', 'aa'), report('b', 'bb')]).view.state).to.equal('in_progress');
    expect(run(view, [report('a', 'aa'), report('a', 'aa')]).view.state).to.equal('in_progress');
    expect(run(view, [report('a', 'aa'), report('b', 'aa')]).view.state).to.equal('completed');
    expect(run(view, [report('a', 'aa'), report('a', 'bb')]).view.state).to.equal('failed');
  });
});
