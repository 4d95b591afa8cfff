/** The outcome of a session, taken from its last event. */
import type { SigningSessionEvent } from '../../../generated/types.js';

export type Ending =
  | { readonly state: 'completed'; readonly signature: string }
  | {
      readonly state: 'failed';
      readonly reason: string;
      /** Who reported. */
      readonly partyId: string;
      readonly culprits: readonly string[];
    }
  | { readonly state: 'expired'; readonly missingParties: readonly string[] }
  | { readonly state: 'other'; readonly type: string };

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const texts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(text) : []);

export function endingOf({ type, partyId = '', data }: SigningSessionEvent): Ending {
  switch (type) {
    case 'completed':
      return { state: 'completed', signature: text(data['signature']) };
    case 'failed':
      return {
        state: 'failed',
        reason: text(data['reason']),
        partyId,
        culprits: texts(data['culpritPartyIds']),
      };
    case 'expired':
      return { state: 'expired', missingParties: texts(data['missingParties']) };
    case 'created':
    case 'party-joined':
    case 'delegate-share-supplied':
    case 'started':
    case 'party-reported':
    case 'party-keys-changed':
    case 'approved':
    case 'party-keys-proposed':
    case 'cancelled':
      return { state: 'other', type };
  }
}

/** One line for people. */
export function eventLine(event: SigningSessionEvent): string {
  const { sequence, type, partyId, data, DelegateUserShare: share } = event;
  const details = [
    ...(partyId === undefined ? [] : [partyId]),
    ...(type === 'created'
      ? [`${texts(data['participants']).join(', ')} (${text(data['partySource'])})`]
      : []),
    ...(share === undefined
      ? []
      : [`share for ${share.delegatePartyId}, key ${share.recipientKeyId.slice(0, 8)}`]),
    ...endingDetails(endingOf(event)),
    ...(text(data['keyId']) === '' ? [] : [text(data['keyId'])]),
    ...(text(data['detail']) === '' ? [] : [text(data['detail'])]),
  ];
  return `  ${String(sequence).padStart(2)} ${type.padEnd(14)} ${details.join('; ')}`.trimEnd();
}

function endingDetails(ending: Ending): readonly string[] {
  switch (ending.state) {
    case 'completed':
      return [`signature ${ending.signature.slice(0, 16)}…`];
    case 'failed':
      return [ending.reason, ...(ending.culprits.length === 0 ? [] : [`by ${ending.culprits.join(', ')}`])];
    case 'expired':
      return [`missing ${ending.missingParties.join(', ')}`];
    case 'other':
      return [];
  }
}
