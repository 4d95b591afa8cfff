/** Requests of the page. Those of screens are kept, so that each screen shows what it asked. */
import type { MetricSample, Question } from '../../server/answers.js';
import { isObject, parseJson, textOf, type Json } from './json.js';
import { targetOf, type ApiRequest } from './request.js';
import { currentToken } from './session.js';

export interface Information {
  readonly version: string;
  readonly areas: readonly string[];
  readonly pathPrefix: string;
  /** Where requests of the public port are sent, relative to the page. */
  readonly api: string;
  /** Address of the public port, for commands; null if it is the page's own. */
  readonly publicUrl: string | null;
  /** Address of the reference page; null if there is none. */
  readonly reference: string | null;
  readonly development: boolean;
  /** `db-live` */
  readonly live: boolean;
  /** Whether people apply what agents propose. */
  readonly proposals: boolean;
}

export interface Sent {
  readonly id: number;
  /** Counts the screens of the page. */
  readonly screen: number;
  readonly at: Date;
  readonly request: ApiRequest;
  readonly status: number;
  readonly milliseconds: number;
}

export interface ApiReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json | undefined;
}

/** A refusal, in the words of the service. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly details: string | null;
  readonly hint: string | null;
  constructor(status: number, body: Json | undefined) {
    const members = isObject(body) ? body : {};
    super(textOf(members['message'] ?? members['detail'] ?? members['title']) || `Status ${String(status)}`);
    this.status = status;
    this.code = textOf(members['code']);
    this.details = textOf(members['details']) || null;
    this.hint = textOf(members['hint']) || null;
  }
}

let information: Information | null = null;
let sentCount = 0;
let sent: readonly Sent[] = [];
let screen = 0;
const listeners = new Set<() => void>();
const MOST_SENT = 50;

export const sentRequests = (): readonly Sent[] => sent;
export function onSent(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
const tellListeners = (): void => {
  for (const listener of listeners) listener();
};

export const currentScreen = (): number => screen;
/** Called when another screen opens. */
export function beginScreen(): void {
  screen += 1;
  tellListeners();
}
/** Called when another user signs in. */
export function forgetSent(): void {
  sent = [];
  tellListeners();
}

function note(request: ApiRequest, status: number, milliseconds: number): void {
  sentCount += 1;
  // What a screen asks the console again and again is shown once.
  const others = sent.filter(
    (each) => each.screen !== screen || request.isOfConsole !== true || each.request.path !== request.path,
  );
  const at = new Date();
  sent = [{ id: sentCount, screen, at, request, status, milliseconds }, ...others].slice(0, MOST_SENT);
  tellListeners();
}

const OWN = { 'X-Dbr-Console': '1' };

function authorization(): Readonly<Record<string, string>> {
  const token = currentToken();
  return token === null ? {} : { Authorization: `Bearer ${token}` };
}

export async function loadInformation(): Promise<Information> {
  information ??= (await readJson(await fetch('information', { headers: OWN }))) as unknown as Information;
  return information;
}

export function publicPath(request: ApiRequest): string {
  if (request.isOfConsole === true) return new URL(request.path, location.href).pathname;
  const prefix = request.area === true ? '' : (information?.pathPrefix ?? '');
  return `${prefix}${targetOf(request)}`;
}

/** Address of a request for other programs. */
export const publicAddress = (request: ApiRequest): string =>
  `${(request.isOfConsole === true ? null : information?.publicUrl) ?? location.origin}${publicPath(request)}`;

/** Headers without the token. */
export const headersOf = ({
  headers = {},
  body,
  isOfConsole,
}: ApiRequest): Readonly<Record<string, string>> => ({
  ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  ...headers,
  ...(isOfConsole === true ? OWN : {}),
});

export interface SendOptions {
  readonly signal?: AbortSignal;
  /** Not shown as a request of the screen. */
  readonly quiet?: boolean;
}

/** Opens a response whose body the caller reads. */
export async function open(request: ApiRequest, { signal, quiet }: SendOptions = {}): Promise<Response> {
  const { api } = await loadInformation();
  const began = performance.now();
  const body = request.file?.content ?? (request.body === undefined ? null : JSON.stringify(request.body));
  const response = await fetch(`${api}${publicPath(request)}`, {
    method: request.method,
    headers: { ...headersOf(request), ...authorization(), ...OWN },
    cache: 'no-store',
    body,
    ...(signal === undefined ? {} : { signal }),
  });
  if (quiet !== true) note(request, response.status, performance.now() - began);
  return response;
}

/** @throws ApiError for a status of 400 and above */
export async function send(request: ApiRequest, options: SendOptions = {}): Promise<ApiReply> {
  const response = await open(request, options);
  return { status: response.status, headers: response.headers, body: await readJson(response) };
}

/** @throws ApiError for a status of 400 and above */
export async function readJson(response: Response): Promise<Json | undefined> {
  const text = await response.text();
  let body: Json | undefined;
  try {
    body = text === '' ? undefined : parseJson(text);
  } catch {
    body = text;
  }
  if (!response.ok) throw new ApiError(response.status, body);
  return body;
}

/**
 * Asks the service about the database, with the rights of the token. The caller names the type of the answer.
 * @param options `quiet` for what belongs to no screen
 */
export const ask = async <Answer>(question: Question, options: SendOptions = {}): Promise<Answer> =>
  (await askConsole(
    { method: 'POST', path: 'question', body: parseJson(JSON.stringify(question)) },
    options,
  )) as unknown as Answer;

export const loadSamples = async (
  signal: AbortSignal,
  options: Pick<SendOptions, 'quiet'> = {},
): Promise<readonly MetricSample[]> =>
  (await askConsole(
    { method: 'GET', path: 'samples' },
    { ...options, signal },
  )) as unknown as readonly MetricSample[];

async function askConsole(
  asked: Pick<ApiRequest, 'method' | 'path' | 'body'>,
  { signal, quiet }: SendOptions,
): Promise<Json | undefined> {
  const request = { ...asked, isOfConsole: true };
  const began = performance.now();
  const response = await fetch(request.path, {
    method: request.method,
    headers: { ...headersOf(request), ...authorization() },
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (quiet !== true) note(request, response.status, performance.now() - began);
  return readJson(response);
}

export interface TokenOf {
  readonly tenant: string;
  readonly user: string;
  readonly role?: string;
  readonly scope?: string;
}

/** Signs a token, in development only. */
export async function mint(request: TokenOf): Promise<string> {
  const response = await fetch('token', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...OWN },
    body: JSON.stringify(request),
  });
  const body = await readJson(response);
  return isObject(body) ? textOf(body['token']) : '';
}
