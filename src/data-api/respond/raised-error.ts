import type { CodePrefix } from '../../errors/code-prefix.js';
import { dbrError } from '../../errors/dbr-error.js';
import type { ErrorFields } from '../../postgres/postgres-error.js';
import { mayBeSent, toWire, type Header } from './header-text.js';
import { parseJson } from './response-settings.js';

/** An error with which a function defines the whole response (contract, custom errors, 4). */
export interface RaisedError {
  readonly status: number;
  readonly reason: string | null;
  readonly headers: readonly Header[];
  readonly body: {
    readonly code: string;
    readonly message: string;
    readonly details: string | null;
    readonly hint: string | null;
  };
}

/** The usual SQLSTATE by which a function takes full control. */
const STATES: Readonly<Record<CodePrefix, string>> = { DBR: 'DBR00', PGRST: 'PGRST' };

/** True for the SQLSTATEs by which a function takes full control: those that begin with `DBR`, and with compatibility `PGRST`. */
export const isFullControl = (code: string, prefix: CodePrefix): boolean =>
  code.startsWith('DBR') || code === STATES[prefix];

/** Reads MESSAGE and DETAIL. DBR121 if one of them is malformed. */
export function readRaisedError({ message, detail }: ErrorFields, prefix: CodePrefix): RaisedError {
  const state = STATES[prefix];
  const body = readMessage(message);
  if (body === null)
    throw dbrError('InvalidRaisedError', {
      state,
      details: 'invalidMessage',
      hint: 'message',
      value: message,
    });
  if (detail === null)
    throw dbrError('InvalidRaisedError', { state, details: 'missingDetail', hint: 'detail' });
  const head = readDetail(detail);
  if (head === null)
    throw dbrError('InvalidRaisedError', { state, details: 'invalidDetail', hint: 'detail', value: detail });
  return { ...head, body };
}

function readMessage(text: string): RaisedError['body'] | null {
  const members = membersOf(parseJson(text));
  const code = members?.get('code');
  const message = members?.get('message');
  const details = members?.get('details') ?? null;
  const hint = members?.get('hint') ?? null;
  if (typeof code !== 'string' || typeof message !== 'string') return null;
  if (!isTextOrNull(details) || !isTextOrNull(hint)) return null;
  return { code, message, details, hint };
}

function readDetail(text: string): Omit<RaisedError, 'body'> | null {
  const members = membersOf(parseJson(text));
  const status = members?.get('status');
  const reason = members?.get('status_text') ?? null;
  const headers = readHeaders(members?.get('headers'));
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 200 || status > 999) return null;
  if (!isTextOrNull(reason) || headers === null) return null;
  return { status, reason, headers };
}

function readHeaders(value: unknown): readonly Header[] | null {
  const members = membersOf(value);
  if (members === null) return null;
  const headers: Header[] = [];
  for (const [name, text] of members) {
    if (typeof text !== 'string' || !mayBeSent([name, text])) return null;
    headers.push([name, toWire(text)]);
  }
  return headers;
}

const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === 'string';

function membersOf(value: unknown): ReadonlyMap<string, unknown> | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  return new Map<string, unknown>(Object.entries(value));
}
