/** A client that counts its requests and fails for every answer that no request may get. */
import { setTimeout } from 'node:timers/promises';
import { SignJWT } from 'jose';
import { targetOf } from '../service/raw-client.js';
import { openConnection, sendRequest, type HttpConnection, type HttpResponse } from './http-connection.js';

export type FuzzReply = HttpResponse;

/** `compatibility-level` of a service. */
export type Level = '12' | '16';

export interface FuzzRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whether the service may close the connection: the request travels alone on it. */
  readonly alone?: boolean;
  /** `compatibility-level` of the service; 12 by default. */
  readonly level?: Level;
}

export interface FuzzClient {
  /** @throws Error for an answer that no request may get, and for a connection that ends without a response */
  readonly send: (sent: FuzzRequest) => Promise<FuzzReply>;
  /** Value of `Authorization` for a role of the database. */
  readonly tokenOf: (role: string) => Promise<string>;
  /** A number that no other case has: the `space` of the rows that a case writes. */
  readonly space: () => number;
  readonly count: () => number;
  readonly close: () => void;
}

/** The secret that tokens are signed with. */
export const FUZZ_SECRET = 'a secret of generated requests, of enough bytes';

/** Connections that many requests share at a time. */
const SHARED = 4;
const NO_HEADERS = {};

interface State {
  readonly target: { readonly host: string; readonly port: number };
  readonly shared: (HttpConnection | undefined)[];
  readonly idle: HttpConnection[];
  next: number;
}

const stateOf = (url: string): State => ({ target: targetOf(url), shared: [], idle: [], next: 0 });

/** @param urls of the services, which have the same database */
export function openFuzzClient(urls: Readonly<Record<Level, string>>): FuzzClient {
  const states = { '12': stateOf(urls['12']), '16': stateOf(urls['16']) };
  let count = 0;
  const tokens = new Map<string, Promise<string>>();
  let space = 1_000_000;
  return {
    async send(sent) {
      count += 1;
      const { method, path, headers = NO_HEADERS, body, alone = false, level = '12' } = sent;
      const state = states[level];
      const request = { method, path, headers, body };
      const send = () => (alone ? sendAlone(state, request) : sendRequest(sharedOf(state), request));
      let reply = await send();
      for (let repeats = 0; isOverload(reply) && repeats < REPEATS; repeats += 1) {
        await setTimeout(PAUSE);
        reply = await send();
      }
      refuseFaults(sent, reply);
      return reply;
    },
    tokenOf(role) {
      const known = tokens.get(role) ?? tokenOf(role);
      tokens.set(role, known);
      return known;
    },
    space: () => (space += 1),
    count: () => count,
    close() {
      for (const { shared, idle } of Object.values(states))
        for (const connection of [...shared, ...idle]) connection?.socket.destroy();
    },
  };
}

function sharedOf(state: State): HttpConnection {
  state.next = (state.next + 1) % SHARED;
  const known = state.shared[state.next];
  if (known?.closed === false) return known;
  const opened = openConnection(state.target);
  state.shared[state.next] = opened;
  return opened;
}

async function sendAlone(state: State, request: Parameters<typeof sendRequest>[1]): Promise<FuzzReply> {
  const known = state.idle.pop();
  const connection = known?.closed === false ? known : openConnection(state.target);
  const reply = await sendRequest(connection, request);
  if (connection.closed) connection.socket.destroy();
  else state.idle.push(connection);
  return reply;
}

export const tokenOf = async (role: string): Promise<string> =>
  `Bearer ${await new SignJWT({ role }).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(FUZZ_SECRET))}`;

/**
 * Codes of PostgreSQL for statements that the service must not send: syntax, types of parameters, ambiguous and repeated
 * names, the protocol, the state of the transaction, internal errors.
 */
const FAULTS: ReadonlySet<string> = new Set([
  ...['42601', '42P18', '42P02', '42P08', '42702', '42712', '42P05', '42P09'],
  ...['26000', '34000', '08P01', '25P01', '25P02', '25001', 'XX000', 'XX001', 'XX002'],
]);

/** PostgreSQL gives the code of syntax errors to texts of text searches and to names of blanks, too. */
const SYNTAX_OF_VALUES = /tsquery|^zero-length delimited identifier/;

/** Answers of a machine that is busy with other work: no connection in time. The statement was never sent. */
const isOverload = ({ status, text }: FuzzReply): boolean => status >= 503 && /"DBR00[03]"/.test(text);

const REPEATS = 10;
/** Before a repetition, in milliseconds. */
const PAUSE = 2_000;

/** The texts of an error are null or strings. */
const MEMBERS = ['code', 'message', 'details', 'hint'] as const;

function refuseFaults({ method, path }: FuzzRequest, { status, text }: FuzzReply): void {
  if (status < 400 || method === 'HEAD') return;
  const shown = `${method} ${path} gives ${String(status)}: ${text.slice(0, 500)}`;
  // PostgreSQL refuses values that exceed its limits, such as the dimensions of an array, with 54…: 500, as in PostgREST.
  if (status >= 500 && !text.includes('"code":"54')) throw new Error(shown);
  const error = JSON.parse(text) as Readonly<Record<string, unknown>>;
  for (const name of MEMBERS)
    if (error[name] !== null && typeof error[name] !== 'string') throw new Error(`${name}: ${shown}`);
  const { code, message } = error;
  if (typeof code === 'string' && FAULTS.has(code) && !SYNTAX_OF_VALUES.test(String(message)))
    throw new Error(shown);
}
