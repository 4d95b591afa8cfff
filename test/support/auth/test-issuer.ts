/** An issuer of tokens: metadata and key set over https or http, on a free port, with responses that a test may spoil. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer as createHttp,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { SignJWT } from 'jose';
import type { Certified } from '../../../examples/parties/certificates.js';

/** A faulty response in place of the right one; it takes the path. */
export type Fault = (response: ServerResponse, path: string) => void;

export interface TestIssuer {
  /** The address that is its name. */
  readonly issuer: string;
  readonly jwksUri: string;
  /** Paths that were asked for so far. */
  readonly requests: readonly string[];
  /** Signs with the newest key; `iss` is the issuer unless the claims have another. */
  sign(
    claims: Readonly<Record<string, unknown>>,
    header?: Readonly<Record<string, unknown>>,
  ): Promise<string>;
  /** Makes a new key, with which it signs and which it publishes at once, beside those of the last few rotations. */
  rotate(): void;
  /** Publishes no other key than the newest. */
  retireOldKeys(): void;
  /** Takes all keys back. */
  publishNothing(): void;
  /** Responds with the fault until it is null. */
  fault: Fault | null;
  /** Sent as `Cache-Control`. */
  cacheControl: string | null;
  /** Closes the port; `open` takes it again. */
  close(): Promise<void>;
  open(): Promise<void>;
}

interface SigningKey {
  readonly kid: string;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

export interface TestIssuerOptions {
  /** Certificate and key for https; without them the issuer serves http. */
  readonly certified?: Certified;
  /** Whether keys and tokens have an ID. */
  readonly hasKids?: boolean;
  /** The issuer that the metadata name instead of the real one. */
  readonly namedIssuer?: string;
  /** The path of its name, such as `/realms/shop`. */
  readonly path?: string;
  readonly algorithm?: 'ES256' | 'RS256';
}

const PUBLISHED = 3;

export async function startTestIssuer({
  certified,
  hasKids = true,
  namedIssuer,
  path = '',
  algorithm = 'ES256',
}: TestIssuerOptions = {}): Promise<TestIssuer> {
  let rotations = 0;
  const newKey = (): SigningKey => ({
    kid: `key-${String((rotations += 1))}`,
    ...(algorithm === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2048 })),
  });
  let newest = newKey();
  let published = [newest];
  const requests: string[] = [];
  const state: { fault: Fault | null; cacheControl: string | null } = { fault: null, cacheControl: null };

  const answer: RequestListener = ({ url = '' }, response) => {
    requests.push(url);
    if (state.fault !== null) return state.fault(response, url);
    response.setHeader('Content-Type', 'application/json');
    if (state.cacheControl !== null) response.setHeader('Cache-Control', state.cacheControl);
    if (url === `${path.replace(/\/$/, '')}/.well-known/openid-configuration`)
      return response.end(JSON.stringify({ issuer: namedIssuer ?? name, jwks_uri: `${base}/keys` }));
    const keys = published.map(({ kid, publicKey }) => ({
      ...publicKey.export({ format: 'jwk' }),
      use: 'sig',
      alg: algorithm,
      ...(hasKids ? { kid } : {}),
    }));
    return response.end(JSON.stringify({ keys }));
  };
  const serve = (): Server =>
    certified === undefined
      ? createHttp(answer)
      : createHttps({ cert: certified.certificate, key: certified.key }, answer);
  let server = serve();
  const listenOn = async (port: number): Promise<void> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await listenOn(0);
  const { port } = server.address() as AddressInfo;
  const base = `${certified === undefined ? 'http' : 'https'}://localhost:${String(port)}`;
  const name = `${base}${path}`;

  return Object.assign(state, {
    issuer: name,
    jwksUri: `${base}/keys`,
    requests,
    sign: (claims: Readonly<Record<string, unknown>>, header: Readonly<Record<string, unknown>> = {}) =>
      new SignJWT({ iss: name, ...claims })
        .setProtectedHeader({ alg: algorithm, ...(hasKids ? { kid: newest.kid } : {}), ...header })
        .sign(newest.privateKey),
    rotate() {
      newest = newKey();
      published = [newest, ...published].slice(0, PUBLISHED);
    },
    retireOldKeys: () => void (published = [newest]),
    publishNothing: () => void (published = []),
    async close() {
      server.closeAllConnections();
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
    async open() {
      server = serve();
      await listenOn(port);
    },
  });
}
